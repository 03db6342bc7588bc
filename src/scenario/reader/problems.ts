/** What is wrong with a scenario, and how it is shown. */
import { printableLine } from '../../domain/printable.js';

export interface Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** Where in the document: `rules[0].then.respond.status`; empty for the document itself. */
  readonly path: string;
  /** Stable snake_case name of the kind of problem. */
  readonly code: string;
  /** One sentence. */
  readonly message: string;
  readonly found: string;
  readonly allowed?: string;
  /** The nearest known word or form. */
  readonly suggestion?: string;
  /** The line, corrected. */
  readonly fixed?: string;
}

/** More than these are never shown: the last entry then says how many are left. */
const MOST_SHOWN = 200;

/** By file (in the given order), line and column; at most 200, the last of which then counts the rest. */
export function sortProblems(problems: readonly Problem[], files: readonly string[]): Problem[] {
  const rank = new Map(files.map((file, index) => [file, index]));
  const sorted = problems.toSorted(
    (a, b) =>
      (rank.get(a.file) ?? files.length) - (rank.get(b.file) ?? files.length) || a.line - b.line || a.column - b.column,
  );
  const next = sorted[MOST_SHOWN - 1];
  if (next === undefined || sorted.length === MOST_SHOWN) return sorted;
  const left = sorted.length - MOST_SHOWN + 1;
  const { file, line, column, path } = next;
  const message = `There are ${left} more problems from here on. Correct the ones above first.`;
  return [
    ...sorted.slice(0, MOST_SHOWN - 1),
    { file, line, column, path, code: 'more_problems', message, found: `${left} more problems` },
  ];
}

/**
 * The problems for a terminal, each with its place, a code frame and one corrected line.
 * @param sourceOf the text of a file named by a problem; undefined leaves the frame out.
 */
export function formatProblems(problems: readonly Problem[], sourceOf: (file: string) => string | undefined): string {
  return problems.map((problem) => formatProblem(problem, sourceOf(problem.file))).join('\n\n');
}

/** What is wrong with a scenario, and besides that what is unusual about it: the same text wherever one is refused. */
export function formatFaulty(
  { problems, warnings }: { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] },
  sourceOf: (file: string) => string | undefined,
): string {
  if (warnings.length === 0) return formatProblems(problems, sourceOf);
  const head = warnings.length === 1 ? 'besides, 1 warning' : `besides, ${warnings.length} warnings`;
  return `${formatProblems(problems, sourceOf)}\n\n${head}\n\n${formatProblems(warnings, sourceOf)}`;
}

function formatProblem(problem: Problem, source: string | undefined): string {
  const lines = [`${problem.file}:${problem.line}:${problem.column}: ${problem.message}`];
  if (source !== undefined) lines.push(...codeFrame(source, problem.line, problem.column));
  const fact = (label: string, value: string | undefined) => {
    if (value !== undefined && value !== '') lines.push(`  ${label.padEnd(9)} ${value}`);
  };
  fact('path:', problem.path);
  fact('found:', problem.found);
  fact('allowed:', problem.allowed);
  fact('meant:', problem.suggestion);
  fact('write:', problem.fixed?.trim());
  return lines.join('\n');
}

/** Wider lines are cut around the column, so that a megabyte on one line does not flood the terminal. */
const FRAME_WIDTH = 160;
/** How much of a line is shown before a column that lies further right than the frame. */
const FRAME_LEAD = 100;

function codeFrame(source: string, line: number, column: number): string[] {
  const all = source.split(/\r\n|\r|\n/);
  const width = String(line + 1).length;
  const skipped = column <= FRAME_WIDTH ? 0 : column - 1 - FRAME_LEAD;
  const frame: string[] = [];
  for (let number = Math.max(1, line - 1); number <= Math.min(all.length, line + 1); number += 1) {
    const text = printableLine((all[number - 1] ?? '').slice(skipped, skipped + FRAME_WIDTH));
    const shown = skipped > 0 && text !== '' ? `\u2026${text.slice(1)}` : text;
    frame.push(`  ${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${shown}`);
    if (number === line) frame.push(`    ${' '.repeat(width)} | ${' '.repeat(column - 1 - skipped)}^`);
  }
  return frame;
}
