/** The data directory: the files of every account. One process opens it at a time. */
import { join } from 'node:path';
import { Low } from 'lowdb';
import { ServiceError } from '../domain/errors.js';
import type { SystemClock } from '../time/system-clock.js';
import type { AccountData, Fsync, Health, Persistence } from './account-data.js';
import { AccountDisk } from './account-disk.js';
import { AccountFile, OtherVersionError, UnusableFileError } from './account-file.js';
import { DirectoryInUseError, type Unlock } from './lock.js';
import {
  accountFileName,
  DataDirectoryError,
  type Disk,
  errorCode,
  errorText,
  fileNameOf,
  journalName,
  machineDisk,
  unlessMissing,
} from './disk.js';
import { applyJournal } from './journal.js';
import { SnapshotFiles } from './snapshots.js';

export interface DirectoryOptions {
  readonly dir: string;
  readonly host: SystemClock;
  readonly fsync: Fsync;
  /** Called with one or two sentences about an error and how it was handled. */
  readonly warn: (text: string) => void;
  /** Default: the disk of the machine. */
  readonly disk?: Disk;
}

export interface LoadedAccount {
  readonly key: string;
  readonly data: AccountData;
  readonly persistence: Persistence;
}

/** JSON files of other programs, which would break if they were moved. */
const othersFiles = ['package.json', 'tsconfig.json', 'composer.json', 'deno.json'];

/**
 * Opens a data directory; creates it if necessary.
 * @throws DirectoryInUseError if another process has it open; DataDirectoryError if it cannot be created or written, or
 * belongs to a project
 */
export async function openDirectory(options: DirectoryOptions): Promise<DataDirectory> {
  const { dir, host, disk = machineDisk } = options;
  let unlock: Unlock;
  try {
    await disk.makeDirectory(dir);
    unlock = await disk.lock(dir, host);
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw error;
    const text = `The data directory ${dir} cannot be used: ${errorText(error)}. Choose a directory that the sandbox may write to.`;
    throw new DataDirectoryError(text, { cause: error });
  }
  const names = await disk.list(dir);
  const other = othersFiles.find((name) => names.includes(name));
  if (other === undefined) return new DataDirectory(options, disk, unlock);
  await unlock();
  throw new DataDirectoryError(
    `The data directory ${dir} holds ${other}, so it belongs to a project. Give the sandbox a separate ` +
      `directory, such as ${join(dir, 'sandbox-data')}.`,
  );
}

export class DataDirectory {
  readonly snapshots: SnapshotFiles;
  readonly #open = new Map<string, AccountDisk>();
  /** Why the file of an account is neither read nor written. */
  readonly #refused = new Map<string, string>();
  /** The removals of deleted accounts, which a new account of the same key waits for. */
  readonly #removals = new Map<string, Promise<unknown>>();

  constructor(
    private readonly options: DirectoryOptions,
    private readonly disk: Disk,
    private readonly unlock: Unlock,
  ) {
    this.snapshots = new SnapshotFiles(disk, options.dir);
  }

  /** Loads every account. A file that cannot be read is set aside and reported; the others load. */
  async *load(): AsyncGenerator<LoadedAccount> {
    const { dir } = this.options;
    const names = (await this.disk.list(dir)).filter((name) => !name.startsWith('.')).sort();
    for (const fileName of names) {
      if (fileName.endsWith('.json.tmp')) await unlessMissing(this.disk.unlink(join(dir, fileName)));
      const name = /^(.+)\.json$/.exec(fileName)?.[1];
      if (name === undefined || !(await this.disk.isFile(join(dir, fileName)))) continue;
      const loaded = await this.#loadAccount(name, names.includes(journalName(name)));
      if (loaded) yield loaded;
    }
    for (const fileName of names) {
      const name = /^(.+)\.journal$/.exec(fileName)?.[1];
      if (name === undefined || names.includes(accountFileName(name))) continue;
      await this.#setAside([fileName], `its account file ${accountFileName(name)} is missing`);
    }
  }

  async #loadAccount(name: string, hasJournal: boolean): Promise<LoadedAccount | null> {
    const { dir } = this.options;
    const fileNames = [accountFileName(name), ...(hasJournal ? [journalName(name)] : [])];
    let reading = fileNames[0] ?? '';
    try {
      const file = new AccountFile(this.disk, dir, name);
      const low = new Low(file, {} as AccountData);
      await low.read();
      const { data } = low;
      const { key } = file;
      // A copy or a renamed file must not become a second file of an account.
      if (fileNameOf(key) !== name) {
        throw new UnusableFileError(
          `it contains the account ${JSON.stringify(key)}, whose file is ${accountFileName(fileNameOf(key))}`,
        );
      }
      reading = journalName(name);
      const journalSize = hasJournal ? await this.#replay(name, file, data) : 0;
      return { key, data, persistence: this.#persistence(low, file, name, journalSize) };
    } catch (error) {
      if (error instanceof OtherVersionError) {
        const text =
          `${join(dir, reading)} contains the account ${JSON.stringify(error.key)}, but ${error.message}. It is unchanged: ` +
          'use the sandbox that wrote it, or move the file away to start the account anew.';
        this.#refused.set(error.key, text);
        this.options.warn(text);
        return null;
      }
      if (!(error instanceof UnusableFileError) && errorCode(error) === undefined) throw error;
      await this.#setAside(fileNames, `${reading}: ${errorText(error)}`);
      return null;
    }
  }

  /** @returns the bytes of the journal that belong to the file */
  async #replay(name: string, { key, generation }: AccountFile, data: AccountData): Promise<number> {
    const path = join(this.options.dir, journalName(name));
    const bytes = await this.disk.read(path);
    const end = applyJournal(bytes, key, generation, data);
    if (end > 0 && end < bytes.length) {
      const file = await this.disk.open(path, 'r+');
      await file.truncate(end).finally(() => file.close());
      this.options.warn(
        `${journalName(name)} ends in the middle of a line: its last ${bytes.length - end} of ${bytes.length} bytes were ` +
          'being written when the sandbox stopped, and were truncated.',
      );
    }
    return end;
  }

  /** Renames files that cannot be used, so that nothing overwrites them. */
  async #setAside(fileNames: readonly string[], reason: string): Promise<void> {
    const { dir, warn } = this.options;
    const names = new Set(await this.disk.list(dir));
    let number = 1;
    while (fileNames.some((fileName) => names.has(`${fileName}.set-aside-${number}`))) number += 1;
    const kept = fileNames.map((fileName) => `${fileName}.set-aside-${number}`);
    for (const [at, fileName] of fileNames.entries()) {
      await this.disk.rename(join(dir, fileName), join(dir, kept[at] ?? '')).catch((error: unknown) => {
        throw new DataDirectoryError(
          `${join(dir, fileName)} cannot be used (${reason}), and it cannot be moved away (${errorText(error)}). ` +
            'Repair the file or its permissions, or choose another data directory.',
          { cause: error },
        );
      });
    }
    await this.disk.syncDirectory(dir);
    warn(
      `${fileNames[0] ?? ''} cannot be loaded (${reason}). It is kept as ${kept.join(', ')}, and its account starts empty.`,
    );
  }

  /**
   * Returns the persistence of a new account. Nothing is written before its first change.
   * @throws ServiceError `store_unavailable` if its file has another version
   */
  create(key: string, data: AccountData): Persistence {
    const refused = this.#refused.get(key);
    if (refused !== undefined) throw new ServiceError('store_unavailable', refused);
    if (this.#open.has(key)) throw new Error(`The account ${JSON.stringify(key)} is already on disk.`);
    const name = fileNameOf(key);
    const file = new AccountFile(this.disk, this.options.dir, name, key);
    return this.#persistence(new Low<AccountData>(file, data), file, name, 0);
  }

  /**
   * Removes an account with its journal and its snapshots. Its key can be reused immediately: a new account with this
   * key is written once the old files are gone.
   */
  async remove(key: string): Promise<void> {
    const open = this.#open.get(key);
    this.#open.delete(key);
    const before = this.#removals.get(key);
    const removal = (async () => {
      await before;
      await open?.abandon();
      await this.#removeFiles(key);
    })();
    const over = removal.catch(() => undefined);
    this.#removals.set(key, over);
    try {
      await removal;
    } catch (cause) {
      const text = `The files of the account could not be removed: ${errorText(cause)}`;
      throw new ServiceError('store_unavailable', `${text}. It comes back with the next start.`, { cause });
    } finally {
      if (this.#removals.get(key) === over) this.#removals.delete(key);
    }
  }

  async #removeFiles(key: string): Promise<void> {
    const { dir } = this.options;
    const name = fileNameOf(key);
    await this.snapshots.forget(key);
    // The file goes first: a journal without it is not loaded.
    for (const fileName of [accountFileName(name), journalName(name)]) {
      await unlessMissing(this.disk.unlink(join(dir, fileName)));
    }
    await this.disk.syncDirectory(dir);
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
    await Promise.all(this.#removals.values());
    await this.snapshots.settled();
    await this.unlock();
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  #persistence(low: Low<AccountData>, file: AccountFile, name: string, journalSize: number): AccountDisk {
    const vacated = this.#removals.get(file.key) ?? Promise.resolve();
    const persistence = new AccountDisk({ ...this.options, disk: this.disk, name, low, file, journalSize, vacated });
    this.#open.set(file.key, persistence);
    return persistence;
  }
}
