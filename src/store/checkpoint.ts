/**
 * Writing an account down whole, while it goes on changing (contract §7: a write's cost does not grow with what is stored).
 *
 * Rows are taken in slices, each as it is at its moment; what changes between the first slice and the last is in the log
 * that was begun before the first, and replaying it over the mixture gives the true state, because every line of a log can
 * be said again. The one condition: that log must be on disk up to the last slice before the checkpoint takes its name.
 */
import { join } from 'node:path';
import type { HostTime } from '../time/host.js';
import { type AccountData, tableEntries } from './account-data.js';
import { closing, opening } from './checkpoint-file.js';
import { type Disk, unlessMissing, writeFully } from './disk.js';
import type { Head } from './file-version.js';

/** A slice ends at whichever comes first: a few milliseconds of work in any case. */
const sliceRows = 2000;
const sliceChars = 256 * 1024;

export interface CheckpointJob {
  readonly disk: Disk;
  readonly host: HostTime;
  readonly dir: string;
  readonly fileName: string;
  readonly head: Head;
  readonly data: AccountData;
  /** Whether the checkpoint has become useless; asked between slices. */
  readonly overtaken: () => boolean;
  /** Resolves when everything logged so far is on disk. */
  readonly logged: () => Promise<void>;
}

/** Pieces of a checkpoint's text, taken from the live account at the moment each is asked for. */
export function* checkpointText(head: Head, data: AccountData): Generator<string> {
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
  yield text + closing;
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
  for (const text of checkpointText(job.head, job.data)) {
    const bytes = Buffer.from(text);
    await writeFully(job.disk, file, bytes, size);
    size += bytes.byteLength;
    await new Promise<void>((resolve) => job.host.defer(resolve));
    if (job.overtaken()) return null;
  }
  return size;
}
