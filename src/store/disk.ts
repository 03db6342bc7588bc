/**
 * The file system as the store uses it. Its operations are passed in, so that a test can fill the disk, break it or stop it
 * between two steps.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SystemClock } from '../time/system-clock.js';
import { lockDirectory, type Unlock } from './lock.js';

/** A file that is open for writing, at its end. */
export type DiskFile = Pick<FileHandle, 'appendFile' | 'datasync' | 'truncate' | 'close'>;

export interface Disk {
  /** @param flags `w` for an empty file, `a` to append */
  open(path: string, flags: 'w' | 'a'): Promise<DiskFile>;
  /** Returns the bytes of a file; with `limit`, at most that many from its start. */
  read(path: string, limit?: number): Promise<Buffer>;
  size(path: string): Promise<number>;
  /** Returns the names of what is in a directory, without directories. */
  list(path: string): Promise<string[]>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes a directory and its content, if it exists. */
  removeTree(path: string): Promise<void>;
  /** Creates a directory and its parents; resolves when all their names are on the medium. */
  makeDirectory(path: string): Promise<void>;
  /** Resolves when names that were created or removed in the directory are on the medium. */
  syncDirectory(path: string): Promise<void>;
  /** Locks a directory for this process. @throws DirectoryInUseError */
  lock(path: string, host: SystemClock): Promise<Unlock>;
}

/** The file system of the machine. */
export const machineDisk: Disk = {
  open: (path, flags) => open(path, flags, 0o600),
  read: (path, limit) =>
    withFile(path, async (file) => {
      if (limit === undefined) return file.readFile();
      const { bytesRead, buffer } = await file.read(Buffer.alloc(limit), 0, limit, 0);
      return buffer.subarray(0, bytesRead);
    }),
  size: async (path) => (await stat(path)).size,
  list: async (path) => {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  },
  rename,
  unlink,
  removeTree: (path) => rm(path, { recursive: true, force: true }),
  makeDirectory,
  syncDirectory: async (path) => {
    // Windows cannot open a directory; its file system logs changes of names itself.
    if (process.platform !== 'win32') await withFile(path, (directory) => directory.sync());
  },
  lock: lockDirectory,
};

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Node's recursive option never returns if a parent exists and nothing can be created in it (`/proc`). */
async function makeDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent);
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have created it meanwhile.
    if (!(await isDirectory(path))) throw error;
  });
  await machineDisk.syncDirectory(parent).catch((error: unknown) => {
    // In a directory that may not be listed, the system decides when names are on the medium.
    if (errorCode(error) !== 'EACCES') throw error;
  });
}

async function isDirectory(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path)))?.isDirectory() ?? false;
}

/**
 * Replaces a file as a whole: a crash leaves the previous file or the new one. Returns the size in bytes.
 * @throws the error of the disk; the previous file is then unchanged
 */
export async function writeAtomically(
  disk: Disk,
  dir: string,
  fileName: string,
  texts: readonly string[],
): Promise<number> {
  const unfinished = join(dir, `${fileName}.tmp`);
  let size = 0;
  try {
    const file = await disk.open(unfinished, 'w');
    try {
      for (const text of texts) {
        const bytes = Buffer.from(text);
        await file.appendFile(bytes);
        size += bytes.byteLength;
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

/** Returns the system's code of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the result of `work`, or undefined if the file is missing. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A name that every file system accepts: in lower case, and not that of a device of Windows. */
const safeName = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\da-z_~@+=-](?:[\da-z_~@+=.-]{0,98}[\da-z_~@+=-])?$/;

/**
 * Returns the file name for a key or the name of a snapshot, without its extension: itself, or what a person recognises of it
 * and a hash. No file name leaves its directory, or equals another one on a file system that ignores case.
 */
export function fileNameOf(key: string): string {
  if (safeName.test(key)) return key;
  const shown = key
    .toLowerCase()
    .replace(/[^\da-z_~@+=-]+/g, '-')
    .slice(0, 100);
  return `${shown}%${createHash('sha256').update(Buffer.from(key, 'utf16le')).digest('hex').slice(0, 16)}`;
}
