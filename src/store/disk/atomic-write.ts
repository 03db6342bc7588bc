import { join } from 'node:path';
import type { Disk } from './disk.js';

/** Bytes in slices, as they are made. */
export type Slices = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * Replaces a file as a whole: a crash leaves the previous file or the new one. Returns the size in bytes.
 * @throws the error of the disk; the previous file is then unchanged
 */
export async function writeAtomically(disk: Disk, dir: string, fileName: string, slices: Slices): Promise<number> {
  const unfinished = join(dir, `${fileName}.tmp`);
  let size = 0;
  try {
    const file = await disk.open(unfinished, 'w');
    try {
      for await (const slice of slices) {
        await file.appendFile(slice);
        size += slice.byteLength;
      }
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await disk.unlink(unfinished).catch(() => undefined);
    throw error;
  }
  await disk.rename(unfinished, join(dir, fileName));
  await disk.syncDirectory(dir);
  return size;
}
