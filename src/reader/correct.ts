/** Changes of the author's text are tried, and only a line that loads is shown. */
import { parseDocument, visit } from 'yaml';
import { printableLine } from '../domain/text.js';
import type { Edit, FoundProblem, Problem } from '../language/problems.js';

/** Longer lines are not corrected. */
const LONGEST = 400;
/** With more problems, none gets a corrected line, because each change costs another reading of the file. */
const MOST_CORRECTED = 20;
/** Characters that are read to try changes. */
const MOST_READ = 400_000;

interface Files {
  readonly textOf: (file: string) => string | undefined;
  readonly read: (file: string, text: string) => readonly FoundProblem[];
  /** Warnings: a line with another warning still loads. */
  readonly warnings?: boolean;
  readonly characters: number;
}

interface State {
  readonly text: string;
  readonly problems: readonly FoundProblem[];
  readonly first: number;
  readonly last: number;
}

/** If the correction of another problem solves a problem of the syntax, the latter is left out. */
export function withCorrections(
  problems: readonly FoundProblem[],
  { textOf, read, characters, warnings }: Files,
): Problem[] {
  if (problems.length > MOST_CORRECTED) return problems.map(({ edits: _edits, ...problem }) => problem);
  let left = MOST_READ;

  function solve(file: string, now: State): State {
    const within = now.problems.filter((one) => one.file === file && isWithin(one, now));
    for (const problem of within) {
      for (const { from, to, text: put } of problem.edits ?? []) {
        left -= characters;
        if (left < 0 || lineAt(now.text, from).length > LONGEST) return now;
        const text = now.text.slice(0, from) + put + now.text.slice(to);
        const after = { ...now, text, problems: read(file, text), last: now.last + linesOf(put).length - 1 };
        if (helps(problem, now, after)) return solve(file, after);
      }
    }
    return now;
  }

  const solved = new Map<string, State>();
  const fixes = problems.map(({ edits = [], file, line }) => {
    const text = textOf(file)?.replace(/\r(?!\n)/g, '\n');
    if (text === undefined || edits.length === 0) return undefined;
    const known = solved.get(`${line} ${file}`) ?? solve(file, { text, problems, first: line, last: line });
    solved.set(`${line} ${file}`, known);
    return known;
  });
  const isSolved = (problem: Problem, after: State | undefined) =>
    after !== undefined && after.problems !== problems && !after.problems.some((one) => isSame(one, problem));
  const isSettled = (problem: Problem, index: number) =>
    isSyntax(problem) &&
    fixes.some(
      (fix, by) => fix !== fixes[index] && (by < index || !isSolved(problem, fixes[index])) && isSolved(problem, fix),
    );
  return problems.flatMap(({ edits: _edits, ...problem }, index) => {
    const fix = fixes[index];
    if (isSettled(problem, index)) return [];
    if (fix === undefined || !isSolved(problem, fix)) return [problem];
    const lines = linesOf(fix.text).slice(fix.first - 1, fix.last);
    // A line that is still wrong, since another error of it has no correction, would not load. JSON on one line is a
    // whole file.
    const isWrong = (one: Problem) => one.file === problem.file && isWithin(one, fix);
    const isRight = warnings === true || linesOf(fix.text).length <= 2 || !fix.problems.some(isWrong);
    const isShown = isRight && lines.every((one) => one.length <= 2 * LONGEST && printableLine(one) === one);
    return [{ ...problem, ...(isShown && { fixed: lines.join('\n') }) }];
  });
}

/**
 * True if a change solves a problem and causes no other. Problems that a syntax error hid are not new; on the lines of
 * the correction, it must be something that can be corrected as well.
 */
function helps(problem: FoundProblem, before: State, after: State): boolean {
  const left = before.problems.filter((one) => one !== problem);
  const added = after.problems.filter((one) => {
    const index = left.findIndex((other) => isSame(one, other));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
  const isHidden = (one: FoundProblem) => !isSyntax(one) && !(isWithin(one, after) && one.edits === undefined);
  return added.every((one) => isSyntax(problem) && isHidden(one));
}

const isWithin = ({ line }: Problem, { first, last }: State) => line >= first && line <= last;

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

/** Undefined if the range is on several lines. */
export function replacement(whole: string, [start, stop]: readonly number[], text: string): Edit | undefined {
  const from = start ?? 0;
  const written = whole.slice(from, stop).trimEnd();
  if (/[\r\n]/.test(written)) return undefined;
  const before = whole.slice(lineStartOf(whole, from), from);
  const gap = written === '' && !/\s$/.test(before) && before !== '' ? ' ' : '';
  return { from, to: from + written.length, text: gap + text };
}

export function insertion(whole: string, range: readonly [number, number], entry: string): Edit | undefined {
  const [start, end] = range;
  const written = whole.slice(start, end);
  if (!written.startsWith('{')) {
    return lineStartOf(whole, start) === start ? { from: start, to: start, text: `${entry}\n` } : undefined;
  }
  const rest = written.slice(1).trimStart();
  return replacement(whole, range, `{ ${entry}${rest.startsWith('}') ? '' : ','} ${rest}`);
}

export function lineStartOf(whole: string, offset: number): number {
  return Math.max(whole.lastIndexOf('\n', offset - 1), whole.lastIndexOf('\r', offset - 1)) + 1;
}

const lineAt = (whole: string, offset: number) => linesOf(whole.slice(lineStartOf(whole, offset)))[0] ?? '';

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
