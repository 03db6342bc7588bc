/** A record at rest as a line of a checkpoint: `["ID",SEQ,` and the rest of its text, if there is more. */
import type { Line } from '../disk/lines.js';
import { Settled } from './settled.js';

const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const zero = 0x30;
const nine = 0x39;

/** The text of a record that is told by its id and number. */
const nothing = '[]';

export function settledLine({ id, seq, text }: Settled): string {
  return `[${JSON.stringify(id)},${String(seq)}${text === nothing ? ']' : `,${text.slice(1)}`}`;
}

/** The record of a line that we wrote, cut out of the bytes and not read. Writes into them: the text gets its bracket. */
export function settledAt(bytes: Buffer, { start, stop }: Line): Settled {
  const idEnd = bytes.indexOf(quote, start + 2);
  const id = bytes.toString('utf8', start + 2, idEnd);
  // An id that had to be escaped is none that we gave out.
  if (id.includes('\\')) return settledFrom(JSON.parse(bareText(bytes, start, stop)) as unknown[]);
  let seq = 0;
  let at = idEnd + 2;
  for (let byte = bytes[at] ?? 0; byte >= zero && byte <= nine; byte = bytes[++at] ?? 0) seq = seq * 10 + byte - zero;
  if (bytes[at] !== comma) return new Settled(id, seq, nothing);
  bytes[at] = openingBracket;
  return new Settled(id, seq, bareText(bytes, at, stop));
}

/** The record of an array that somebody may have changed: what is made of it must be judged. */
export function settledFrom([id, seq, ...rest]: readonly unknown[]): Settled {
  return new Settled(id as string, seq as number, JSON.stringify(rest));
}

function bareText(bytes: Buffer, start: number, stop: number): string {
  return bytes.toString('utf8', start, bytes[stop - 1] === comma ? stop - 1 : stop);
}
