/**
 * Writes an account down whole while it goes on changing: JSON that any tool reads, one record a line, the head on the first
 * line. A checksum ends it, so that a file that nobody has edited needs no check of its records.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { SystemClock } from '../../time/system-clock.js';
import { type AccountData, type Meta, tableEntries } from '../tables/account-data.js';
import { type Disk, writeFully } from './disk.js';
import { unlessMissing } from './disk-errors.js';
import { accountFormat, currentVersion, type Head } from './file-version.js';

export interface CheckpointJob {
  readonly disk: Disk;
  readonly host: SystemClock;
  readonly dir: string;
  readonly fileName: string;
  readonly head: Head;
  readonly data: AccountData;
  /** Whether the checkpoint has become useless; asked between slices. */
  readonly overtaken: () => boolean;
  /** Resolves when everything logged so far is on disk. */
  readonly logged: () => Promise<void>;
}

/**
 * Writes the checkpoint beside its place and moves it there; returns its bytes, or null when it was overtaken.
 * @throws what the disk says; the place then holds what it held before
 */
export async function writeCheckpoint(job: CheckpointJob): Promise<number | null> {
  const { disk, dir, fileName } = job;
  const unfinished = join(dir, `${fileName}.tmp`);
  try {
    const size = await writeUnfinished(job, unfinished);
    if (size !== null) await job.logged();
    if (size !== null && !job.overtaken()) {
      await disk.rename(unfinished, join(dir, fileName));
      await disk.syncDirectory(dir);
      return size;
    }
  } catch (error) {
    await disk.unlink(unfinished).catch(() => undefined);
    throw error;
  }
  await unlessMissing(disk.unlink(unfinished));
  return null;
}

async function writeUnfinished(job: CheckpointJob, path: string): Promise<number | null> {
  const file = await job.disk.open(path, 'w');
  try {
    const size = await writeSlices(job, file);
    if (size !== null) await job.disk.datasync(file);
    return size;
  } finally {
    await job.disk.close(file);
  }
}

async function writeSlices(job: CheckpointJob, file: number): Promise<number | null> {
  let size = 0;
  for (const bytes of checkpointBytes(job.head, job.data)) {
    await writeFully(job.disk, file, bytes, size);
    size += bytes.byteLength;
    await new Promise<void>((resolve) => job.host.defer(resolve));
    if (job.overtaken()) return null;
  }
  return size;
}

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
