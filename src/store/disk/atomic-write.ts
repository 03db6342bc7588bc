import { join } from 'node:path';
import { type Disk, writeFully } from './disk.js';

/** A text in pieces, as they come. */
export type Slices = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * Puts a file in its place at once: it is there whole, or what was there before still is. Says how many bytes it has.
 * @throws what the disk says
 */
export async function writeAtomically(disk: Disk, dir: string, fileName: string, slices: Slices): Promise<number> {
  const unfinished = join(dir, `${fileName}.tmp`);
  let size: number;
  try {
    size = await writeAll(disk, unfinished, slices);
  } catch (error) {
    await disk.unlink(unfinished).catch(() => undefined);
    throw error;
  }
  await disk.rename(unfinished, join(dir, fileName));
  await disk.syncDirectory(dir);
  return size;
}

async function writeAll(disk: Disk, path: string, slices: Slices): Promise<number> {
  const file = await disk.open(path, 'w');
  let size = 0;
  try {
    for await (const slice of slices) {
      await writeFully(disk, file, slice, size);
      size += slice.byteLength;
    }
    await disk.datasync(file);
  } finally {
    await disk.close(file);
  }
  return size;
}
