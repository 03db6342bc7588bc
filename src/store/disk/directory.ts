/** The data directory: every stored account, one process at a time. */
import { join } from 'node:path';
import { ServiceError } from '../../domain/errors.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { AccountData } from '../tables/account-data.js';
import { DataDirectoryError, errorText, unlessMissing } from './disk-errors.js';
import { type Disk, machineDisk } from './disk.js';
import { DirectoryInUseError, type Unlock } from './directory-lock.js';
import { FilePersistence, type FoundFiles } from './file-persistence.js';
import { checkpointName, fileNameOf, logName } from './file-names.js';
import type { Fsync, Health, Persistence } from './persistence.js';
import { loadAccount } from './load-account.js';
import { SnapshotFiles } from '../snapshots/snapshot-files.js';
import type { SnapshotShelf } from '../snapshots/snapshot-shelf.js';
import { type AccountFiles, scanDirectory } from './scan-directory.js';

export interface DirectoryOptions {
  readonly dir: string;
  readonly host: SystemClock;
  readonly fsync: Fsync;
  /** Told what went wrong and what was done about it, a sentence or two at a time. */
  readonly warn: (text: string) => void;
  /** The machine's own disk unless a test hands in another. */
  readonly disk?: Disk;
}

/** An account whose file comes from a later version: it is neither read nor written, and its calls are told so. */
export class AccountRefusedError extends ServiceError {
  /** @param refused names the file, the versions and the way out */
  constructor(refused: string) {
    super('store_unavailable', refused);
    this.name = 'AccountRefusedError';
  }
}

export interface DataDirectory {
  /** Keys of the accounts that are on disk and can be loaded. */
  keys(): string[];
  /**
   * The account as it was after its last whole write, jobs and clock included; null when there is none, or when its file
   * had to be set aside.
   * @throws AccountRefusedError
   */
  load(key: string): Promise<{ data: AccountData; persistence: Persistence } | null>;
  /**
   * Where a new account lasts. Nothing is written before its first change.
   * @param first its checkpoint, if the account is not small
   * @throws AccountRefusedError
   */
  create(key: string, data: AccountData, first?: readonly Buffer[]): Persistence;
  /**
   * Removes an account with its log and its snapshots. Its key is free at once: who begins under it meanwhile writes when
   * the old files are gone.
   */
  remove(key: string): Promise<void>;
  readonly snapshots: SnapshotShelf;
  /** Whether everything can be written at present; the first account that cannot says why. */
  health(): Health;
  /** Writes what is left, and lets the directory go in any case; rejects when something could not be written. */
  close(): Promise<void>;
}

/**
 * Opens a data directory, making it if need be.
 * @throws DirectoryInUseError when another process has it open; DataDirectoryError when it cannot be made, written
 * or is a project's
 */
export async function openDirectory(options: DirectoryOptions): Promise<DataDirectory> {
  const disk = options.disk ?? machineDisk;
  const unlock = await takeDirectory(disk, options.dir);
  try {
    const accounts = await scanDirectory(disk, options.dir, options.warn);
    return new Directory(options, disk, accounts, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function takeDirectory(disk: Disk, dir: string): Promise<Unlock> {
  try {
    await disk.makeDirectory(dir);
    return await disk.lock(dir);
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw error;
    const text = `The data directory ${dir} cannot be used: ${errorText(error)}. Choose a directory that the sandbox may write to.`;
    throw new DataDirectoryError(text, { cause: error });
  }
}

class Directory implements DataDirectory {
  readonly snapshots: SnapshotFiles;
  readonly #options: DirectoryOptions;
  readonly #disk: Disk;
  readonly #accounts: Map<string, AccountFiles>;
  readonly #open = new Map<string, FilePersistence>();
  /** Accounts whose files are being removed, and what there is to wait for. */
  readonly #leaving = new Map<string, () => Promise<void>>();
  readonly #unlock: Unlock;

  constructor(options: DirectoryOptions, disk: Disk, accounts: Map<string, AccountFiles>, unlock: Unlock) {
    this.snapshots = new SnapshotFiles(disk, options.dir);
    this.#options = options;
    this.#disk = disk;
    this.#accounts = accounts;
    this.#unlock = unlock;
  }

  keys(): string[] {
    return [...this.#accounts].flatMap(([key, files]) => (files.refused === null ? [key] : []));
  }

  async load(key: string): Promise<{ data: AccountData; persistence: Persistence } | null> {
    const files = this.#accounts.get(key);
    if (!files) return null;
    this.#refuse(files);
    if (this.#open.has(key)) throw new Error(`The account ${JSON.stringify(key)} is loaded already.`);
    const { name, generations } = files;
    const { dir, warn } = this.#options;
    const loaded = await loadAccount({ disk: this.#disk, dir, name, key, generations, warn });
    if (!loaded) {
      this.#accounts.delete(key);
      return null;
    }
    const persistence = this.#persistence(key, name, loaded.data, loaded.found);
    // Lines that make no sense are in the log still: only a new checkpoint makes what loaded the truth.
    if (loaded.rewrite) await persistence.fold();
    return { data: loaded.data, persistence };
  }

  create(key: string, data: AccountData, first?: readonly Buffer[]): Persistence {
    const files = this.#accounts.get(key);
    if (files) this.#refuse(files);
    if (files) throw new Error(`The account ${JSON.stringify(key)} is on disk already: load it instead.`);
    const name = fileNameOf(key);
    this.#accounts.set(key, { name, generations: [], refused: null });
    return this.#persistence(key, name, data, null, first);
  }

  async remove(key: string): Promise<void> {
    const files = this.#accounts.get(key);
    if (!files) return;
    this.#refuse(files);
    const open = this.#open.get(key);
    this.#accounts.delete(key);
    this.#open.delete(key);
    // Snapshots are asked for in this turn, before anybody can put a new one there.
    const leave = untilDone(async () => {
      await Promise.all([this.snapshots.forget(key), this.#removeFiles(files.name, open)]);
    });
    this.#leaving.set(key, leave);
    await leave();
    if (this.#leaving.get(key) === leave) this.#leaving.delete(key);
  }

  async #removeFiles(name: string, open: FilePersistence | undefined): Promise<void> {
    await open?.abandon();
    const { dir } = this.#options;
    // The checkpoint goes first: without it the rest is no account.
    await unlessMissing(this.#disk.unlink(join(dir, checkpointName(name))));
    for (const fileName of await this.#disk.list(dir)) {
      const log = fileName.startsWith(`${name}.`) ? /\.([1-9]\d*)\.log$/.exec(fileName)?.[1] : undefined;
      if (log !== undefined && fileName === logName(name, Number(log))) {
        await unlessMissing(this.#disk.unlink(join(dir, fileName)));
      }
    }
    await this.#disk.syncDirectory(dir);
  }

  health(): Health {
    for (const persistence of this.#open.values()) {
      const health = persistence.health();
      if (!health.ok) return health;
    }
    return { ok: true };
  }

  async close(): Promise<void> {
    const ends = await Promise.allSettled(Array.from(this.#open.values(), (persistence) => persistence.close()));
    await Promise.allSettled(Array.from(this.#leaving.values(), (leave) => leave()));
    await this.snapshots.settled();
    await this.#unlock();
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  #persistence(
    key: string,
    name: string,
    data: AccountData,
    found: FoundFiles | null,
    first?: readonly Buffer[],
  ): FilePersistence {
    const { dir, host, fsync, warn } = this.#options;
    const vacated = this.#leaving.get(key) ?? (() => Promise.resolve());
    const parts = { disk: this.#disk, host, dir, name, key, data, fsync, warn, found, first, vacated };
    const persistence = new FilePersistence(parts);
    this.#open.set(key, persistence);
    return persistence;
  }

  #refuse(files: AccountFiles): void {
    if (files.refused !== null) throw new AccountRefusedError(files.refused);
  }
}

/** Runs `work` until it has succeeded once; who asks while it runs waits for the same run. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let run: Promise<void> | null = null;
  return () =>
    (run ??= work().catch((error: unknown) => {
      run = null;
      throw error;
    }));
}
