import { readsApplication, stateSubject } from '../language/checks.js';
import type { Expectation, StateExpectation } from '../language/expect.js';
import { isImpossibleCheck, type Problem } from '../language/problems.js';
import { lintNeverHit } from '../reader/lint-rules.js';
import type { AccountVerdict } from '../reports/verdict-formats.js';
import type { Stage } from '../sandbox.js';
import { shownPath, type NamedScenario } from './scenario-file.js';

export interface Played {
  readonly file: string;
  readonly passed: boolean;
  /** Clauses; checks are not among them. */
  readonly reasons: readonly string[];
  /** One for each account that ran the scenario; empty if the command deactivated it. */
  readonly verdicts: readonly AccountVerdict[];
  /** Expectations that nothing can match: they fail the run. */
  readonly impossible: readonly Problem[];
  /** Rules that never applied, and other warnings about the file. With `--strict`, they fail the run. */
  readonly warnings: readonly Problem[];
  /** Null without a command. */
  readonly exitCode: number | null;
  /** Null if the run was cut short. */
  readonly ended: Awaited<ReturnType<Stage['play']>>;
  /** Null if the application made no call after the end. */
  readonly callAfter: string | null;
  /** The reason why the run did not reach its end: the application ended, or a signal arrived. */
  readonly cutShort: string | null;
  /** Machine milliseconds. */
  readonly durationMs: number;
  /** A value of the application for which a story could wait, as in YAML. */
  readonly untilStep: string;
}

type AnyExpectation = Expectation | StateExpectation;

/** Returns a value that a failed check of the application's state names, or else the form of one. */
export function untilStepOf(expect: readonly AnyExpectation[], verdicts: readonly AccountVerdict[]): string {
  const failed = verdicts.flatMap(({ checks }) => checks.filter(({ passed }) => !passed));
  const states = expect.filter(readsApplication).filter(({ max }) => max === undefined);
  const wanted = states.flatMap(({ state }) => Object.entries(state));
  const [path, value] =
    wanted.find(
      ([name, one]) =>
        name.startsWith('/') &&
        one !== null &&
        failed.some(
          ({ that, expected }) => that === stateSubject && expected.includes(`${name}: ${JSON.stringify(one)}`),
        ),
    ) ?? [];
  return path === undefined ? '"/PATH#FIELD": VALUE' : `${JSON.stringify(path)}: ${JSON.stringify(value)}`;
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

export function problemsOf({ result }: NamedScenario, stage: Stage): Pick<Played, 'impossible' | 'warnings'> {
  const neverHit = 'scenario' in result ? lintNeverHit(result.scenario, (id) => stage.hitsOf(id)) : [];
  const ofFile = result.warnings.filter((warning) => !isImpossibleCheck(warning));
  return {
    impossible: result.warnings.filter(isImpossibleCheck),
    warnings: [...ofFile, ...neverHit].map((one) => ({ ...one, file: shownPath(one.file) })),
  };
}
