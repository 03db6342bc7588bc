import { dirname, basename } from 'node:path';
import { DirectoryInUseError } from '../../src/store/lock.js';
import type { Disk, DiskFile } from '../../src/store/disk.js';

interface File {
  /** What a reader sees, and what remains after a power failure. */
  bytes: Buffer;
  durable: Buffer;
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/**
 * A disk in memory that separates the content of the medium from what the system shows, and that can be made to fail.
 * Bytes reach the medium with `datasync`, names with `syncDirectory`; `survivor` is the content after a power failure.
 */
export class CrashDisk implements Disk {
  partBytes = 1024 * 1024;
  #files = new Map<string, File>();
  #durableNames = new Map<string, File>();
  openFiles = 0;
  /** Called before each change; an exception makes the change fail. A failing write may have written a part. */
  before: (operation: string, path: string) => void = () => undefined;
  /** Operations on files whose path contains this word take a few more turns of the event loop. */
  slow = '-';
  /** Number of bytes that the next failing write still writes. */
  partial = 0;
  operations = 0;
  /** Open directories. */
  readonly locks = new Set<string>();

  /** @param luck the share of unsynced bytes and names that reached the medium, from 0 to 1 */
  survivor(luck: number): CrashDisk {
    const disk = new CrashDisk();
    const names = luck > 0.5 ? this.#files : this.#durableNames;
    for (const [path, file] of names) {
      const kept = Math.max(file.durable.length, Math.floor(file.bytes.length * luck));
      const whole = file.bytes.length >= file.durable.length ? file.bytes : file.durable;
      const bytes = Buffer.from(whole.subarray(0, kept));
      disk.#files.set(path, { bytes, durable: bytes });
    }
    disk.#durableNames = new Map(disk.#files);
    return disk;
  }

  get names(): string[] {
    return [...this.#files.keys()].map((path) => basename(path)).sort();
  }

  /** Returns the content of a file on the medium. */
  durable(path: string): string {
    return this.#at(path).durable.toString();
  }

  #step(operation: string, path: string): void {
    this.operations += 1;
    this.before(operation, path);
  }

  #at(path: string): File {
    const file = this.#files.get(path);
    if (!file) throw failure('ENOENT', path);
    return file;
  }

  #pathOf(file: File): string {
    return [...this.#files].find(([, other]) => other === file)?.[0] ?? '(unnamed)';
  }

  async #wait(path: string): Promise<void> {
    const turns = path.includes(this.slow) ? 6 : 0;
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async open(path: string, flags: string): Promise<DiskFile> {
    await Promise.resolve();
    this.#step('open', path);
    let found = this.#files.get(path);
    if (!found) this.#files.set(path, (found = { bytes: Buffer.alloc(0), durable: Buffer.alloc(0) }));
    if (flags === 'w') found.bytes = Buffer.alloc(0);
    const file = found;
    this.openFiles += 1;
    return {
      appendFile: async (data) => {
        const bytes = Buffer.from(data);
        await this.#wait(this.#pathOf(file));
        let count = bytes.length;
        try {
          this.#step('write', this.#pathOf(file));
        } catch (error) {
          count = Math.min(this.partial, count);
          throw error;
        } finally {
          file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, count)]);
        }
      },
      datasync: async () => {
        const { bytes } = file;
        await this.#wait(this.#pathOf(file));
        this.#step('datasync', this.#pathOf(file));
        file.durable = bytes;
      },
      truncate: async (length = 0) => {
        await Promise.resolve();
        this.#step('truncate', this.#pathOf(file));
        file.bytes = Buffer.from(file.bytes.subarray(0, length));
        file.durable = Buffer.from(file.durable.subarray(0, length));
      },
      close: async () => {
        await Promise.resolve();
        this.openFiles -= 1;
      },
    };
  }

  async read(path: string, limit?: number): Promise<Buffer> {
    await Promise.resolve();
    return Buffer.from(this.#at(path).bytes.subarray(0, limit));
  }

  /** In small parts, so that lines and characters are cut. */
  async *parts(path: string): AsyncGenerator<Buffer, void> {
    const bytes = await this.read(path);
    for (let at = 0; at < bytes.length; at += 50) yield bytes.subarray(at, at + 50);
  }

  async size(path: string): Promise<number> {
    await Promise.resolve();
    return this.#at(path).bytes.length;
  }

  async list(dir: string): Promise<string[]> {
    await Promise.resolve();
    return [...this.#files.keys()].filter((path) => dirname(path) === dir).map((path) => basename(path));
  }

  async rename(from: string, to: string): Promise<void> {
    await Promise.resolve();
    this.#step('rename', from);
    this.#files.set(to, this.#at(from));
    this.#files.delete(from);
  }

  async unlink(path: string): Promise<void> {
    await Promise.resolve();
    this.#step('unlink', path);
    this.#at(path);
    this.#files.delete(path);
  }

  async removeTree(path: string): Promise<void> {
    await Promise.resolve();
    for (const name of this.#files.keys()) {
      if (!name.startsWith(`${path}/`)) continue;
      this.#step('unlink', name);
      this.#files.delete(name);
    }
  }

  async makeDirectory(): Promise<void> {
    await Promise.resolve();
  }

  async lock(dir: string): Promise<() => Promise<void>> {
    await Promise.resolve();
    if (this.locks.has(dir)) throw new DirectoryInUseError(dir);
    this.locks.add(dir);
    return () => {
      this.locks.delete(dir);
      return Promise.resolve();
    };
  }

  async syncDirectory(dir: string): Promise<void> {
    const names = new Map(this.#files);
    await Promise.resolve();
    this.#step('syncDirectory', dir);
    for (const path of this.#durableNames.keys()) {
      const isIn = dirname(path) === dir;
      // A directory that has been removed is no longer in this one.
      const isBelow =
        dirname(dirname(path)) === dir && ![...names.keys()].some((name) => dirname(name) === dirname(path));
      if ((isIn || isBelow) && !names.has(path)) this.#durableNames.delete(path);
    }
    for (const [path, file] of names) this.#durableNames.set(path, file);
  }
}
