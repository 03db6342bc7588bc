/** Snapshots on disk: one JSON file each, under `snapshots/<account>/`, and an index for the list. */
import { join } from 'node:path';
import { isObject } from '../../domain/check.js';
import { ServiceError } from '../../domain/errors.js';
import { type Disk, type Slices, writeAtomically } from '../disk/disk.js';
import { errorCode, errorText, unlessMissing } from '../disk/disk-errors.js';
import { fileNameOf } from '../disk/file-names.js';
import { WorkQueue } from '../disk/work-queue.js';
import type { SystemClock } from '../../time/system-clock.js';
import { readJson, UnreadableJson } from './json-reader.js';
import { deletedMeanwhile, type SnapshotInfo, type SnapshotShelf, type StoredSnapshot } from './snapshot-shelf.js';

interface Index {
  /** The highest number that was assigned. */
  readonly last: number;
  /** In the order in which they were taken. */
  readonly items: readonly SnapshotInfo[];
}

/** The file name of a snapshot never begins with a dot. */
const indexFile = '.index.json';

export class SnapshotFiles implements SnapshotShelf {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #host: SystemClock;
  /** One at a time: two saves of one name would share their unfinished file. */
  readonly #queue = new WorkQueue();

  constructor(disk: Disk, dir: string, host: SystemClock) {
    this.#disk = disk;
    this.#host = host;
    this.#root = join(dir, 'snapshots');
  }

  /**
   * Writes or replaces a snapshot; resolves when the whole file is on the medium.
   * @throws ServiceError `store_unavailable` after a disk error; the previous snapshot is then unchanged
   */
  put(key: string, name: string, takenAtMs: number, slices: Slices): Promise<SnapshotInfo> {
    return this.#writing(`The snapshot "${name}" could not be written`, async () => {
      await this.#disk.makeDirectory(this.#dir(key));
      const index = await this.#index(key);
      const bytes = await writeAtomically(this.#disk, this.#dir(key), `${fileNameOf(name)}.json`, slices);
      const info = { name, seq: index.last + 1, takenAtMs, bytes };
      await this.#writeIndex(key, { last: info.seq, items: [...without(index, name), info] });
      return info;
    });
  }

  async get(key: string, name: string): Promise<StoredSnapshot | null> {
    const info = (await this.list(key)).find((item) => item.name === name);
    return info ? { info, slices: () => this.#slices(key, name) } : null;
  }

  has(key: string, name: string): Promise<boolean> {
    return this.#queue.run(async () => (await this.#index(key)).items.some((item) => item.name === name));
  }

  list(key: string): Promise<SnapshotInfo[]> {
    return this.#queue.run(async () => [...(await this.#index(key)).items]);
  }

  remove(key: string, name: string): Promise<boolean> {
    return this.#writing(`The snapshot "${name}" could not be removed`, async () => {
      const index = await this.#index(key);
      const gone = await unlessMissing(this.#disk.unlink(this.#path(key, name)).then(() => true));
      if (gone !== true) return false;
      await this.#writeIndex(key, { last: index.last, items: without(index, name) });
      return true;
    });
  }

  forget(key: string): Promise<void> {
    return this.#queue.run(() => this.#disk.removeTree(this.#dir(key)));
  }

  /** Resolves when nothing is being read or written. */
  settled(): Promise<void> {
    return this.#queue.ended();
  }

  #writing<T>(what: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work).catch((error: unknown) => {
      // The content was rejected while it was generated.
      if (error instanceof ServiceError) throw error;
      throw new ServiceError('store_unavailable', `${what}: ${errorText(error)}. Free disk space or repair the disk.`, {
        cause: error,
      });
    });
  }

  async *#slices(key: string, name: string): AsyncIterable<Buffer> {
    try {
      yield* this.#disk.slices(this.#path(key, name));
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? deletedMeanwhile(name) : error;
    }
  }

  #dir(key: string): string {
    return join(this.#root, fileNameOf(key));
  }

  #path(key: string, name: string): string {
    return join(this.#dir(key), `${fileNameOf(name)}.json`);
  }

  async #writeIndex(key: string, index: Index): Promise<void> {
    await writeAtomically(this.#disk, this.#dir(key), indexFile, [Buffer.from(JSON.stringify(index, null, 2))]);
  }

  /** Returns the index, updated from the files: people add and remove snapshots there. */
  async #index(key: string): Promise<Index> {
    const files = new Set(await unlessMissing(this.#disk.list(this.#dir(key))));
    const index = files.has(indexFile) ? await this.#readIndex(key) : { last: 0, items: [] };
    const items = index.items.filter((item) => files.delete(`${fileNameOf(item.name)}.json`));
    let { last } = index;
    for (const file of [...files].sort()) {
      const name = /^([^.].*)\.json$/.exec(file)?.[1];
      if (name === undefined || fileNameOf(name) !== name) continue;
      items.push({ name, seq: ++last, ...(await this.#survey(key, name)) });
    }
    return { last, items };
  }

  /** Returns the size of a file, and when its snapshot was taken: the epoch if it does not say. */
  async #survey(key: string, name: string): Promise<Pick<SnapshotInfo, 'takenAtMs' | 'bytes'>> {
    let bytes = 0;
    const counted = async function* (slices: AsyncIterable<Buffer>) {
      for await (const slice of slices) {
        bytes += slice.byteLength;
        yield slice;
      }
    };
    try {
      const value = await readJson(counted(this.#slices(key, name)), this.#host, { keep: false });
      const at = isObject(value) && typeof value.taken_at === 'string' ? Date.parse(value.taken_at) : 0;
      return { takenAtMs: Number.isNaN(at) ? 0 : at, bytes };
    } catch (error) {
      if (error instanceof UnreadableJson || error instanceof ServiceError) return { takenAtMs: 0, bytes };
      throw error;
    }
  }

  /** Returns an empty index if it cannot be read; it is then rebuilt from the files. */
  async #readIndex(key: string): Promise<Index> {
    try {
      const index: unknown = JSON.parse((await this.#disk.read(join(this.#dir(key), indexFile))).toString());
      if (isObject(index) && Number.isSafeInteger(index.last) && Array.isArray(index.items)) {
        return { last: index.last as number, items: index.items.filter(isInfo) };
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return { last: 0, items: [] };
  }
}

function isInfo(value: unknown): value is SnapshotInfo {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  return [value.seq, value.takenAtMs, value.bytes].every((number) => typeof number === 'number');
}

function without(index: Index, name: string): SnapshotInfo[] {
  return index.items.filter((item) => item.name !== name);
}
