/** Keeps files that cannot be used, under a name that nothing else uses. */
import { join } from 'node:path';
import { type Disk, writeFully } from './disk.js';
import { errorCode, unlessMissing } from './disk-errors.js';

/**
 * Gives a file the second name `<file>.set-aside-N`, N the first free number, and says that name. The first name stays
 * until what replaces it is on disk, so that a crash in between loses nothing; see `setAside` for both at once.
 */
export async function keepAside(disk: Disk, dir: string, fileName: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const kept = `${fileName}.set-aside-${String(n)}`;
    try {
      await disk.link(join(dir, fileName), join(dir, kept));
      return kept;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST') continue;
      if (code === undefined || !noLinks.has(code)) throw error;
      if (await copied(disk, join(dir, fileName), join(dir, kept))) return kept;
    }
  }
}

/** Moves a file to `<file>.set-aside-N` and says that name. */
export async function setAside(disk: Disk, dir: string, fileName: string): Promise<string> {
  const kept = await keepAside(disk, dir, fileName);
  await unlessMissing(disk.unlink(join(dir, fileName)));
  await disk.syncDirectory(dir);
  return kept;
}

/** What file systems without hard links answer (shared folders of virtual machines, FAT). */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/** Copies to a name that must be free; false when it is taken. */
async function copied(disk: Disk, from: string, to: string): Promise<boolean> {
  let file: number;
  try {
    file = await disk.open(to, 'wx');
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    const bytes = await disk.read(from);
    await writeFully(disk, file, bytes, 0);
    await disk.datasync(file);
  } finally {
    await disk.close(file);
  }
  return true;
}
