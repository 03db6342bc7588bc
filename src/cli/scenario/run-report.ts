/** The report of `scenario run`: text, JSON and JUnit. */
import { printable } from '../../domain/printable.js';
import { junitSuites, junitXml } from '../../reports/junit.js';
import type { TestCase } from '../../reports/junit.js';
import { accountSuites, verdictCases } from '../../reports/verdict-formats.js';
import { formatProblems } from '../../scenario/language/problems.js';
import { accountLines, accountsSummary, verdictLines, verdictSummary } from '../../reports/verdict-formats.js';
import type { Played } from './run-scenario.js';

const NO_VERDICT = 'the command removed the scenario, so there is nothing to evaluate';

/** @param sourceOf returns the text of a file, for the context of warnings */
export function runLines(
  { file, verdicts, neverHit, command, cutShort, passed }: Played,
  sourceOf: (file: string) => string | undefined,
  colour: boolean,
): string[] {
  const trouble = [
    ...(passed || command === null || command.exitCode === 0 ? [] : [`; the command ended with ${command.exitCode}`]),
    ...(cutShort === null ? [] : [`; ${cutShort}`]),
  ].join('');
  const [only, ...more] = verdicts;
  const lines =
    only === undefined
      ? [`${file}: failed${trouble}`, `  ${NO_VERDICT}`]
      : more.length === 0
        ? [`${file}: ${verdictSummary(only)}${trouble}`, ...verdictLines(only, colour)]
        : [`${file}: ${accountsSummary(verdicts)}${trouble}`, ...accountLines(verdicts, colour)];
  if (neverHit.length > 0) lines.push('', printable(formatProblems(neverHit, sourceOf)), '');
  return lines;
}

export function runJson(runs: readonly Played[]): object {
  return {
    passed: runs.every(({ passed }) => passed),
    runs: runs.map(({ file, passed, verdicts, neverHit, command, cutShort }) => {
      const [first, ...more] = verdicts;
      return {
        file,
        scenario: first?.scenario ?? null,
        passed,
        exit_code: command?.exitCode ?? null,
        ...(cutShort !== null && { cut_short: cutShort }),
        ...(first?.reason !== undefined && { reason: first.reason }),
        ...(first?.note !== undefined && { note: first.note }),
        checks: verdicts.flatMap(({ checks }) => checks),
        ...(more.length > 0 && { accounts: verdicts }),
        warnings: [
          ...neverHit,
          ...verdicts.flatMap(({ warnings = [] }) =>
            warnings.map((message) => ({ code: 'step_passed_over', message })),
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
    const notes = runs.flatMap(({ file, verdicts: [only] }) =>
      only?.note === undefined ? [] : [`${file}: ${only.note}`],
    );
    return junitXml('scenarios', runs.flatMap(cases), notes.length === 0 ? undefined : notes.join('\n'));
  }
  return junitSuites(
    runs.flatMap((run) => [
      ...(endCases(run, command).length === 0 ? [] : [{ name: run.file, cases: endCases(run, command) }]),
      ...accountSuites(run.verdicts),
    ]),
  );
}

/** Describes how the command and the application ended, if that affects the result. */
function endCases(
  { file, verdicts, command: ended, cutShort, durationMs }: Played,
  command: readonly string[],
): TestCase[] {
  const group = verdicts[0]?.scenario ?? file;
  return [
    ...(ended === null
      ? []
      : [
          {
            group,
            name: command.join(' '),
            failure: ended.exitCode === 0 ? null : `ended with ${ended.exitCode}`,
            seconds: durationMs / 1000,
          },
        ]),
    ...(cutShort === null ? [] : [{ group, name: 'the run reaches its end', failure: cutShort }]),
    ...(verdicts.length > 0 ? [] : [{ group: file, name: 'verdict', failure: NO_VERDICT }]),
  ];
}
