/** An account keeps its newest snapshots. */
import { join } from 'node:path';
import pLimit from 'p-limit';
import { ServiceError } from '../domain/errors.js';
import { maxSnapshotMemory, maxSnapshots } from '../domain/limits.js';
import { type Disk, diskAdvice, errorText, fileNameOf, unlessMissing, writeAtomically } from './disk.js';

export interface SnapshotInfo {
  readonly name: string;
  readonly seq: number;
  readonly takenAtMs: number;
  readonly bytes: number;
}

export interface SnapshotShelf {
  /** The oldest snapshot beyond the limit goes. */
  put(key: string, name: string, takenAtMs: number, text: string): Promise<SnapshotInfo>;
  get(key: string, name: string): Promise<string | null>;
  /** The oldest first. */
  list(key: string): Promise<SnapshotInfo[]>;
  remove(key: string, name: string): Promise<boolean>;
  forget(key: string): Promise<void>;
}

export function memoryShelf(): SnapshotShelf {
  const shelves = new Map<string, Map<string, { readonly info: SnapshotInfo; readonly text: string }>>();
  let seq = 0;
  const requireRoom = (key: string, name: string, bytes: number): void => {
    const others = [...shelves].flatMap(([owner, shelf]) =>
      [...shelf.values()].flatMap(({ info }) => (owner === key && info.name === name ? [] : [info.bytes])),
    );
    const used = others.reduce((sum, one) => sum + one, 0);
    if (used + bytes <= maxSnapshotMemory) return;
    const megabytes = (count: number): string => `${Math.ceil(count / 2 ** 20)} MB`;
    const text = `Limit reached: the snapshots of all accounts have ${megabytes(used)}, and this one has ${megabytes(bytes)}`;
    const remedy = 'Delete one with DELETE /_sandbox/snapshots/NAME, or start with --data.';
    throw new ServiceError(
      'limit_reached',
      `${text}; together they may have ${megabytes(maxSnapshotMemory)}. ${remedy}`,
    );
  };
  return {
    // Async, so that an error is a rejection, as with a file.
    put: async (key, name, takenAtMs, text) => {
      await Promise.resolve();
      requireRoom(key, name, Buffer.byteLength(text));
      const shelf = shelves.get(key) ?? new Map<string, { info: SnapshotInfo; text: string }>();
      shelves.set(key, shelf);
      // Removed first, so that the latest snapshot is the last one.
      shelf.delete(name);
      const info = { name, seq: (seq += 1), takenAtMs, bytes: Buffer.byteLength(text) };
      shelf.set(name, { info, text });
      const [oldest] = shelf.size > maxSnapshots ? shelf.keys() : [];
      if (oldest !== undefined) shelf.delete(oldest);
      return info;
    },
    get: (key, name) => Promise.resolve(shelves.get(key)?.get(name)?.text ?? null),
    list: (key) => Promise.resolve(Array.from(shelves.get(key)?.values() ?? [], ({ info }) => info)),
    remove: (key, name) => Promise.resolve(shelves.get(key)?.delete(name) ?? false),
    forget: (key) => Promise.resolve(void shelves.delete(key)),
  };
}

interface StoredSnapshot extends SnapshotInfo {
  readonly path: string;
}

/** A snapshot begins with its name and its time: this is longer than both. */
const headBytes = 4096;

export class SnapshotFiles implements SnapshotShelf {
  readonly #root: string;
  /** One at a time: two saves of one name would share their unfinished file. */
  readonly #alone = pLimit(1);

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
      const others = found.filter((one) => one.name !== name).slice(1 - maxSnapshots);
      await this.#unlink(
        key,
        found.filter((one) => !others.includes(one)),
      );
      return { name, seq, takenAtMs, bytes };
    });
  }

  get(key: string, name: string): Promise<string | null> {
    return this.#alone(async () => {
      const found = (await this.#find(key)).findLast((one) => one.name === name);
      return found ? (await this.disk.read(found.path)).toString('utf8') : null;
    });
  }

  list(key: string): Promise<SnapshotInfo[]> {
    return this.#alone(() => this.#find(key));
  }

  remove(key: string, name: string): Promise<boolean> {
    return this.#writing(`The snapshot "${name}" could not be removed`, async () => {
      const found = (await this.#find(key)).filter((one) => one.name === name);
      await this.#unlink(key, found);
      return found.length > 0;
    });
  }

  forget(key: string): Promise<void> {
    return this.#alone(async () => {
      await this.disk.removeTree(this.#dir(key));
      await unlessMissing(this.disk.syncDirectory(this.#root));
    });
  }

  /** Resolves when nothing is being read or written. */
  settled(): Promise<void> {
    return this.#alone(() => undefined);
  }

  #writing<T>(what: string, work: () => Promise<T>): Promise<T> {
    return this.#alone(work).catch((cause: unknown) => {
      const text = `${what}: ${errorText(cause)}. ${diskAdvice(cause)}.`;
      throw new ServiceError('store_unavailable', text, { cause });
    });
  }

  async #unlink(key: string, snapshots: readonly StoredSnapshot[]): Promise<void> {
    for (const { path } of snapshots) await unlessMissing(this.disk.unlink(path));
    if (snapshots.length > 0) await this.disk.syncDirectory(this.#dir(key));
  }

  #dir(key: string): string {
    return join(this.#root, fileNameOf(key));
  }

  /** Returns the snapshots of an account by number. A damaged one has the name of its file. */
  async #find(key: string): Promise<StoredSnapshot[]> {
    const found: StoredSnapshot[] = [];
    for (const fileName of (await unlessMissing(this.disk.list(this.#dir(key)))) ?? []) {
      const [, seq, fallback = ''] = /^([1-9]\d{0,14})\.(.+)\.json$/.exec(fileName) ?? [];
      if (seq === undefined) continue;
      const path = join(this.#dir(key), fileName);
      const { name = fallback, takenAtMs } = headOf(await this.disk.read(path, headBytes));
      found.push({ name, seq: Number(seq), takenAtMs, bytes: await this.disk.size(path), path });
    }
    return found.sort((a, b) => a.seq - b.seq);
  }
}

/** Reads name and time at the beginning of a snapshot, which is as `snapshotText` wrote it. */
function headOf(bytes: Buffer): { readonly name?: string; readonly takenAtMs: number } {
  try {
    const [head = ''] = bytes.toString('utf8').split(',"state":', 1);
    const { name, taken_at } = JSON.parse(`${head}}`) as { name: string; taken_at: string };
    return { name, takenAtMs: Date.parse(taken_at) || 0 };
  } catch {
    return { takenAtMs: 0 };
  }
}
