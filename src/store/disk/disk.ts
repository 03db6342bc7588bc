/**
 * The few things the store asks of a file system, each a promise. Handed in, so that a test can fill the disk, break it or
 * stop it between any two steps.
 */
import {
  close,
  fdatasync,
  fsync,
  ftruncate,
  mkdir,
  open,
  read,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  write,
} from 'node:fs';
import { link } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { lockDirectory, type Unlock } from './directory-lock.js';
import { errorCode } from './disk-errors.js';

export interface Disk {
  /** @param flags as of `open(2)` in Node's letters: `r+`, `w`, `wx` … */
  open(path: string, flags: string): Promise<number>;
  /** Writes some of `bytes` at `position` and says how many; fewer than given is no error. */
  write(file: number, bytes: Uint8Array, position: number): Promise<number>;
  /** Resolves when the bytes of the file, and its length, are on the medium. */
  datasync(file: number): Promise<void>;
  truncate(file: number, length: number): Promise<void>;
  close(file: number): Promise<void>;
  /** The bytes of a file; with `limit`, no more than so many from its start. */
  read(path: string, limit?: number): Promise<Buffer>;
  /** Names of the files and directories in `path`. */
  list(path: string): Promise<string[]>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; fails with `EEXIST` when `to` is there. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes a directory with what is in it; nothing there is no error. */
  removeTree(path: string): Promise<void>;
  /** With the directories above it, where there are none; resolves when the names of all that were made are on the medium. */
  makeDirectory(path: string): Promise<void>;
  isFile(path: string): Promise<boolean>;
  /** Resolves when names made or removed in the directory are on the medium. */
  syncDirectory(path: string): Promise<void>;
  /** Keeps a directory for this process. @throws DirectoryInUseError */
  lock(path: string): Promise<Unlock>;
}

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fsync);
const readPart = promisify(read);
const makeOne = promisify(mkdir);
const statOf = promisify(stat);
const removeAll = promisify(rm);

/** The machine's own file system. */
export const machineDisk: Disk = {
  open: (path, flags) => openFile(path, flags, 0o600),
  write: (file, bytes, position) =>
    new Promise((resolve, reject) => {
      write(file, bytes, 0, bytes.byteLength, position, (error, written) => {
        if (error) reject(error);
        else resolve(written);
      });
    }),
  datasync: promisify(fdatasync),
  truncate: promisify(ftruncate),
  close: closeFile,
  read: async (path, limit) => {
    if (limit === undefined) return promisify(readFile)(path);
    const file = await openFile(path, 'r');
    try {
      const { bytesRead, buffer } = await readPart(file, Buffer.alloc(limit), 0, limit, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await closeFile(file);
    }
  },
  list: (path) => promisify(readdir)(path),
  rename: promisify(rename),
  link,
  unlink: promisify(unlink),
  removeTree: (path) => removeAll(path, { recursive: true, force: true }),
  makeDirectory: makeWithParents,
  isFile: async (path) => (await statOf(path)).isFile(),
  syncDirectory,
  lock: lockDirectory,
};

async function syncDirectory(path: string): Promise<void> {
  // Windows knows no handle on a directory; its journal keeps names by itself.
  if (process.platform === 'win32') return;
  const directory = await openFile(path, 'r');
  try {
    await syncFile(directory);
  } finally {
    await closeFile(directory);
  }
}

/** Writes all of `bytes` from `position` on. */
export async function writeFully(disk: Disk, file: number, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    done += await disk.write(file, bytes.subarray(done), position + done);
  }
}

/** Node's own recursive way tries for ever where the system denies that a parent it shows can hold anything (`/proc`). */
async function makeWithParents(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    await makeOne(path, { mode: 0o700 });
    await syncDirectory(parent).catch(unlessForbidden);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isDirectory(path))) return;
    if (code !== 'ENOENT' || parent === path || (await isDirectory(parent))) throw error;
    await makeWithParents(parent);
    await makeWithParents(path);
  }
}

/** Where one may make names and not list them, it is left to the system when they are on the medium. */
function unlessForbidden(error: unknown): void {
  if (errorCode(error) !== 'EACCES') throw error;
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await statOf(path).catch(() => null);
  return found?.isDirectory() ?? false;
}
