import { printable } from '../domain/text.js';
import { junitXml, type TestCase } from '../reports/junit.js';
import { accountSuites, detailLines, summaryOf } from '../reports/verdict-formats.js';
import { formatProblems, type Problem } from '../language/problems.js';
import { formatDuration } from '../time/duration.js';
import { stateSubject } from '../language/checks.js';
import { WARNED, type Played } from '../beside/result.js';

const NO_VERDICT = 'the command removed the scenario, so there is nothing to evaluate';

interface Manner {
  readonly sourceOf: (file: string) => string | undefined;
  readonly colour: boolean;
  /** Advice is given once. */
  readonly given: Set<string>;
  readonly base?: string;
}

export function runLines(run: Played, { sourceOf, colour, given, base }: Manner): string[] {
  const { file, verdicts, impossible, warnings, passed, reasons } = run;
  const summary = verdicts.length === 0 ? 'failed' : summaryOf(verdicts);
  const result = passed || !summary.startsWith('passed') ? summary : `failed (verdict: ${summary})`;
  const problems = [...impossible, ...warnings];
  const advice = adviceOn(run);
  const isNew = advice !== null && !given.has(advice.kind);
  if (isNew) given.add(advice.kind);
  return [
    [`${file}: ${result}`, ...reasons].join('; '),
    ...(verdicts.length === 0 ? [`  ${NO_VERDICT}`] : detailLines(verdicts, colour, base)),
    ...(run.ended === null ? [] : [`  ${endOf(run.ended)}`]),
    ...(isNew ? [`  ! ${advice.text}`] : []),
    ...(problems.length > 0 ? ['', printable(formatProblems(problems, sourceOf)), ''] : []),
  ];
}

function endOf({ at, because, still_due: stillDue, idle_real_ms: idleMs }: NonNullable<Played['ended']>): string {
  const idle =
    idleMs === null ? '' : `, and the application was idle for ${formatDuration(Math.floor(idleMs / 100) * 100)}`;
  return `ended at ${at}: ${because}${idle}${stillDue.length === 0 ? '' : `; still due: ${stillDue.join(', ')}`}`;
}

/**
 * An application that was still at work needs a step that waits for it. If too much was found, more time would not
 * help.
 */
function adviceOn({ ended, callAfter, verdicts, untilStep }: Played): { kind: string; text: string } | null {
  const failed = verdicts.flatMap(({ checks }) => checks.filter(({ passed }) => !passed));
  const isMissing = failed.some(({ too_few: tooFew, that }) => tooFew === true || that === stateSubject);
  if (
    ended === null ||
    ended.idle_real_ms === null ||
    !isMissing ||
    failed.some(({ that }) => that.startsWith('until'))
  ) {
    return null;
  }
  const step = `{ at: ${ended.at}, until: { ${untilStep} } }`;
  const next = `let the story wait for its work, with a step such as ${step}`;
  return callAfter === null
    ? { kind: 'idle', text: `If the application was still at work, ${next}` }
    : { kind: 'called', text: `The application called ${callAfter} after the end: ${next}` };
}

export function runJson(runs: readonly Played[]): object {
  return {
    passed: runs.every(({ passed }) => passed),
    runs: runs.map(({ file, passed, verdicts, impossible, warnings, exitCode, cutShort, ended, callAfter }) => {
      const [first, ...more] = verdicts;
      const skipped = verdicts.flatMap((verdict) => verdict.warnings ?? []);
      return {
        file,
        scenario: first?.scenario ?? null,
        passed,
        exit_code: exitCode,
        ...(cutShort !== null && { cut_short: cutShort }),
        ...(ended !== null && {
          ended: {
            at: ended.at,
            because: ended.because,
            still_due: ended.still_due,
            calls_after: callAfter === null ? [] : [callAfter],
          },
        }),
        ...(first?.reason !== undefined && { reason: first.reason }),
        ...(first?.note !== undefined && { note: first.note }),
        checks: verdicts.flatMap(({ checks }) => checks),
        ...(more.length > 0 && { accounts: verdicts }),
        ...(impossible.length > 0 && { impossible }),
        warnings: [...warnings, ...skipped.map((message) => ({ code: 'step_passed_over', message }))],
      };
    }),
  };
}

/** One suite for each run, or for each account if a run had several. */
export function runJunit(runs: readonly Played[], command: readonly string[]): string {
  return junitXml(
    runs.flatMap((run) => {
      const cases = runCases(run, command);
      const [first, ...more] = accountSuites(run.verdicts);
      const isOne = first !== undefined && more.length === 0;
      const notes = [isOne ? first.note : undefined, run.ended && endOf(run.ended), adviceOn(run)?.text];
      const note = notes.filter((one) => one !== null && one !== undefined).join('\n');
      const facts = { seconds: run.durationMs / 1000, ...(note !== '' && { note }) };
      if (isOne) return [{ ...first, ...facts, cases: [...cases, ...first.cases] }];
      return [{ name: run.file, ...facts, cases }, ...(first ? [first, ...more] : [])];
    }),
  );
}

function runCases(run: Played, command: readonly string[]): TestCase[] {
  const { file, verdicts, impossible, warnings, exitCode, cutShort, durationMs, reasons } = run;
  const group = verdicts[0]?.scenario ?? file;
  const failed = (name: string, failure: string): TestCase => ({ group, name, failure });
  const failure = exitCode === 0 ? null : `ended with ${exitCode ?? 'no exit code'}`;
  const skipped = verdicts.flatMap((verdict) => verdict.warnings ?? []);
  return [
    ...(exitCode === null ? [] : [{ group, name: command.join(' '), failure, seconds: durationMs / 1000 }]),
    ...(cutShort === null ? [] : [failed('the run reaches its end', cutShort)]),
    ...impossible.map((problem) => failed(`something can match ${problem.path}`, sentenceOf(problem))),
    ...(reasons.includes(WARNED)
      ? [failed('there are no warnings', [...warnings.map(sentenceOf), ...skipped].join('\n'))]
      : []),
    ...(verdicts.length > 0 ? [] : [failed('verdict', NO_VERDICT)]),
  ];
}

function sentenceOf({ file, line, message }: Problem): string {
  return `${file}:${line}: ${message}`;
}
