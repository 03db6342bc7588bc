/** Operations are passed in, so that a test can fill the disk, break it or stop it between two steps. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SystemClock } from '../time/system-clock.js';
import { lockDirectory, type Unlock } from './lock.js';

/** Calls are handled between the parts of a file, and to write out one of 1 MB took 10 to 50 ms. */
const partBytes = 256 * 1024;

export type DiskFile = Pick<FileHandle, 'appendFile' | 'datasync' | 'truncate' | 'close'>;

export interface Disk {
  /** Files are read and written in parts of about this many bytes, so that one may be larger than a string can be (512 MB). */
  readonly partBytes: number;
  /** @param flags `w` for an empty file, `a` to append */
  open(path: string, flags: 'w' | 'a'): Promise<DiskFile>;
  /** `limit` is the number of bytes from the start. */
  read(path: string, limit?: number): Promise<Buffer>;
  parts(path: string): AsyncIterable<Buffer>;
  size(path: string): Promise<number>;
  /** Only files. */
  list(path: string): Promise<string[]>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  removeTree(path: string): Promise<void>;
  /** Creates parents; resolves when all their names are on the medium. */
  makeDirectory(path: string): Promise<void>;
  /** Resolves when names that were created or removed in the directory are on the medium. */
  syncDirectory(path: string): Promise<void>;
  /** Locks a directory for this process. @throws DirectoryInUseError */
  lock(path: string, host: SystemClock): Promise<Unlock>;
}

export const machineDisk: Disk = {
  partBytes,
  open: (path, flags) => open(path, flags, 0o600),
  read: (path, limit) =>
    withFile(path, async (file) => {
      if (limit === undefined) return file.readFile();
      const { bytesRead, buffer } = await file.read(Buffer.alloc(limit), 0, limit, 0);
      return buffer.subarray(0, bytesRead);
    }),
  parts: (path) => createReadStream(path, { highWaterMark: partBytes }),
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
  parts: Iterable<Buffer>,
): Promise<number> {
  const size = await writeUnfinished(disk, dir, fileName, parts);
  await putInPlace(disk, dir, fileName);
  return size;
}

/** The size in bytes. Calls are handled between the parts. */
export async function writeUnfinished(
  disk: Disk,
  dir: string,
  fileName: string,
  parts: Iterable<Buffer>,
): Promise<number> {
  const path = join(dir, `${fileName}.tmp`);
  let size = 0;
  try {
    const file = await disk.open(path, 'w');
    try {
      for (const part of parts) {
        await file.appendFile(part);
        size += part.byteLength;
      }
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await disk.unlink(path).catch(() => undefined);
    throw error;
  }
  return size;
}

export async function putInPlace(disk: Disk, dir: string, fileName: string): Promise<void> {
  await disk.rename(join(dir, `${fileName}.tmp`), join(dir, fileName));
  await disk.syncDirectory(dir);
}

/** Joins texts to parts for a file. Outside V8's heap, so that the whole file never counts against its limit. */
export function* partsOf(disk: Disk, texts: Iterable<string>): Generator<Buffer, void> {
  let part = '';
  for (const text of texts) {
    part += text;
    if (part.length < disk.partBytes) continue;
    yield Buffer.from(part);
    part = '';
  }
  yield Buffer.from(part);
}

/** A line of a file, without its line feed. */
export interface Line {
  readonly text: string;
  /** Bytes, with the line feed. */
  readonly size: number;
  /** False for bytes at the end that no line feed follows. */
  readonly isWhole: boolean;
}

/** Yields the lines of a file, the lines of each part together. */
export async function* linesOf(disk: Disk, path: string): AsyncGenerator<Line[], void> {
  let rest: Buffer[] = [];
  for await (const part of disk.parts(path)) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10, from)) {
      const bytes = rest.length === 0 ? part.subarray(from, end) : Buffer.concat([...rest, part.subarray(from, end)]);
      lines.push({ text: bytes.toString('utf8'), size: bytes.length + 1, isWhole: true });
      rest = [];
      from = end + 1;
    }
    if (from < part.length) rest.push(part.subarray(from));
    yield lines;
  }
  const bytes = Buffer.concat(rest);
  if (bytes.length > 0) yield [{ text: bytes.toString('utf8'), size: bytes.length, isWhole: false }];
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A sentence without its full stop. */
export function diskAdvice(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) return 'This is an error of the sandbox, not of the disk: please report it';
  if (code === 'ENOENT') return 'Something removed files of the running sandbox: leave its data directory to it';
  return 'Free disk space or repair the disk';
}

/** Undefined if the file is missing. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A name that every file system accepts: in lower case, and not the name of a device of Windows. */
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
