/** One corrected line, made of the author's own. */
import { printableLine } from '../../domain/printable.js';

/** Longer lines are for machines, and nobody would read a corrected one. */
const LONGEST = 400;
/** Of what goes before a key on its line. */
const WIDEST_INDENT = 200;

/**
 * The line with `text` in place of what stands from the first of the offsets to the second.
 * @returns undefined when that is no single line, or a very long one
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
  return printableLine(`${before}${gap}${text}${rest}`);
}

/** A line of its own with `text`, as far from the left as what stands at the offset. */
export function lineBelow(whole: string, offset: number, text: string): string {
  return whole.slice(lineStartOf(whole, offset), offset).slice(0, WIDEST_INDENT).replace(/\S/g, ' ') + text;
}

function lineStartOf(whole: string, offset: number): number {
  return Math.max(whole.lastIndexOf('\n', offset - 1), whole.lastIndexOf('\r', offset - 1)) + 1;
}
