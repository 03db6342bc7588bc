/**
 * The file system operations of the store, its errors and its file names. The operations are passed in, so that a test can
 * fill the disk, break it or stop it between two steps.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ServiceError } from '../domain/errors.js';
import type { SystemClock } from '../time/system-clock.js';
import { lockDirectory, type Unlock } from './lock.js';

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

/** A path that cannot be used as the data directory; reported as an invalid setting. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/**
 * The file name of an account: a person should recognise the key. No file name may leave the directory, equal another one
 * on a file system that ignores case, or be reserved by an operating system. The key itself is in the file.
 */

/** Leaves room for every extension within the 255 bytes that file systems allow. */
const longest = 120;
const safe = /^[A-Za-z0-9_~@+=-]$/;
/** Windows reserves these names for devices, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Returns the file name for a key or a snapshot name, without its extension. Safe characters stay, others become `%xx`
 * byte by byte. If two keys could still have the same name (capitals, length, broken Unicode), `%-` and a hash follow;
 * an escape never contains `%-`.
 */
export function fileNameOf(key: string): string {
  const bytes = Buffer.from(key, 'utf8');
  let name = '';
  for (const char of bytes.toString('utf8')) {
    name += safe.test(char) || (char === '.' && name !== '') ? char : escaped(char);
  }
  // Windows removes a dot at the end of a folder's name.
  if (name.endsWith('.')) name = name.slice(0, -1) + escaped('.');
  if (reserved.test(name)) name = escaped(name.charAt(0)) + name.slice(1);
  const broken = bytes.toString('utf8') !== key;
  if (!broken && name !== '' && name.length <= longest && name === name.toLowerCase()) return name;
  return `${name.slice(0, longest).replace(/%[\da-f]?$/, '')}%-${hash(key)}`;
}

export function accountFileName(name: string): string {
  return `${name}.json`;
}

export function journalName(name: string): string {
  return `${name}.journal`;
}

function escaped(text: string): string {
  return Array.from(Buffer.from(text, 'utf8'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function hash(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'utf16le')).digest('hex').slice(0, 16);
}

/** The store tries to write again every second. */
const retryHeaders = { 'Retry-After': '1' };

/** Returns the error of a call that would change something while the disk is not writable. */
export function notWritable(reason: string): ServiceError {
  const advice = 'Nothing was changed. Free disk space or repair the disk, then send the call again. Reads still work.';
  return new ServiceError('store_unavailable', `${reason}. ${advice}`, { headers: retryHeaders });
}

/** Throws the error of a call whose change is in memory and could not be written. */
export function unwritten(error: unknown): never {
  const message = `The change of this call is not on disk: ${errorText(error)}`;
  throw new ServiceError('store_unavailable', message, { cause: error, headers: retryHeaders });
}
