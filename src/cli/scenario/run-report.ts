/** The report of `scenario run`: text, JSON and JUnit. */
import { printable } from '../../domain/printable.js';
import { junitXml } from '../../reports/junit.js';
import type { TestCase } from '../../reports/junit.js';
import { verdictCases } from '../../reports/verdict.js';
import { formatProblems } from '../../scenario/reader/problems.js';
import { verdictLines, verdictSummary } from '../verdict-lines.js';
import type { Played } from './play.js';

/** @param sourceOf the text of a file, for the frames of warnings */
export function runLines(
  { file, verdict, neverHit, command, passed }: Played,
  sourceOf: (file: string) => string | undefined,
  colour: boolean,
): string[] {
  const lines = [
    `${file}: ${verdict === null ? 'failed' : verdictSummary(verdict)}${passed ? '' : commandWords(command)}`,
  ];
  if (verdict === null) lines.push('  the command took the scenario away, so there is nothing to judge');
  else lines.push(...verdictLines(verdict, colour));
  if (neverHit.length > 0) lines.push('', printable(formatProblems(neverHit, sourceOf)), '');
  return lines;
}

function commandWords(command: Played['command']): string {
  return command === null || command.exitCode === 0 ? '' : `; the command ended with ${command.exitCode}`;
}

export function runJson(runs: readonly Played[]): object {
  return {
    passed: runs.every(({ passed }) => passed),
    runs: runs.map(({ file, passed, verdict, neverHit, command }) => ({
      file,
      scenario: verdict?.scenario ?? null,
      passed,
      exit_code: command?.exitCode ?? null,
      ...(verdict?.reason !== undefined && { reason: verdict.reason }),
      ...(verdict?.note !== undefined && { note: verdict.note }),
      checks: verdict?.checks ?? [],
      warnings: [...neverHit, ...(verdict?.warnings ?? []).map((message) => ({ code: 'step_passed_over', message }))],
    })),
  };
}

export function runJunit(runs: readonly Played[], command: readonly string[]): string {
  const notes = runs.flatMap(({ file, verdict }) => (verdict?.note === undefined ? [] : [`${file}: ${verdict.note}`]));
  return junitXml(
    'scenarios',
    runs.flatMap((run) => [...commandCase(run, command), ...checkCases(run)]),
    notes.length === 0 ? undefined : notes.join('\n'),
  );
}

function checkCases({ file, verdict }: Played): TestCase[] {
  if (verdict === null) {
    return [
      { group: file, name: 'verdict', failure: 'the command took the scenario away, so there is nothing to judge' },
    ];
  }
  return verdictCases(verdict);
}

function commandCase({ file, verdict, command: ended }: Played, command: readonly string[]): TestCase[] {
  if (ended === null) return [];
  const failure = ended.exitCode === 0 ? null : `ended with ${ended.exitCode}`;
  return [{ group: verdict?.scenario ?? file, name: command.join(' '), failure }];
}
