/** The accounts in which the tries of an exploration run, each with the dialect of its try (`--vary dialect`). */
import { sandboxAccount } from '../../client/account.js';
import type { Config } from '../../config/index.js';
import { dialectSettings, withSettings, type Dialect } from '../../dialect/index.js';
import { errorTable, type ErrorCode } from '../../domain/errors.js';
import { rulesOf } from '../../explore/facts.js';
import { wholePoint } from '../../explore/points.js';
import type { Facts, Fault, Placed } from '../../explore/types.js';
import type { World } from '../../runner/explore-application.js';
import type { LoadedRule } from '../../scenario/language/rules.js';
import { scenarioEndMs } from '../../scenario/runtime/verdict.js';
import { closeSandbox, openLog, openSandbox } from '../open-sandbox.js';
import { begin, freeze } from '../scenario/run-clock.js';
import { connectionTo, environmentFor, keyFor } from '../user-command.js';

/** One sandbox with an account for each try; a try with another dialect gets its own sandbox. */
export async function openWorlds(config: Config) {
  const rules = new Map<string, readonly LoadedRule[]>();
  const log = openLog(config);
  const open = (own: Config) => openSandbox(own, log, { rulesFor: (key) => rules.get(key) ?? [] });
  const sandbox = await open(config);
  let tries = 0;
  const world = async (placed: readonly Placed[]): Promise<World> => {
    const key = `explore-${(tries += 1)}`;
    rules.set(key, loaded(placed));
    const setting = settingOf(placed);
    const other =
      setting &&
      (await open({ ...config, port: 0, dialect: withSettings(config.dialect, [[setting.key, setting.value]]) }));
    const variables = environmentFor(other ?? sandbox, { ...config, apiKeys: [key] });
    const account = (other ?? sandbox).accounts.of(key);
    const hasTimeline = config.clock.mode === 'auto' && scenarioEndMs(account) !== null;
    if (hasTimeline) freeze(account);
    const { quietMs } = config.clock;
    return {
      variables,
      account: sandboxAccount(connectionTo(variables)),
      ...(hasTimeline && {
        onFirstCall: () => void begin(account, { mode: 'auto', ...(quietMs !== undefined && { quietMs }) }),
      }),
      async close() {
        rules.delete(key);
        if (other) await closeSandbox(other, log);
      },
    };
  };
  const key = keyFor(config);
  return {
    world,
    /** The panel that shows the tries. */
    page: `${environmentFor(sandbox, config)['SANDBOX_URL'] ?? ''}/_sandbox/ui#/${encodeURIComponent(key)}/explore`,
    show: (exploration: object) => sandbox.accounts.of(key).exploration.show(exploration),
    end: () => closeSandbox(sandbox, log),
  };
}

function loaded(placed: readonly Placed[]): LoadedRule[] {
  return rulesOf(placed).map((rule) => ({ ...(rule as unknown as LoadedRule), source: { file: '', line: 0 } }));
}

type Setting = NonNullable<Fault['setting']>;

const service = wholePoint('dialect', 'the service', 'api.any');

/** Each setting of the dialect, changed alone, as a fault of the whole service; of the statuses, only those of errors that occur in the story. */
export function dialectFaults(dialect: Dialect, { requests }: Facts): Placed[] {
  const codes = [...new Set(requests.flatMap(({ error }) => (error === undefined ? [] : [error])))];
  const settings: Setting[] = [
    ...dialectSettings.flatMap(({ key, allowed }) =>
      allowed.filter((value) => value !== settingNow(dialect, key)).map((value) => ({ key, value })),
    ),
    ...codes
      .filter((code) => code in errorTable)
      .map((code) => {
        const now = dialect.errors.status[code as ErrorCode] ?? errorTable[code as ErrorCode].status;
        return { key: `errors.status.${code}`, value: now === 400 ? 422 : 400 };
      }),
  ];
  return settings.map((setting) => ({
    point: service,
    fault: {
      id: `${setting.key}: ${setting.value}`,
      words: `works with ${setting.key}: ${setting.value}`,
      class: 'recoverable',
      lastsMs: 0,
      rank: 5,
      setting,
    },
  }));
}

function settingNow(dialect: Dialect, key: string): unknown {
  const [group = '', name = ''] = key.split('.');
  return (dialect as unknown as Record<string, Record<string, unknown>>)[group]?.[name];
}

export function settingOf(placed: readonly Placed[]): Setting | null {
  return placed.find(({ fault }) => fault.setting !== undefined)?.fault.setting ?? null;
}

/** The same dialect as a file for `--dialect`. */
export function dialectFile({ key, value }: Setting): string {
  const names = key.split('.');
  return `${names.map((name, depth) => `${'  '.repeat(depth)}${name}:`).join('\n')} ${value}\n`;
}
