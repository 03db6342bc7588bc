/**
 * Writing an account down whole, while it goes on changing (contract §7: a write's cost does not grow with what is stored).
 *
 * Rows are taken in slices, each as it is at its moment; what changes between the first slice and the last is in the log
 * that was begun before the first, and replaying it over the mixture gives the true state, because every line of a log can
 * be said again. The one condition: that log must be on disk up to the last slice before the checkpoint takes its name.
 */
import { join } from 'node:path';
import type { SystemClock } from '../../time/system-clock.js';
import type { AccountData } from '../tables/account-data.js';
import { checkpointBytes } from './checkpoint-text.js';
import { type Disk, writeFully } from './disk.js';
import { unlessMissing } from './disk-errors.js';
import type { Head } from './file-version.js';

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
