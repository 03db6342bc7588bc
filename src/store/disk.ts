/**
 * The file system operations of the store. They are passed in, so that a test can fill the disk, break it or stop it
 * between two steps.
 */
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SystemClock } from '../time/system-clock.js';
import { lockDirectory, type Unlock } from './directory-lock.js';
import { errorCode } from './disk-errors.js';

/** A file that is open for writing, at its end. */
export type DiskFile = Pick<FileHandle, 'appendFile' | 'datasync' | 'truncate' | 'close'>;

export interface Disk {
  /** @param flags `w` for an empty file, `a` to append, `r+` to truncate */
  open(path: string, flags: string): Promise<DiskFile>;
  /** Returns the bytes of a file; with `limit`, at most that many from its start. */
  read(path: string, limit?: number): Promise<Buffer>;
  size(path: string): Promise<number>;
  /** Returns the names of the files and directories in `path`. */
  list(path: string): Promise<string[]>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes a directory and its content, if it exists. */
  removeTree(path: string): Promise<void>;
  /** Creates a directory and its parents; resolves when all their names are on the medium. */
  makeDirectory(path: string): Promise<void>;
  isFile(path: string): Promise<boolean>;
  /** Resolves when names that were created or removed in the directory are on the medium. */
  syncDirectory(path: string): Promise<void>;
  /** Locks a directory for this process. @throws DirectoryInUseError */
  lock(path: string, host: SystemClock): Promise<Unlock>;
}

/** The file system of the machine. */
export const machineDisk: Disk = {
  open: (path, flags) => open(path, flags, 0o600),
  read: (path, limit) => (limit === undefined ? readFile(path) : readStart(path, limit)),
  size: async (path) => (await stat(path)).size,
  list: (path) => readdir(path),
  rename,
  unlink,
  removeTree: (path) => rm(path, { recursive: true, force: true }),
  makeDirectory,
  isFile: async (path) => (await stat(path)).isFile(),
  syncDirectory: async (path) => {
    // Windows cannot open a directory; its file system logs changes of names itself.
    if (process.platform !== 'win32') await withFile(path, 'r', (directory) => directory.sync());
  },
  lock: lockDirectory,
};

async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

function readStart(path: string, limit: number): Promise<Buffer> {
  return withFile(path, 'r', async (file) => {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(limit), 0, limit, 0);
    return buffer.subarray(0, bytesRead);
  });
}

/** Node's recursive option never returns if a parent exists and nothing can be created in it (`/proc`). */
async function makeDirectory(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    await mkdir(path, { mode: 0o700 });
    await machineDisk.syncDirectory(parent).catch(unlessForbidden);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && (await isDirectory(path))) return;
    if (code !== 'ENOENT' || parent === path || (await isDirectory(parent))) throw error;
    await makeDirectory(parent);
    await makeDirectory(path);
  }
}

/** In a directory that may not be listed, the system decides when names are on the medium. */
function unlessForbidden(error: unknown): void {
  if (errorCode(error) !== 'EACCES') throw error;
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

/**
 * Replaces a file as a whole: a crash leaves the previous file or the new one. Returns the size in bytes.
 * @throws the error of the disk; the previous file is then unchanged
 */
export async function writeAtomically(
  disk: Disk,
  dir: string,
  fileName: string,
  chunks: readonly Buffer[],
): Promise<number> {
  const unfinished = join(dir, `${fileName}.tmp`);
  let size = 0;
  try {
    const file = await disk.open(unfinished, 'w');
    try {
      for (const chunk of chunks) {
        await file.appendFile(chunk);
        size += chunk.byteLength;
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
