/** Writes the output of a command to its streams: lines, JSON, colour. */
import { printable } from '../domain/printable.js';

/** The output of a command on stdout: lines for people, or the response itself for a script. */
export function print(asJson: boolean | undefined, answer: unknown, lines: readonly string[]): void {
  const text = asJson === true ? JSON.stringify(answer, null, 2) : lines.join('\n');
  process.stdout.write(`${printable(text)}\n`);
}

export function mayColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  const refused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return stream.isTTY === true && !refused && env['TERM'] !== 'dumb';
}
