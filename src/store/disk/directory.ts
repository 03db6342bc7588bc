/** The data directory: the files of every account. One process opens it at a time. */
import { join } from 'node:path';
import { ServiceError } from '../../domain/errors.js';
import type { SystemClock } from '../../time/system-clock.js';
import { SnapshotFiles } from '../snapshots/snapshot-files.js';
import type { AccountData } from '../tables/account-data.js';
import { DirectoryInUseError, type Unlock } from './directory-lock.js';
import { type Disk, machineDisk } from './disk.js';
import { DataDirectoryError, errorCode, errorText, unlessMissing } from './disk-errors.js';
import { accountFile, checkpointName, fileNameOf, logName } from './file-names.js';
import { FilePersistence } from './file-persistence.js';
import { type FoundFiles, loadAccount } from './load-account.js';
import type { Fsync, Health, Persistence } from './persistence.js';
import { type AccountFiles, scanDirectory, setAside } from './scan-directory.js';

export interface DirectoryOptions {
  readonly dir: string;
  readonly host: SystemClock;
  readonly fsync: Fsync;
  /** Called with one or two sentences about an error and how it was handled. */
  readonly warn: (text: string) => void;
  /** Default: the disk of the machine. */
  readonly disk?: Disk;
}

/**
 * Opens a data directory; creates it if necessary.
 * @throws DirectoryInUseError if another process has it open; DataDirectoryError if it cannot be created or written, or
 * belongs to a project
 */
export async function openDirectory(options: DirectoryOptions): Promise<DataDirectory> {
  const disk = options.disk ?? machineDisk;
  const unlock = await takeDirectory(disk, options);
  try {
    const accounts = await scanDirectory(disk, options.dir, options.warn);
    return new DataDirectory(options, disk, accounts, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function takeDirectory(disk: Disk, { dir, host }: DirectoryOptions): Promise<Unlock> {
  try {
    await disk.makeDirectory(dir);
    return await disk.lock(dir, host);
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw error;
    const text = `The data directory ${dir} cannot be used: ${errorText(error)}. Choose a directory that the sandbox may write to.`;
    throw new DataDirectoryError(text, { cause: error });
  }
}

export class DataDirectory {
  readonly snapshots: SnapshotFiles;
  readonly #options: DirectoryOptions;
  readonly #disk: Disk;
  readonly #accounts: Map<string, AccountFiles>;
  readonly #open = new Map<string, FilePersistence>();
  /** Accounts whose files are being removed. The function waits for the removal, and repeats it after an error. */
  readonly #leaving = new Map<string, () => Promise<void>>();
  readonly #unlock: Unlock;

  constructor(options: DirectoryOptions, disk: Disk, accounts: Map<string, AccountFiles>, unlock: Unlock) {
    this.snapshots = new SnapshotFiles(disk, options.dir, options.host);
    this.#options = options;
    this.#disk = disk;
    this.#accounts = accounts;
    this.#unlock = unlock;
  }

  /** Returns the keys of the accounts that are on disk and can be loaded. */
  keys(): string[] {
    return [...this.#accounts].flatMap(([key, files]) => (files.refused === null ? [key] : []));
  }

  /**
   * Returns the account after its last complete write, including jobs and clock; null if there is none, or if its file
   * had to be quarantined.
   * @throws ServiceError `store_unavailable` if the file comes from a later version
   */
  async load(key: string): Promise<{ data: AccountData; persistence: Persistence } | null> {
    const files = this.#accounts.get(key);
    if (!files) return null;
    this.#refuse(files);
    if (this.#open.has(key)) throw new Error(`The account ${JSON.stringify(key)} is already loaded.`);
    const { name, generations } = files;
    const { dir, warn } = this.#options;
    const loaded = await loadAccount({ disk: this.#disk, dir, name, key, generations, warn }).catch(
      async (error: unknown) => {
        if (errorCode(error) === undefined) throw error;
        const fileNames = [checkpointName(name), ...generations.map((generation) => logName(name, generation))];
        const kept = await setAside(this.#disk, dir, fileNames);
        warn(
          `The account ${JSON.stringify(key)} cannot be read: ${errorText(error)}. It is kept as ${kept} and starts empty.`,
        );
        return null;
      },
    );
    if (!loaded) {
      this.#accounts.delete(key);
      return null;
    }
    const { data, found } = loaded;
    const persistence = this.#persistence(key, name, data, found);
    if (!found.isWhole) await persistence.fold();
    return { data, persistence };
  }

  /**
   * Returns the persistence of a new account. Nothing is written before its first change.
   * @throws ServiceError `store_unavailable` if the file comes from a later version
   */
  create(key: string, data: AccountData): Persistence {
    const files = this.#accounts.get(key);
    if (files) this.#refuse(files);
    if (files) throw new Error(`The account ${JSON.stringify(key)} is already on disk: load it instead.`);
    const name = fileNameOf(key);
    this.#accounts.set(key, { name, generations: [], refused: null });
    return this.#persistence(key, name, data, null);
  }

  /**
   * Removes an account with its log and its snapshots. Its key can be reused immediately: a new account with this key
   * is written once the old files are gone.
   */
  async remove(key: string): Promise<void> {
    const files = this.#accounts.get(key);
    if (!files) return;
    this.#refuse(files);
    const open = this.#open.get(key);
    this.#accounts.delete(key);
    this.#open.delete(key);
    // The old snapshots are listed for removal now, before a new one can be stored there.
    const before = this.#leaving.get(key);
    const leave = untilDone(async () => {
      // One generation after the other: they have the same file names.
      await before?.();
      await Promise.all([this.snapshots.forget(key), this.#removeFiles(files.name, open)]);
    });
    this.#leaving.set(key, leave);
    await leave();
    if (this.#leaving.get(key) === leave) this.#leaving.delete(key);
  }

  async #removeFiles(name: string, open: FilePersistence | undefined): Promise<void> {
    await open?.abandon();
    const { dir } = this.#options;
    // The checkpoint goes first: the rest cannot be loaded without it.
    await unlessMissing(this.#disk.unlink(join(dir, checkpointName(name))));
    for (const fileName of await this.#disk.list(dir)) {
      const file = accountFile(fileName);
      if (file?.kind === 'log' && file.name === name) await unlessMissing(this.#disk.unlink(join(dir, fileName)));
    }
    await this.#disk.syncDirectory(dir);
  }

  /** Whether every account can be written; if not, the error of the first that cannot. */
  health(): Health {
    for (const persistence of this.#open.values()) {
      const health = persistence.health();
      if (!health.ok) return health;
    }
    return { ok: true };
  }

  /** Writes the remaining changes, and always unlocks the directory. Rejects if something could not be written. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled(Array.from(this.#open.values(), (persistence) => persistence.close()));
    await Promise.allSettled(Array.from(this.#leaving.values(), (leave) => leave()));
    await this.snapshots.settled();
    await this.#unlock();
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  #persistence(key: string, name: string, data: AccountData, found: FoundFiles | null): FilePersistence {
    const { dir, host, fsync, warn } = this.#options;
    const vacated = this.#leaving.get(key) ?? (() => Promise.resolve());
    const parts = { disk: this.#disk, host, dir, name, key, data, fsync, warn, found, vacated };
    const persistence = new FilePersistence(parts);
    this.#open.set(key, persistence);
    return persistence;
  }

  /** The file comes from a later version: it is neither read nor written, and calls of the account get this error. */
  #refuse(files: AccountFiles): void {
    if (files.refused !== null) throw new ServiceError('store_unavailable', files.refused);
  }
}

/** Runs `work` until it has succeeded once; calls during a run wait for that run. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let run: Promise<void> | null = null;
  return () =>
    (run ??= work().catch((error: unknown) => {
      run = null;
      throw error;
    }));
}
