/** Snapshots of each account by name, as JSON texts; an account keeps the newest ones. */
import { join } from 'node:path';
import { ServiceError } from '../domain/errors.js';
import { maxSnapshots } from '../domain/limits.js';
import { type Disk, errorText, fileNameOf, unlessMissing, writeAtomically } from './disk.js';

export interface SnapshotInfo {
  readonly name: string;
  readonly seq: number;
  readonly takenAtMs: number;
  readonly bytes: number;
}

export interface SnapshotShelf {
  /** Stores or replaces a snapshot; the oldest one beyond the limit goes. */
  put(key: string, name: string, takenAtMs: number, text: string): Promise<SnapshotInfo>;
  /** Returns the text of a snapshot; null if there is none. */
  get(key: string, name: string): Promise<string | null>;
  /** In the order in which they were taken. */
  list(key: string): Promise<SnapshotInfo[]>;
  remove(key: string, name: string): Promise<boolean>;
  /** Removes all snapshots of an account. */
  forget(key: string): Promise<void>;
}

/** Snapshots in the memory of the process, for a sandbox without a data directory. */
export function memoryShelf(): SnapshotShelf {
  const shelves = new Map<string, Map<string, { readonly info: SnapshotInfo; readonly text: string }>>();
  let seq = 0;
  return {
    put: (key, name, takenAtMs, text) => {
      const shelf = shelves.get(key) ?? new Map<string, { info: SnapshotInfo; text: string }>();
      shelves.set(key, shelf);
      // Removed first, so that the latest snapshot is the last one.
      shelf.delete(name);
      const info = { name, seq: (seq += 1), takenAtMs, bytes: Buffer.byteLength(text) };
      shelf.set(name, { info, text });
      const [oldest] = shelf.size > maxSnapshots ? shelf.keys() : [];
      if (oldest !== undefined) shelf.delete(oldest);
      return Promise.resolve(info);
    },
    get: (key, name) => Promise.resolve(shelves.get(key)?.get(name)?.text ?? null),
    list: (key) => Promise.resolve(Array.from(shelves.get(key)?.values() ?? [], ({ info }) => info)),
    remove: (key, name) => Promise.resolve(shelves.get(key)?.delete(name) ?? false),
    forget: (key) => {
      shelves.delete(key);
      return Promise.resolve();
    },
  };
}

interface Found extends SnapshotInfo {
  readonly fileName: string;
}

/** A snapshot begins with its name and its time: this is longer than both. */
const headBytes = 4096;

export class SnapshotFiles implements SnapshotShelf {
  readonly #root: string;
  /** One at a time: two saves of one name would share their unfinished file. */
  readonly #queue = new WorkQueue();

  constructor(
    private readonly disk: Disk,
    dir: string,
  ) {
    this.#root = join(dir, 'snapshots');
  }

  /** @throws ServiceError `store_unavailable` after a disk error; the previous snapshot is then unchanged */
  put(key: string, name: string, takenAtMs: number, text: string): Promise<SnapshotInfo> {
    return this.#writing(`The snapshot "${name}" could not be written`, async () => {
      const dir = this.#dir(key);
      await this.disk.makeDirectory(dir);
      const found = await this.#find(key);
      const seq = (found.at(-1)?.seq ?? 0) + 1;
      const bytes = await writeAtomically(this.disk, dir, `${seq}.${fileNameOf(name)}.json`, [Buffer.from(text)]);
      const others = found.filter((one) => one.name !== name);
      const gone = [
        ...found.filter((one) => one.name === name),
        ...others.slice(0, Math.max(0, others.length + 1 - maxSnapshots)),
      ];
      for (const { fileName } of gone) await unlessMissing(this.disk.unlink(join(dir, fileName)));
      return { name, seq, takenAtMs, bytes };
    });
  }

  get(key: string, name: string): Promise<string | null> {
    return this.#queue.run(async () => {
      const found = (await this.#find(key)).findLast((one) => one.name === name);
      return found ? (await this.disk.read(join(this.#dir(key), found.fileName))).toString('utf8') : null;
    });
  }

  list(key: string): Promise<SnapshotInfo[]> {
    return this.#queue.run(async () =>
      (await this.#find(key)).map(({ name, seq, takenAtMs, bytes }) => ({ name, seq, takenAtMs, bytes })),
    );
  }

  remove(key: string, name: string): Promise<boolean> {
    return this.#writing(`The snapshot "${name}" could not be removed`, async () => {
      const found = (await this.#find(key)).filter((one) => one.name === name);
      for (const { fileName } of found) await unlessMissing(this.disk.unlink(join(this.#dir(key), fileName)));
      return found.length > 0;
    });
  }

  forget(key: string): Promise<void> {
    return this.#queue.run(() => this.disk.removeTree(this.#dir(key)));
  }

  /** Resolves when nothing is being read or written. */
  settled(): Promise<void> {
    return this.#queue.ended();
  }

  #writing<T>(what: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work).catch((cause: unknown) => {
      const text = `${what}: ${errorText(cause)}. Free disk space or repair the disk.`;
      throw new ServiceError('store_unavailable', text, { cause });
    });
  }

  #dir(key: string): string {
    return join(this.#root, fileNameOf(key));
  }

  /** Returns the snapshots of an account by number. A file that does not say its name has that of the file. */
  async #find(key: string): Promise<Found[]> {
    const dir = this.#dir(key);
    const found: Found[] = [];
    for (const fileName of (await unlessMissing(this.disk.list(dir))) ?? []) {
      const [, seq, fallback = ''] = /^([1-9]\d{0,14})\.(.+)\.json$/.exec(fileName) ?? [];
      if (seq === undefined) continue;
      const { name = fallback, takenAtMs } = headOf(await this.disk.read(join(dir, fileName), headBytes));
      found.push({ name, seq: Number(seq), takenAtMs, bytes: await this.disk.size(join(dir, fileName)), fileName });
    }
    return found.sort((a, b) => a.seq - b.seq);
  }
}

/** Reads name and time at the beginning of a snapshot; of a damaged one, there is no more than its file name. */
function headOf(bytes: Buffer): { readonly name?: string; readonly takenAtMs: number } {
  try {
    const [head = ''] = bytes.toString('utf8').split(',"state":', 1);
    const { name, taken_at } = JSON.parse(`${head}}`) as { name: string; taken_at: string };
    const takenAtMs = Date.parse(taken_at);
    return { name, takenAtMs: Number.isNaN(takenAtMs) ? 0 : takenAtMs };
  } catch {
    return { takenAtMs: 0 };
  }
}

/** Runs pieces of work one after the other. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything before it has ended, and returns its result. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all work queued so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
