/** Places in a text, and its correction. */

/** Returns the position in the text, in characters from its start. */
export function indexOf(text: string, line: number, column: number): number {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return Math.min(text.length, before + Math.max(0, Math.min(column - 1, lines[line - 1]?.length ?? 0)));
}

/** Replaces a line. */
export function withLine(text: string, line: number, fixed: string): string {
  const lines = text.split('\n');
  lines.splice(Math.min(line - 1, lines.length), 1, fixed);
  return lines.join('\n');
}
