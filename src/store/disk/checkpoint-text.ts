/**
 * The text of a checkpoint: JSON that any tool reads, one record a line for people and for `diff`, the head on the first
 * line so that whose file it is can be told without reading it all (contract §7). A
 * checksum ends it: a file that nobody has edited needs no check of its records.
 */
import { crc32 } from 'node:zlib';
import { type AccountData, type Meta, tableEntries } from '../tables/account-data.js';
import { accountFormat, currentVersion, type Head } from './file-version.js';

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
    for (const row of table.rows()) {
      if (row.seq > last) break;
      text += separator + JSON.stringify(row);
      separator = ',\n';
      if (++rows >= sliceRows || text.length >= sliceChars) {
        yield text;
        text = '';
        rows = 0;
      }
    }
    text += `${separator === '\n' ? '' : '\n'}]${index === entries.length - 1 ? '' : ','}\n`;
  }
  yield `${text}},\n`;
}

function opening(head: Head, meta: Meta): string {
  const first = JSON.stringify({ format: accountFormat, version: currentVersion, key: head.key, log: head.log });
  return `${first.slice(0, -1)},\n"meta":${JSON.stringify(meta)},\n"tables":{\n`;
}
