/** Each try has an account with a new key and a new folder. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxAccount } from '../client/account.js';
import { openConnection } from '../client/connection.js';
import { resolveConfig, type Config } from '../config/index.js';
import { ExploreError } from '../explore/facts/error.js';
import { ruleOf } from '../explore/faults/placed.js';
import type { Placed } from '../explore/facts/types.js';
import type { ApplicationProcess } from './application-process.js';
import type { World } from './story-play.js';
import { reasonIn } from './command-story.js';
import { within } from '../time/system-clock.js';
import type { LoadedRule } from '../language/rule.js';
import { closeSandbox, openLog, openSandbox } from './open-sandbox.js';
import { startProgram } from './spawn.js';
import { environmentFor } from './user-command.js';

/** Calls and deliveries that have not ended by then belong to no play. */
const closeMs = 1_000;

/**
 * By chance, a code would start with a zero, which is another fault. The codes of customers differ, and so do two of one
 * customer in a row: otherwise, an application that checks the wrong one would pass.
 */
const plainCodes = Array.from({ length: 10 }, (_, digit) => {
  const each = (n: number, code: string) => ({
    id: `code-${digit}-${n}`,
    when: 'otp.send',
    match: { phone: `*${digit}` },
    ...(n > 1 && { pick: { every: n, per: 'phone' } }),
    then: { otp: { code } },
  });
  return [each(1, `${11 + digit}204617`), each(2, `${31 + digit}519264`)];
}).flat();

/** The rules above would take the place of what the magic numbers for codes do. */
const magicCodes = Object.entries({
  '60': { code: '00000000' },
  '61': { code: '12204617', expires: '30s' },
  '62': { code: '13204617', attempts: 1 },
}).map(([suffix, otp]) => ({
  id: `code-magic-${suffix}`,
  when: 'otp.send',
  match: { phone: `/^\\+1[2-9]\\d{2}55501${suffix}$/` },
  then: { otp },
}));

interface CodeRules {
  readonly rules?: readonly {
    readonly match?: { readonly phone?: unknown };
    readonly then?: { readonly otp?: unknown };
  }[];
}

const codeRulesIn = (scenarios: readonly unknown[]) =>
  scenarios
    .flatMap((one) => (one as CodeRules | null | undefined)?.rules ?? [])
    .filter(({ then }) => then?.otp !== undefined);

/** Returns a function that says whether a rule of one of these scenarios may set the codes of a customer. */
export function codesSetIn(scenarios: readonly unknown[]): (to: string | null) => boolean {
  const phones = codeRulesIn(scenarios).map(({ match }) => match?.phone);
  const isNumber = (phone: unknown) => typeof phone === 'string' && /^\+\d+$/.test(phone);
  return (to) => phones.some((phone) => phone === to || !isNumber(phone));
}

/** True if a scenario has rules for codes: rules of our own would take their place, even if these set only the attempts. */
export const hasRulesForCodes = (scenarios: readonly unknown[]): boolean => codeRulesIn(scenarios).length > 0;

/**
 * @param reset the command that empties what survives a run of the application
 * @param setsCodes whether the story has rules for codes
 */
export async function openWorlds(config: Config, reset: string | null, setsCodes: boolean) {
  const faults = new Map<string, readonly Placed[]>();
  const applications = new Map<string, ApplicationProcess>();
  const log = openLog(config);
  const folder = mkdtempSync(join(tmpdir(), 'messaging-explore-'));
  // Unique per invocation, so that a database that outlives it has none of its keys.
  const invocation = folder.slice(-6).toLowerCase();
  const rulesFor = (key: string): LoadedRule[] => {
    const [own = '', test] = [key.split('.', 1)[0], key.includes('.') ? key.slice(key.indexOf('.')) : ''];
    const placed = (faults.get(own) ?? []).filter(({ point }) => point.account === test);
    // Of two rules, the later one decides.
    const rules = [...(setsCodes ? [] : [...plainCodes, ...magicCodes]), ...placed.flatMap((one) => ruleOf(one) ?? [])];
    return rules.map((each) => ({ ...(each as unknown as LoadedRule), source: { file: '', line: 0 } }));
  };
  const { mode, quietMs } = config.clock;
  const pace = { ...(quietMs !== undefined && { quietMs }) };
  // Accounts of single tests have the clock that they have in any run; the story's own account jumps.
  const clock = mode === 'auto' ? resolveConfig({ flags: { clock: 'real' }, env: {} }).clock : config.clock;
  const sandbox = await openSandbox({ ...config, clock }, log, {
    rulesFor,
    programOf: (key) => applications.get(key) ?? null,
  });
  let tries = 0;
  /** The variables that belong to one play. */
  const ownVariables = async (): Promise<Record<string, string>> => {
    const name = `explore-${invocation}-${(tries += 1)}`;
    const tmp = join(folder, name);
    mkdirSync(tmp);
    const variables = { SANDBOX_TRY: name, SANDBOX_TMP: tmp };
    if (reset === null) return variables;
    const program = startProgram({ command: reset, variables });
    const code = await program.ended;
    await program.stop();
    const { stdout, stderr } = program.output;
    if (code !== 0)
      throw new ExploreError(`--reset: "${reset}" ended with exit code ${code}${reasonIn(stderr || stdout)}.`);
    return variables;
  };
  const world = async (placed: readonly Placed[]): Promise<World> => {
    const own = await ownVariables();
    const key = own['SANDBOX_TRY'] ?? '';
    faults.set(key, placed);
    const variables = { ...environmentFor(sandbox, config, key), ...own };
    const stage = sandbox.stage(key);
    // A timeline must not run ahead of the application.
    if (mode === 'auto') stage.passFromFirstCall(pace);
    return {
      variables,
      account: sandboxAccount(openConnection({ url: sandbox.url, key, controlToken: config.controlToken })),
      stage,
      attach: (application) => void applications.set(key, application),
      close() {
        faults.delete(key);
        applications.delete(key);
        rmSync(own['SANDBOX_TMP'] ?? '', { recursive: true, force: true });
      },
    };
  };
  return {
    world,
    ownVariables,
    async end() {
      await within(closeMs, closeSandbox(sandbox, log));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
