/**
 * The text of a checkpoint: JSON that any tool reads, one record a line for people and for `diff`, the head on the first
 * line so that whose file it is can be told without reading it all (contract §7). A record at rest is an array: its id, its
 * number, and its text; what such texts name by number follows after the tables. A sum of all that ends it: a file that
 * nobody touched needs no second look.
 */
import { crc32 } from 'node:zlib';
import { type AccountData, type Meta, tableEntries } from '../tables/account-data.js';
import { accountFormat, currentVersion, type Head } from './file-version.js';
import { Settled } from '../tables/settled.js';
import { settledLine } from '../tables/settled-line.js';

/** A slice ends at whichever comes first: a few milliseconds of work in any case. */
const sliceRows = 1000;
const sliceChars = 128 * 1024;

/** Slices of a checkpoint as bytes, taken from the live account at the moment each is asked for. */
export function* checkpointBytes(head: Head, data: AccountData): Generator<Buffer> {
  let sum = 0;
  for (const text of slices(head, data)) {
    const bytes = Buffer.from(text);
    sum = crc32(bytes, sum);
    yield bytes;
  }
  yield Buffer.from(sumLine(sum));
}

/** The last line. */
export function sumLine(sum: number): string {
  return `"sum":"${sum.toString(16).padStart(8, '0')}"}\n`;
}

function* slices(head: Head, data: AccountData): Generator<string> {
  // Rows added later are whole in the log; leaving them out also gives the walk an end while rows keep coming.
  const last = data.meta.seq;
  let text = opening(head, data.meta);
  let rows = 0;
  const entries = tableEntries(data.tables);
  for (const [index, [name, table]] of entries.entries()) {
    text += `${JSON.stringify(name)}:[`;
    let separator = '\n';
    // Not by `seq`: a list of all rows, where none is kept yet, would have to be sorted in one go.
    for (const entry of table.entries()) {
      if (entry.seq > last) break;
      text += separator + (entry instanceof Settled ? settledLine(entry) : JSON.stringify(entry));
      separator = ',\n';
      if (++rows >= sliceRows || text.length >= sliceChars) {
        yield text;
        text = '';
        rows = 0;
      }
    }
    text += `${separator === '\n' ? '' : '\n'}]${index === entries.length - 1 ? '' : ','}\n`;
  }
  yield `${text}},\n"parts":${JSON.stringify(partsOf(data))},\n`;
}

function opening(head: Head, meta: Meta): string {
  const first = JSON.stringify({ format: accountFormat, version: currentVersion, key: head.key, log: head.log });
  return `${first.slice(0, -1)},\n"meta":${JSON.stringify(meta)},\n"tables":{\n`;
}

/** By table. After the rows: while they were written, more of them came to rest. */
function partsOf({ tables }: AccountData): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    tableEntries(tables).flatMap(([name, { parts }]) =>
      parts && parts.values.length > 0 ? [[name, parts.values]] : [],
    ),
  );
}
