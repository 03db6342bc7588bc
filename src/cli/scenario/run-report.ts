/** The report of `scenario run`: text, JSON and JUnit. */
import { printable } from '../../domain/text.js';
import { junitXml, type TestCase } from '../../reports/junit.js';
import { accountSuites, detailLines, summaryOf } from '../../reports/verdict-formats.js';
import { formatProblems, type Problem } from '../../language/problems.js';
import { formatDuration } from '../../time/duration.js';
import { placeOf, stillDueIn } from '../../stage/end.js';
import { WARNED, type Played } from './run-scenario.js';

const NO_VERDICT = 'the command removed the scenario, so there is nothing to evaluate';

/** @param sourceOf returns the text of a file, for the context of warnings */
export function runLines(run: Played, sourceOf: (file: string) => string | undefined, colour: boolean): string[] {
  const { file, verdicts, impossible, warnings, passed, reasons } = run;
  const summary = verdicts.length === 0 ? 'failed' : summaryOf(verdicts);
  const result = passed || !summary.startsWith('passed') ? summary : `failed (verdict: ${summary})`;
  const problems = [...impossible, ...warnings];
  return [
    [`${file}: ${result}`, ...reasons].join('; '),
    ...(verdicts.length === 0 ? [`  ${NO_VERDICT}`] : detailLines(verdicts, colour)),
    ...endLines(run),
    ...(problems.length > 0 ? ['', printable(formatProblems(problems, sourceOf)), ''] : []),
  ];
}

/** What ended the run, what was still due, and whether the application went on. */
function endLines({ ended, callAfter, verdicts }: Played): string[] {
  if (ended === null) return [];
  const { because, idleMs } = ended;
  const stillDue = stillDueIn(ended);
  const idle =
    idleMs === null ? '' : `, and the application was idle for ${formatDuration(Math.floor(idleMs / 100) * 100)}`;
  const due = stillDue.length === 0 ? '' : `; still due: ${stillDue.join(', ')}`;
  const isDoubtful = idleMs !== null && verdicts.some(({ passed }) => !passed);
  return [
    `  ended at ${placeOf(ended)}: ${because}${idle}${due}`,
    ...(callAfter === null
      ? []
      : [
          `  ! the application called ${callAfter} after that; "--quiet 3s" waits for a longer pause, "ends: +1h" for a time`,
        ]),
    ...(callAfter === null && isDoubtful
      ? ['  ! for an application that works longer than that, add "--quiet 3s"']
      : []),
  ];
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
            at: placeOf(ended),
            because: ended.because,
            still_due: stillDueIn(ended),
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
      if (first && more.length === 0) return [{ ...first, cases: [...cases, ...first.cases] }];
      return [...(cases.length === 0 ? [] : [{ name: run.file, cases }]), ...(first ? [first, ...more] : [])];
    }),
  );
}

/** What affects the result besides the checks: how the command and the application ended, and errors of the file. */
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
