/** The accounts in which the tries of an exploration run. */
import { sandboxAccount } from '../../client/account.js';
import type { Config } from '../../config/index.js';
import { rulesOf } from '../../explore/facts.js';
import type { Placed } from '../../explore/types.js';
import type { World } from '../../runner/explore-application.js';
import type { LoadedRule } from '../../scenario/language/rules.js';
import { scenarioEndMs } from '../../scenario/runtime/judge-step.js';
import { closeSandbox, openLog, openSandbox } from '../open-sandbox.js';
import { begin, freeze } from '../scenario/run-clock.js';
import { connectionTo, environmentFor, keyFor } from '../user-command.js';
import { changed, settingOf } from './vary-dialect.js';

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
    const other = setting && (await open({ ...config, port: 0, dialect: changed(config.dialect, setting) }));
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
