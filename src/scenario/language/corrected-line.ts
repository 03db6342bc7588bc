/** Corrected lines: candidates are made from the author's lines, and only those that load are shown. */
import { printableLine } from '../../domain/printable.js';
import type { Problem } from './problems.js';

/** Longer lines are not corrected. */
const LONGEST = 400;

/**
 * Returns the line with `text` in place of the characters between the offsets; undefined if they are on several lines or
 * the line is very long.
 */
export function replacedOnLine(whole: string, [start, stop]: readonly number[], text: string): string | undefined {
  const from = start ?? 0;
  const written = whole.slice(from, stop).trimEnd();
  if (/[\r\n]/.test(written)) return undefined;
  const end = from + written.length;
  const before = whole.slice(lineStartOf(whole, from), from);
  const rest = /^[^\r\n]*/.exec(whole.slice(end, end + LONGEST))?.[0] ?? '';
  if (before.length + rest.length > LONGEST) return undefined;
  const gap = from === end && !/\s$/.test(before) && before !== '' ? ' ' : '';
  const line = `${before}${gap}${text}${rest}`;
  return printableLine(line) === line ? line : undefined;
}

/** Returns the offset at which the line begins. */
export function lineStartOf(whole: string, offset: number): number {
  return Math.max(whole.lastIndexOf('\n', offset - 1), whole.lastIndexOf('\r', offset - 1)) + 1;
}

/** A problem before its corrected lines are tried. */
export interface FoundProblem extends Problem {
  /** Lines that may be meant, the likeliest first. */
  readonly candidates?: readonly string[];
}

/** With more problems, none gets a corrected line, because each candidate costs another reading of the file. */
const MOST_CORRECTED = 20;
/** Characters that are read to try candidates. */
const MOST_READ = 200_000;

/**
 * Gives each problem the first of its candidates that solves it without causing another.
 * @param textOf the text of a file that a problem names
 * @param read returns all problems if a file has another text; `characters` is the length of all files
 */
export function withCorrections(
  problems: readonly FoundProblem[],
  textOf: (file: string) => string | undefined,
  { read, characters }: { read: (file: string, text: string) => readonly Problem[]; characters: number },
): Problem[] {
  let left = problems.length > MOST_CORRECTED ? 0 : MOST_READ;
  /** Problems that the correction of an earlier one solves too. */
  const settled = new Set<Problem>();
  const corrected = problems.map((found) => {
    const { candidates = [], ...problem } = found;
    const text = textOf(problem.file);
    for (const candidate of candidates) {
      left -= characters;
      if (text === undefined || left < 0 || settled.has(found)) break;
      const gone = solvedBy(found, problems, read(problem.file, withLine(text, problem.line, candidate)));
      if (gone === undefined) continue;
      for (const one of gone) settled.add(one);
      return { ...problem, fixed: candidate };
    }
    return problem;
  });
  return corrected.filter((_one, index) => !settled.has(problems[index] as Problem));
}

/**
 * Returns the syntax errors that are solved together with another problem; undefined if that is not solved, or if there is
 * a new one. A syntax error hides all problems on later lines, so those are not new.
 */
function solvedBy(
  problem: Problem,
  before: readonly Problem[],
  after: readonly Problem[],
): readonly Problem[] | undefined {
  const left = before.filter((one) => one !== problem);
  const isSyntax = problem.path === '';
  const isNew = (one: Problem) => {
    const index = left.findIndex((other) => nameOf(other) === nameOf(one));
    if (index !== -1) left.splice(index, 1);
    return index === -1 && !(isSyntax && one.path !== '' && one.line !== problem.line);
  };
  if (after.some(isNew)) return undefined;
  return isSyntax ? left.filter(({ path, code }) => path === '' && code.startsWith('yaml_')) : [];
}

function nameOf({ file, code, path }: Problem): string {
  return `${file} ${code} ${path}`;
}

function withLine(text: string, line: number, candidate: string): string {
  const ends = [...text.matchAll(/\r\n|\r|\n/g)];
  const start = line === 1 ? 0 : (ends[line - 2]?.index ?? 0) + (ends[line - 2]?.[0].length ?? 0);
  return text.slice(0, start) + candidate + text.slice(ends[line - 1]?.index ?? text.length);
}
