/** What the sandbox finds wrong with a text, by line, and corrections that are plain enough to be made by a click. */

export interface Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly allowed?: string;
  readonly suggestion?: string;
  /** The line as it is right; two lines where a key is missing. */
  readonly fixed?: string;
}

/** The name by which the text in the editor is called in the places of problems. */
export const editorFile = 'editor';

/** The details of a refusal that have a place; empty for refusals of another kind. */
export function problemsOf(error: { readonly code: string; readonly details: readonly object[] }): Problem[] {
  return error.code === 'scenario_invalid' ? (error.details as Problem[]) : [];
}

/** Problems elsewhere, in a file that the text extends, have no line here. */
export function lineOf({ file, line }: Problem): number | null {
  return file === editorFile || file === 'request body' ? line : null;
}

export interface Correction {
  readonly label: string;
  /** The whole text, corrected. */
  readonly apply: (text: string) => string;
}

/** Null where it takes a person to know what was meant. */
export function correctionOf(problem: Problem): Correction | null {
  const { suggestion, fixed } = problem;
  const line = lineOf(problem);
  if (fixed === undefined || line === null) return null;
  return {
    label: `Write ${suggestion ?? fixed.split('\n')[0]?.trim() ?? ''}`,
    apply: (text) => withLine(text, line, (lines, at) => lines.splice(at, 1, fixed)),
  };
}

function withLine(text: string, line: number, change: (lines: string[], at: number) => void): string {
  const lines = text.split('\n');
  change(lines, Math.min(line - 1, lines.length));
  return lines.join('\n');
}

/** Where a place is in the text, in characters from its start. */
export function indexOf(text: string, line: number, column: number): number {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return Math.min(text.length, before + Math.max(0, Math.min(column - 1, lines[line - 1]?.length ?? 0)));
}
