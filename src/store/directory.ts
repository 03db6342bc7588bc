/** The files of every account. One process opens the data directory at a time. */
import { join } from 'node:path';
import pLimit from 'p-limit';
import { ServiceError } from '../domain/errors.js';
import type { AccountData } from './account-data.js';
import { AccountDisk, type DiskOptions } from './account-disk.js';
import { AccountFile, removedSuffix, UnusableFileError } from './account-file.js';
import { type Disk, errorCode, errorText, fileNameOf, machineDisk, unlessMissing } from './disk.js';
import { Journal } from './journal.js';
import { DirectoryInUseError, type Unlock } from './lock.js';
import { SnapshotFiles } from './snapshots.js';

export interface DirectoryOptions extends DiskOptions {
  readonly dir: string;
  /** Default: the disk of the machine. */
  readonly disk?: Disk;
}

export interface LoadedAccount {
  readonly key: string;
  readonly data: AccountData;
  readonly disk: AccountDisk;
}

/** A path that cannot be used as the data directory; reported as an invalid setting. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/** JSON files of other programs, which would break if they were moved. */
const othersFiles = ['package.json', 'tsconfig.json', 'composer.json', 'deno.json'];

/**
 * @throws DirectoryInUseError, or DataDirectoryError if the directory cannot be created or written, or belongs to a
 * project
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
  readonly #accounts = new Map<string, AccountDisk>();
  /** Reasons, by the file that is neither read nor written. */
  readonly #refused = new Map<string, string>();
  /** Runs the removals of deleted accounts, which a new account of the same key waits for. */
  readonly #removing = pLimit(1);

  constructor(
    private readonly options: DirectoryOptions,
    private readonly disk: Disk,
    private readonly unlock: Unlock,
  ) {
    this.snapshots = new SnapshotFiles(disk, options.dir);
  }

  /** A file that cannot be read is set aside and reported; the others load. */
  async *load(): AsyncGenerator<LoadedAccount> {
    const { dir } = this.options;
    const found = (await this.disk.list(dir)).filter((name) => !name.startsWith('.')).sort();
    const names = await this.#finishRemovals(found);
    for (const fileName of names) {
      if (fileName.endsWith('.json.tmp')) await unlessMissing(this.disk.unlink(join(dir, fileName)));
      const [, name = '', kind] = /^(.+)\.(json|journal|journal\.previous)$/.exec(fileName) ?? [];
      if (kind === 'json') {
        const loaded = await this.#loadAccount(name, names);
        if (loaded) yield loaded;
      } else if (kind !== undefined && !names.includes(`${name}.json`)) {
        await this.#setAside([fileName], `its account file ${name}.json is missing`);
      }
    }
  }

  /** Removes what is left of accounts whose removal was cut short, and returns the names of the other files. */
  async #finishRemovals(names: readonly string[]): Promise<string[]> {
    const markers = names.filter((name) => name.endsWith(removedSuffix));
    // The journals first: without the marker, they would be some whose file is missing.
    const gone = markers.flatMap((marker) => {
      const journal = `${marker.slice(0, -removedSuffix.length)}.journal`;
      return [journal, `${journal}.previous`, marker];
    });
    for (const name of gone) await unlessMissing(this.disk.unlink(join(this.options.dir, name)));
    return names.filter((name) => !gone.includes(name));
  }

  async #loadAccount(name: string, found: readonly string[]): Promise<LoadedAccount | null> {
    const { dir, warn } = this.options;
    const file = new AccountFile(this.disk, dir, name);
    const journal = new Journal(this.disk, file);
    try {
      const data = await file.load();
      const torn = await journal.load(data);
      if (torn > 0) {
        const bytes = `its last ${torn} of ${journal.size + torn} bytes were being written when the sandbox stopped`;
        warn(`${journal.fileName} ends in the middle of a line: ${bytes}, and were truncated.`);
      }
      const disk = new AccountDisk(this.options, file, journal);
      this.#accounts.set(file.key, disk);
      return { key: file.key, data, disk };
    } catch (error) {
      const isUnusable = error instanceof UnusableFileError;
      if (!isUnusable && errorCode(error) === undefined) throw error;
      if (!isUnusable || error.otherVersionOf === null) {
        const journals = [journal.fileName, journal.previousName].filter((fileName) => found.includes(fileName));
        await this.#setAside([file.fileName, ...journals], errorText(error));
        return null;
      }
      const key = error.otherVersionOf;
      const text =
        `${join(dir, file.fileName)} contains the account ${JSON.stringify(key)}, but ${error.reason}. It is ` +
        'unchanged: use the sandbox that wrote it, or move the file away to start the account anew.';
      this.#refused.set(key, text);
      warn(text);
      return null;
    }
  }

  /** Nothing then overwrites the files. */
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
   * Nothing is written before the account's first change.
   * @throws ServiceError `store_unavailable` if its file has another version
   */
  create(key: string, data: AccountData): AccountDisk {
    const refused = this.#refused.get(key);
    if (refused !== undefined) throw new ServiceError('store_unavailable', refused);
    const file = new AccountFile(this.disk, this.options.dir, fileNameOf(key), key, data);
    const vacated = this.#removing(() => undefined);
    const disk = new AccountDisk(this.options, file, new Journal(this.disk, file), vacated);
    this.#accounts.set(key, disk);
    return disk;
  }

  /** The key can be reused immediately: a new account with this key is written once the old files are gone. */
  async remove(key: string): Promise<void> {
    const account = this.#accounts.get(key);
    this.#accounts.delete(key);
    try {
      await this.#removing(async () => {
        await this.snapshots.forget(key);
        await account?.remove();
      });
    } catch (cause) {
      const text = `The files of the account could not be removed: ${errorText(cause)}`;
      throw new ServiceError('store_unavailable', `${text}. It comes back with the next start.`, { cause });
    }
  }

  get isWritable(): boolean {
    return Array.from(this.#accounts.values()).every(({ error }) => error === null);
  }

  /** Always unlocks the directory. Rejects if something could not be written. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled(Array.from(this.#accounts.values(), (account) => account.close()));
    await this.#removing(() => undefined);
    await this.snapshots.settled();
    await this.unlock();
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }
}
