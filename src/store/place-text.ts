import { join } from 'node:path';
import { type Disk, writeFully } from './disk.js';

/**
 * Puts a text in its place at once: it is there whole, or what was there before still is.
 * @throws what the disk says
 */
export async function placeText(disk: Disk, dir: string, fileName: string, text: string | Buffer): Promise<void> {
  const unfinished = join(dir, `${fileName}.tmp`);
  const file = await disk.open(unfinished, 'w');
  try {
    await writeFully(disk, file, typeof text === 'string' ? Buffer.from(text) : text, 0);
    await disk.datasync(file);
  } finally {
    await disk.close(file);
  }
  await disk.rename(unfinished, join(dir, fileName));
  await disk.syncDirectory(dir);
}
