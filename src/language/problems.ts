import { counted, printableLine } from '../domain/text.js';

export interface Problem {
  readonly file: string;
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** Place in the document: `rules[0].then.respond.status`; empty for the document itself. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly found: string;
  readonly allowed?: string;
  readonly suggestion?: string;
  /** The corrected line, if it is known to solve the problem. Two lines if a key is missing. */
  readonly fixed?: string;
  readonly example?: string;
}

/** No record can ever match such a check, so it proves nothing about the application. */
export function isImpossibleCheck({ path, code }: Problem): boolean {
  return code === 'never_fits' && path.startsWith('expect[');
}

/** A scenario that a command line or a start names cannot be used: there is none, or its file has errors. */
export class ScenarioFileError extends Error {
  override readonly name = 'ScenarioFileError';
  constructor(
    message: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
  }
}

/** The characters between two offsets become others. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface FoundProblem extends Problem {
  /** Changes that may solve it, the likeliest first. */
  readonly edits?: readonly Edit[];
}

export interface Report {
  readonly code: string;
  readonly message: string;
  readonly found?: string;
  readonly allowed?: string;
  /** Allowed words; the nearest one becomes the suggestion. */
  readonly words?: readonly string[];
  /** Allowed in addition to the words: `or steps such as [sent: 1s]`. */
  readonly orElse?: string;
  /** The text that is probably meant; it gets the author's quotes. */
  readonly suggestion?: string;
  /** The probable intention, if it is not a text: `{ status: 429 }`, `[en]`, `true`. */
  readonly replacement?: string;
  /** A valid value, or a key with a value to add, if the intention is unknown. */
  readonly example?: string;
  /** A key with its only possible value, to add to the mapping. */
  readonly insert?: string;
  /** The two spaces before the place become a dash. */
  readonly dash?: boolean;
  /** By default, the end of the place. */
  readonly to?: number;
  /** The key of the place is wrong, not its value. */
  readonly onKey?: boolean;
}

/** Maximum number of listed problems; one more entry then gives the number of the others. */
const mostProblems = 100;

/** At most 100 problems, and one that counts the rest. */
export function sortProblems(problems: readonly Problem[], files: readonly string[]): Problem[] {
  const sorted = problems.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
  const listed = sorted.slice(0, mostProblems);
  const [left, last] = [sorted.length - listed.length, listed.at(-1)];
  if (left === 0 || last === undefined) return listed;
  const { file, line, column, path } = last;
  const message = `There are at least ${left} more problems. Correct the ones above first.`;
  return [
    ...listed,
    { file, line, column, path, code: 'more_problems', message, found: `at least ${left} more problems` },
  ];
}

/** Without `sourceOf`, the code frame is omitted. */
export function formatProblems(problems: readonly Problem[], sourceOf: (file: string) => string | undefined): string {
  return problems.map((problem) => formatProblem(problem, sourceOf(problem.file))).join('\n\n');
}

/** The same text wherever a scenario is rejected. */
export function formatFaulty(
  { problems, warnings }: { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] },
  sourceOf: (file: string) => string | undefined,
): string {
  if (warnings.length === 0) return formatProblems(problems, sourceOf);
  const head = `also, ${counted(warnings.length, 'warning')}`;
  return `${formatProblems(problems, sourceOf)}\n\n${head}\n\n${formatProblems(warnings, sourceOf)}`;
}

function formatProblem(problem: Problem, source: string | undefined): string {
  const lines = [`${problem.file}:${problem.line}:${problem.column}: ${problem.message}`];
  if (source !== undefined) lines.push(...codeFrame(source, problem.line, problem.column));
  const fact = (label: string, value: string | undefined) => {
    if (value !== undefined && value !== '') lines.push(`  ${label.padEnd(9)} ${value}`.replace(/ +\n/, '\n'));
  };
  fact('path:', problem.path);
  fact('found:', problem.found);
  fact('allowed:', problem.allowed);
  fact('meant:', problem.suggestion);
  fact('write:', written(problem.fixed, source?.split(/\r\n|\r|\n/)[problem.line - 1]));
  fact('for example:', problem.example);
  return lines.join('\n');
}

/**
 * Removes the indentation that the lines share. If the indentation itself was corrected, it stays, on a separate
 * line.
 */
function written(fixed: string | undefined, before: string | undefined): string | undefined {
  if (fixed === undefined) return undefined;
  const isIndent = indentOf(fixed) !== indentOf(before ?? fixed);
  if (isIndent) return `\n${fixed}`;
  const [first = '', ...more] = fixed.split('\n');
  const indent = /^\s*/.exec(first)?.[0].length ?? 0;
  return [first.trimStart(), ...more.map((line) => `            ${line.slice(indent)}`)].join('\n').trimEnd();
}

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';

/** Longer lines are truncated around the column, so that one huge line does not fill the terminal. */
const FRAME_WIDTH = 160;
/** Characters shown before a column that is further right than the frame. */
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

/** `scenarios/flaky-api.yaml` → `flaky-api`. */
export function nameOf(file: string): string {
  const last = file.split(/[\\/]/).pop() ?? file;
  const name = last.replace(/\.(?:ya?ml|json)$/i, '').replace(/[^\w-]/g, '-');
  return name === '' ? 'scenario' : name;
}
