/** Corrected lines: changes are tried on the author's text, and only a line that loads is shown. */
import { printableLine } from '../../domain/printable.js';
import type { Edit, FoundProblem, Problem } from '../schema/problems.js';

/** Longer lines are not corrected. */
const LONGEST = 400;

/** Returns the change that puts a text in place of another one; undefined if that is on several lines. */
export function replacement(whole: string, [start, stop]: readonly number[], text: string): Edit | undefined {
  const from = start ?? 0;
  const written = whole.slice(from, stop).trimEnd();
  if (/[\r\n]/.test(written)) return undefined;
  const before = whole.slice(lineStartOf(whole, from), from);
  const gap = written === '' && !/\s$/.test(before) && before !== '' ? ' ' : '';
  return { from, to: from + written.length, text: gap + text };
}

/** Returns the offset at which the line begins. */
export function lineStartOf(whole: string, offset: number): number {
  return Math.max(whole.lastIndexOf('\n', offset - 1), whole.lastIndexOf('\r', offset - 1)) + 1;
}

/** With more problems, none gets a corrected line, because each change costs another reading of the file. */
const MOST_CORRECTED = 20;
/** Characters that are read to try changes. */
const MOST_READ = 400_000;
/** Errors of one line. */
const MOST_TURNS = 9;

type Read = (file: string, text: string) => readonly FoundProblem[];

/**
 * Gives each problem its line with every error corrected that can be: the line solves the problem without causing another.
 * @param textOf the text of a file that a problem names
 * @param read returns all problems if a file has another text; `characters` is the length of all files
 */
export function withCorrections(
  problems: readonly FoundProblem[],
  textOf: (file: string) => string | undefined,
  { read, characters }: { read: Read; characters: number },
): Problem[] {
  let left = problems.length > MOST_CORRECTED ? 0 : MOST_READ;
  const readWithin: Read = (file, text) => {
    left -= characters;
    return read(file, text);
  };
  /** By file and line: the corrected line, and the problems that it leaves. */
  const lines = new Map<string, Corrected>();
  /** Problems that the correction of an earlier one solves too. */
  const settled = new Set<FoundProblem>();
  const corrected = problems.map((found): Problem => {
    const { edits = [], ...problem } = found;
    const text = textOf(found.file)?.replace(/\r(?!\n)/g, '\n');
    if (text === undefined || edits.length === 0 || settled.has(found)) return problem;
    const key = `${found.line} ${found.file}`;
    const known = lines.get(key) ?? correctedLine(text, found, problems, { read: readWithin, isOver: () => left < 0 });
    lines.set(key, known);
    const { line, remaining } = known;
    if (line === undefined || remaining.some((one) => isSame(one, found))) return problem;
    if (isSyntax(found)) {
      for (const one of problems) {
        if (one !== found && isSyntax(one) && !remaining.some((other) => isSame(other, one))) settled.add(one);
      }
    }
    return { ...problem, fixed: line };
  });
  return corrected.filter((_one, index) => !settled.has(problems[index] as FoundProblem));
}

interface Corrected {
  readonly line?: string;
  readonly remaining: readonly Problem[];
}

/** Applies the changes of one line, one after the other, while each of them leaves fewer problems. */
function correctedLine(
  text: string,
  { file, line }: Problem,
  problems: readonly FoundProblem[],
  { read, isOver }: { read: Read; isOver: () => boolean },
): Corrected {
  let now = { text, problems, last: line };
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const next = nextOf(now, file, line, read, isOver);
    if (next === undefined) break;
    now = next;
  }
  if (now.text === text) return { remaining: problems };
  const shown = linesOf(now.text)
    .slice(line - 1, now.last)
    .join('\n');
  const isShort = shown.length <= 2 * LONGEST && linesOf(shown).every((one) => printableLine(one) === one);
  return { remaining: now.problems, ...(isShort && { line: shown }) };
}

interface State {
  readonly text: string;
  readonly problems: readonly FoundProblem[];
  /** The last line of those that stand for the corrected one. */
  readonly last: number;
}

function nextOf(now: State, file: string, line: number, read: Read, isOver: () => boolean): State | undefined {
  /** A change after which only the syntax is right, and what it hid can be corrected, too. */
  let second: State | undefined;
  for (const problem of now.problems) {
    if (problem.file !== file || problem.line < line || problem.line > now.last) continue;
    for (const edit of problem.edits ?? []) {
      const width = /^[^\r\n]*/.exec(now.text.slice(lineStartOf(now.text, edit.from)))?.[0].length ?? 0;
      if (isOver() || width > LONGEST) return undefined;
      const text = now.text.slice(0, edit.from) + edit.text + now.text.slice(edit.to);
      const problems = read(file, text);
      const next = { text, problems, last: now.last + linesOf(edit.text).length - 1 };
      const added = newOnes(problem, now.problems, problems);
      if (added.length === 0) return next;
      if (!isSyntax(problem) || added.some(isSyntax)) continue;
      const here = added.filter((one) => one.file === file && one.line >= line && one.line <= next.last);
      if (here.length === 0) return next;
      if (here.every(({ edits = [] }) => edits.length > 0)) second ??= next;
    }
  }
  return second;
}

/** Returns the problems that a change adds; all of them if it does not solve the one that it should. */
function newOnes(
  problem: Problem,
  before: readonly Problem[],
  after: readonly FoundProblem[],
): readonly FoundProblem[] {
  const left = before.filter((one) => one !== problem);
  return after.filter((one) => {
    const index = left.findIndex((other) => isSame(one, other));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** A syntax error hides everything else in a document, so what comes to light without it is not new. */
function isSyntax({ path, code }: Problem): boolean {
  return path === '' && code.startsWith('yaml_');
}

function isSame(one: Problem, other: Problem): boolean {
  const isSameKind = one.file === other.file && one.code === other.code && one.path === other.path;
  return isSameKind && (!isSyntax(one) || one.line === other.line);
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
