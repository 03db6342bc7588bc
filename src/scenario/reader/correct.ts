/** Changes of the author's text. For a corrected line they are tried, and only a line that loads is shown. */
import { parseDocument, visit } from 'yaml';
import { printableLine } from '../../domain/text.js';
import type { Edit, FoundProblem, Problem } from '../schema/problems.js';

/** Longer lines are not corrected. */
const LONGEST = 400;
/** With more problems, none gets a corrected line, because each change costs another reading of the file. */
const MOST_CORRECTED = 20;
/** Characters that are read to try changes. */
const MOST_READ = 400_000;
/** Errors of one line. */
const MOST_TURNS = 9;

interface Files {
  /** Returns the text of a file that a problem names. */
  readonly textOf: (file: string) => string | undefined;
  /** Returns all problems if a file has another text. */
  readonly read: (file: string, text: string) => readonly FoundProblem[];
  /** The length of all files. */
  readonly characters: number;
}

/** A text with some changes. */
interface State {
  readonly text: string;
  readonly problems: readonly FoundProblem[];
  /** The last line of those that stand for the corrected one. */
  readonly last: number;
}

/**
 * Gives each problem its line with every error corrected that can be. A problem of the syntax that the correction of another
 * one solves is left out.
 */
export function withCorrections(problems: readonly FoundProblem[], { textOf, read, characters }: Files): Problem[] {
  let left = problems.length > MOST_CORRECTED ? 0 : MOST_READ;
  /** Returns the first change of these lines that solves a problem without causing another. */
  const next = (now: State, { file, line }: Problem): State | undefined => {
    const within = now.problems.filter((one) => one.file === file && one.line >= line && one.line <= now.last);
    for (const problem of within) {
      for (const { from, to, text: put } of problem.edits ?? []) {
        const width = now.text.slice(lineStartOf(now.text, from)).split(/[\r\n]/, 1)[0]?.length ?? 0;
        left -= characters;
        if (left < 0 || width > LONGEST) return undefined;
        const text = now.text.slice(0, from) + put + now.text.slice(to);
        const after = { text, problems: read(file, text), last: now.last + linesOf(put).length - 1 };
        const isShown = (one: FoundProblem) => one.line >= line && one.line <= after.last && one.edits === undefined;
        // What a syntax error hid is not new, and may be corrected, too.
        const isHidden = (one: FoundProblem) => isSyntax(problem) && !isSyntax(one) && !isShown(one);
        if (addedBy(problem, now.problems, after.problems).every(isHidden)) return after;
      }
    }
    return undefined;
  };
  const solved = new Map<string, State>();
  /** Returns the text after as many changes of the problem's line as help. */
  const solve = (problem: Problem, text: string): State => {
    const name = `${problem.line} ${problem.file}`;
    let now = solved.get(name);
    if (now !== undefined) return now;
    let then: State | undefined = { text, problems, last: problem.line };
    for (let turn = 0; then !== undefined && turn <= MOST_TURNS; turn += 1) {
      now = then;
      then = next(now, problem);
    }
    solved.set(name, now as State);
    return now as State;
  };
  const settled = new Set<Problem>();
  const corrected = problems.map(({ edits = [], ...problem }, index): Problem => {
    const text = textOf(problem.file)?.replace(/\r(?!\n)/g, '\n');
    if (text === undefined || edits.length === 0 || settled.has(problems[index] as Problem)) return problem;
    const now = solve(problem, text);
    if (now.text === text || now.problems.some((one) => isSame(one, problem))) return problem;
    for (const one of isSyntax(problem) ? problems.toSpliced(index, 1) : []) {
      if (isSyntax(one) && !now.problems.some((other) => isSame(other, one))) settled.add(one);
    }
    const lines = linesOf(now.text).slice(problem.line - 1, now.last);
    const isShown = lines.every((one) => one.length <= 2 * LONGEST && printableLine(one) === one);
    return { ...problem, ...(isShown && { fixed: lines.join('\n') }) };
  });
  return corrected.filter((_one, index) => !settled.has(problems[index] as Problem));
}

/** Returns the problems that a change adds; among them the one that it should solve, if it does not. */
function addedBy(
  problem: FoundProblem,
  before: readonly FoundProblem[],
  after: readonly FoundProblem[],
): readonly FoundProblem[] {
  const left = before.filter((one) => one !== problem);
  return after.filter((one) => {
    const index = left.findIndex((other) => isSame(one, other));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** A syntax error hides everything else in a document. */
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

/** Returns the change that puts a text in place of another one; undefined if that is on several lines. */
export function replacement(whole: string, [start, stop]: readonly number[], text: string): Edit | undefined {
  const from = start ?? 0;
  const written = whole.slice(from, stop).trimEnd();
  if (/[\r\n]/.test(written)) return undefined;
  const before = whole.slice(lineStartOf(whole, from), from);
  const gap = written === '' && !/\s$/.test(before) && before !== '' ? ' ' : '';
  return { from, to: from + written.length, text: gap + text };
}

/** Returns the change that adds an entry to a mapping: inside the braces, or on a separate line above. */
export function insertion(whole: string, range: readonly [number, number], entry: string): Edit | undefined {
  const [start, end] = range;
  const written = whole.slice(start, end);
  if (!written.startsWith('{')) {
    return lineStartOf(whole, start) === start ? { from: start, to: start, text: `${entry}\n` } : undefined;
  }
  const rest = written.slice(1).trimStart();
  return replacement(whole, range, `{ ${entry}${rest.startsWith('}') ? '' : ','} ${rest}`);
}

/** Returns the offset at which the line begins. */
export function lineStartOf(whole: string, offset: number): number {
  return Math.max(whole.lastIndexOf('\n', offset - 1), whole.lastIndexOf('\r', offset - 1)) + 1;
}

/** Returns a value, or `key: value` without braces, as JSON. */
export function asJson(fragment: string): string {
  const isEntry = /^[\w-]+: /.test(fragment);
  const document = parseDocument(isEntry ? `{ ${fragment} }` : fragment, { schema: 'core' });
  visit(document, {
    // `+12025550123` is a text.
    Scalar(_key, scalar) {
      if (typeof scalar.value === 'number' && String(scalar.value) !== scalar.source) scalar.value = scalar.source;
    },
  });
  const json = JSON.stringify(document.toJS(), null, 1).replace(/\n\s*/g, ' ');
  return isEntry ? json.slice(2, -2) : json;
}
