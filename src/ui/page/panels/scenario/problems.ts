/** The problems that the sandbox reports for a text, by line, and corrections that a click can apply. */

import type { components } from '../../../../generated/control.js';

export type Problem = components['schemas']['ScenarioProblem'];

/** The file name of the editor's text in the positions of problems. */
export const editorFile = 'editor';

/** Returns the errors of an invalid scenario, with their positions; empty for any other rejection. */
export function problemsOf(error: { readonly code: string; readonly details: readonly object[] }): Problem[] {
  return error.code === 'scenario_invalid' ? (error.details as Problem[]) : [];
}

/** A problem in another file, which the text extends, has no line here. */
export function lineOf({ file, line }: Problem): number | null {
  return file === editorFile || file === 'request body' ? line : null;
}

export interface Correction {
  readonly label: string;
  /** Returns the corrected text. */
  readonly apply: (text: string) => string;
}

/** Returns null if only a person can decide what was meant. */
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

/** Returns the position in the text, in characters from its start. */
export function indexOf(text: string, line: number, column: number): number {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return Math.min(text.length, before + Math.max(0, Math.min(column - 1, lines[line - 1]?.length ?? 0)));
}
