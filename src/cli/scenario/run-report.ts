/** The report of `scenario run`: text, JSON and JUnit. */
import { printable } from '../../domain/text.js';
import { junitSuites, junitXml } from '../../reports/junit.js';
import type { TestCase } from '../../reports/junit.js';
import {
  accountLines,
  accountsSummary,
  accountSuites,
  notesOf,
  verdictCases,
  verdictLines,
  verdictSummary,
} from '../../reports/verdict-formats.js';
import { formatProblems, type Problem } from '../../scenario/schema/problems.js';
import { formatDuration } from '../../time/duration.js';
import type { Played } from './run-scenario.js';

const NO_VERDICT = 'the command removed the scenario, so there is nothing to evaluate';

/** @param sourceOf returns the text of a file, for the context of warnings */
export function runLines(run: Played, sourceOf: (file: string) => string | undefined, colour: boolean): string[] {
  const { file, verdicts, impossible, warnings, exitCode, cutShort, passed } = run;
  const trouble = [
    ...(exitCode === null || exitCode === 0 ? [] : [`; the command ended with ${exitCode}`]),
    ...(cutShort === null ? [] : [`; ${cutShort}`]),
    ...(impossible.length === 0 ? [] : ['; nothing can match a check']),
    ...(passed || !isGreen(run) ? [] : ['; failed because of warnings (--strict)']),
  ].join('');
  const [only, ...more] = verdicts;
  const lines =
    only === undefined
      ? [`${file}: failed${trouble}`, `  ${NO_VERDICT}`]
      : more.length === 0
        ? [`${file}: ${verdictSummary(only)}${trouble}`, ...verdictLines(only, colour)]
        : [`${file}: ${accountsSummary(verdicts)}${trouble}`, ...accountLines(verdicts, colour)];
  lines.push(...endLines(run));
  const problems = [...impossible, ...warnings];
  if (problems.length > 0) lines.push('', printable(formatProblems(problems, sourceOf)), '');
  return lines;
}

/** Whether everything but the warnings is as it should be. */
function isGreen({ verdicts, impossible, exitCode, cutShort }: Played): boolean {
  const isJudged = verdicts.length > 0 && verdicts.every(({ passed }) => passed);
  return isJudged && impossible.length === 0 && cutShort === null && (exitCode ?? 0) === 0;
}

/** What ended the run, what was still due, and whether the application went on. */
function endLines({ ended, callsAfter }: Played): string[] {
  if (ended === null) return [];
  const { atMs, because, stillDue } = ended;
  const due = stillDue.length === 0 ? '' : `; still due: ${stillDue.join(', ')}`;
  return [
    `  ended at +${formatDuration(Math.floor(atMs / 1000) * 1000)}: ${because}${due}`,
    ...callsAfter.map(
      (call) => `  ! the application called ${call} after that; "ends: +3h" in the scenario waits longer`,
    ),
  ];
}

export function runJson(runs: readonly Played[]): object {
  return {
    passed: runs.every(({ passed }) => passed),
    runs: runs.map(({ file, passed, verdicts, impossible, warnings, exitCode, cutShort, ended, callsAfter }) => {
      const [first, ...more] = verdicts;
      return {
        file,
        scenario: first?.scenario ?? null,
        passed,
        exit_code: exitCode,
        ...(cutShort !== null && { cut_short: cutShort }),
        ...(ended !== null && {
          ended: {
            at: `+${formatDuration(Math.round(ended.atMs))}`,
            because: ended.because,
            still_due: ended.stillDue,
            calls_after: callsAfter,
          },
        }),
        ...(first?.reason !== undefined && { reason: first.reason }),
        ...(first?.note !== undefined && { note: first.note }),
        checks: verdicts.flatMap(({ checks }) => checks),
        ...(more.length > 0 && { accounts: verdicts }),
        ...(impossible.length > 0 && { impossible }),
        warnings: [
          ...warnings,
          ...verdicts.flatMap(({ warnings: skipped = [] }) =>
            skipped.map((message) => ({ code: 'step_passed_over', message })),
          ),
        ],
      };
    }),
  };
}

/** One suite for each run, or for each account if a run had several. */
export function runJunit(runs: readonly Played[], command: readonly string[]): string {
  const several = runs.some(({ verdicts }) => verdicts.length > 1);
  const cases = (run: Played): TestCase[] => [
    ...endCases(run, command),
    ...run.verdicts.flatMap((verdict) => verdictCases(verdict)),
  ];
  if (!several) {
    const notes = runs.flatMap(({ file, verdicts: [only] }) => {
      const note = only && notesOf(only);
      return note === undefined ? [] : [`${file}: ${note}`];
    });
    return junitXml('scenarios', runs.flatMap(cases), notes.length === 0 ? undefined : notes.join('\n'));
  }
  return junitSuites(
    runs.flatMap((run) => [
      ...(endCases(run, command).length === 0 ? [] : [{ name: run.file, cases: endCases(run, command) }]),
      ...accountSuites(run.verdicts),
    ]),
  );
}

/** What affects the result besides the checks: how the command and the application ended, and errors of the file. */
function endCases(run: Played, command: readonly string[]): TestCase[] {
  const { file, verdicts, impossible, exitCode, cutShort, durationMs, passed } = run;
  const group = verdicts[0]?.scenario ?? file;
  const failed = (name: string, failure: string): TestCase => ({ group, name, failure });
  const failure = exitCode === 0 ? null : `ended with ${exitCode ?? 'no exit code'}`;
  return [
    ...(exitCode === null ? [] : [{ group, name: command.join(' '), failure, seconds: durationMs / 1000 }]),
    ...(cutShort === null ? [] : [failed('the run reaches its end', cutShort)]),
    ...impossible.map((problem) => failed(`something can match ${problem.path}`, sentenceOf(problem))),
    ...(passed || !isGreen(run) ? [] : [failed('there are no warnings', warningsOf(run).join('\n'))]),
    ...(verdicts.length > 0 ? [] : [failed('verdict', NO_VERDICT)]),
  ];
}

function warningsOf({ warnings, verdicts }: Played): string[] {
  return [...warnings.map(sentenceOf), ...verdicts.flatMap(({ warnings: skipped = [] }) => skipped)];
}

function sentenceOf({ file, line, message }: Problem): string {
  return `${file}:${line}: ${message}`;
}
