/** The result of a run: its verdicts, its warnings, and why it failed. */
import type { Account } from '../../account/account.js';
import { readsApplication } from '../../language/expect.js';
import { isImpossibleCheck, type Problem } from '../../language/problems.js';
import { lintNeverHit } from '../../reader/lint-rules.js';
import type { Sandbox } from '../../sandbox.js';
import type { PlayEnd } from '../../stage/end.js';
import { isUntouched, verdictOf } from '../../stage/verdict.js';
import { type AccountVerdict, judgeAccounts } from '../../stage/verdicts.js';
import { shownPath, type NamedScenario } from './named.js';

export interface Played {
  readonly file: string;
  readonly passed: boolean;
  /** Why it failed, besides its checks, in clauses. */
  readonly reasons: readonly string[];
  /** One for each account that ran the scenario; empty if the command deactivated it. */
  readonly verdicts: readonly AccountVerdict[];
  /** Expectations that nothing can match: they fail the run. */
  readonly impossible: readonly Problem[];
  /** Rules that never applied, and other warnings about the file. With `--strict`, they fail the run. */
  readonly warnings: readonly Problem[];
  /** The exit code of the command; null if none was given. */
  readonly exitCode: number | null;
  /** The end of the run with its reason; null if the run was cut short. */
  readonly ended: PlayEnd | null;
  /** The latest call that the application made after the run had ended; null if there was none. */
  readonly callAfter: string | null;
  /** The reason why the run did not reach its end: the application ended, or a signal arrived. */
  readonly cutShort: string | null;
  /** Machine milliseconds. */
  readonly durationMs: number;
  /** A value of the application for which a story could wait, as in YAML. */
  readonly untilStep: string;
}

/** Returns a value that the scenario names already, or else an example of such a value. */
export function untilStepOf({ script }: Account): string {
  const states = (script.scenario?.expect ?? []).filter(readsApplication).filter(({ max }) => max === undefined);
  const wanted = states.flatMap(({ state }) => Object.entries(state));
  const [path, value] = wanted.find(([name, one]) => name.startsWith('/') && one !== null) ?? [];
  return path === undefined ? '"/orders/42#status": shipped' : `${JSON.stringify(path)}: ${JSON.stringify(value)}`;
}

/** The reason of a run that failed for its warnings alone. */
export const WARNED = 'failed because of warnings (--strict)';

export function resultOf(
  {
    verdicts,
    impossible,
    warnings,
    exitCode,
    cutShort,
  }: Omit<Played, 'passed' | 'reasons' | 'callAfter' | 'untilStep'>,
  {
    app,
    command,
    strict,
  }: { readonly app: string | null; readonly command: readonly string[]; readonly strict: boolean },
): Pick<Played, 'passed' | 'reasons'> {
  const isAlone = app === null && command.length === 0 && verdicts.some(({ reason }) => reason === 'no_calls');
  const reasons = [
    ...((exitCode ?? 0) === 0 ? [] : [`the command ended with ${exitCode}`]),
    ...(cutShort === null ? [] : [cutShort]),
    ...(impossible.length === 0 ? [] : ['nothing can match a check']),
    ...(isAlone ? ['no application takes part: add "-- CMD…", or --app with the command that starts it'] : []),
  ];
  const isGreen = reasons.length === 0 && verdicts.length > 0 && verdicts.every(({ passed }) => passed);
  const isWarned = strict && (warnings.length > 0 || verdicts.some((verdict) => verdict.warnings !== undefined));
  if (isGreen && isWarned) reasons.push(WARNED);
  return { passed: isGreen && !isWarned, reasons };
}

export function problemsOf({ result }: NamedScenario, { accounts }: Sandbox): Pick<Played, 'impossible' | 'warnings'> {
  const hitsOf = (id: string) =>
    [...accounts.all()].reduce((sum, { store }) => sum + (store.tables.ruleHits.get(id)?.hits ?? 0), 0);
  const neverHit = lintNeverHit('scenario' in result ? result.scenario.rules : [], hitsOf);
  const ofFile = result.warnings.filter((warning) => !isImpossibleCheck(warning));
  return {
    impossible: result.warnings.filter(isImpossibleCheck),
    warnings: [...ofFile, ...neverHit].map((one) => ({ ...one, file: shownPath(one.file) })),
  };
}

/** The account of the run always counts: its scenario is what was played. */
export function verdictsOf({ accounts }: Sandbox, account: Account): readonly AccountVerdict[] {
  const all = judgeAccounts(accounts.all(), accounts.ended)?.accounts ?? [];
  const own = verdictOf(account);
  if (own === null || all.some(({ account: key }) => key === account.key)) return all;
  // A command whose tests have accounts of their own may leave it unused.
  return all.length > 0 && isUntouched(account) ? all : [{ account: account.key, ...own }, ...all];
}
