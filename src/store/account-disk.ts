/**
 * Stores an account on disk: lowdb holds its file, and a journal has the writes since. The file is written anew when the
 * journal has outgrown it, for a new or restored account, and every second after an error until that succeeds.
 */
import { join } from 'node:path';
import type { Low } from 'lowdb';
import type { Cancel, SystemClock } from '../time/system-clock.js';
import type { AccountData, Batch, Fsync, Health, Persistence } from './account-data.js';
import type { AccountFile } from './account-file.js';
import { type Disk, type DiskFile, errorText, journalName, unlessMissing } from './disk.js';
import { headOf, lineOf } from './journal.js';

const retryAfterMs = 1000;
/** How long `--fsync interval` leaves a write to the operating system. */
const syncAfterMs = 50;
/** A shorter journal is not worth a new file. */
const longJournal = 4 * 1024 * 1024;
/** Up to this many bytes, closing leaves one readable file without a journal. */
const smallFile = 16 * 1024 * 1024;

interface AccountDiskOptions {
  readonly disk: Disk;
  readonly host: SystemClock;
  readonly fsync: Fsync;
  readonly dir: string;
  /** The file name of the account, without its extension. */
  readonly name: string;
  /** The data of the account, with its file. */
  readonly low: Low<AccountData>;
  readonly file: AccountFile;
  /** The bytes of the journal that belong to the file. */
  readonly journalSize: number;
  readonly warn: (text: string) => void;
  /** Resolves when the files of a deleted account of the same name are gone. */
  readonly vacated: Promise<unknown>;
}

export class AccountDisk implements Persistence {
  readonly lasts = true;
  readonly #journalPath: string;
  #journal: DiskFile | null = null;
  #journalSize: number;
  /** Whether there are changes that no write has taken, and the lines of those that the journal takes. */
  #isBehind = false;
  #lines = '';
  /** Whether file and journal do not lead to what the account is now, so that the file must be written. */
  #isFileDue: boolean;
  #error: Error | null = null;
  /** All writes, one after the other. */
  #work: Promise<unknown>;
  /** How everything so far is stored. */
  #latest: Promise<void> = Promise.resolve();
  /** Whether the latest write has not begun, and so takes more changes. */
  #isQueued = false;
  #cancelSync: Cancel | null = null;
  #cancelRetry: Cancel | null = null;
  #closing: Promise<void> | null = null;

  constructor(private readonly options: AccountDiskOptions) {
    this.#journalPath = join(options.dir, journalName(options.name));
    this.#journalSize = options.journalSize;
    this.#isFileDue = options.file.generation === 0;
    this.#work = options.vacated;
  }

  health(): Health {
    return this.#error ? { ok: false, error: this.#error.message } : { ok: true };
  }

  append(batch: Batch): void {
    if (this.#closing) return;
    const isReplaced = batch.changes.some((change) => change.op === 'clear' && change.replaced);
    if (isReplaced || this.#error) this.#isFileDue = true;
    this.#isBehind = true;
    // The next file contains the change.
    if (!this.#isFileDue) this.#lines += lineOf(batch);
  }

  flushed(): Promise<void> {
    if (this.#error) return Promise.reject(this.#error);
    if (this.#isBehind) this.#storeSoon();
    return this.#latest;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Stops because the files are about to be removed. */
  async abandon(): Promise<void> {
    this.#closing ??= Promise.resolve();
    this.#cancelRetry?.();
    await this.#work;
    await this.#closeJournal();
  }

  #storeSoon(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#latest = this.#work.then(() => this.#store());
    this.#work = this.#latest.catch(() => undefined);
  }

  /** Writes what is not stored yet: its lines, or the whole file. */
  async #store(): Promise<void> {
    const lines = this.#lines;
    this.#lines = '';
    this.#isQueued = this.#isBehind = false;
    const isLong = this.#journalSize + lines.length > Math.max(longJournal, 2 * this.options.file.size);
    try {
      if (this.#isFileDue || isLong) await this.#writeFile();
      else if (lines !== '') await this.#appendLines(lines);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #writeFile(): Promise<void> {
    const { low, file, disk, warn } = this.options;
    this.#isFileDue = false;
    await low.write();
    // The file contains everything now; if its journal stays, the next one overwrites it.
    await this.#closeJournal();
    await unlessMissing(disk.unlink(this.#journalPath)).catch(() => undefined);
    this.#journalSize = 0;
    if (this.#error === null) return;
    this.#error = null;
    // Changes that were made during the write are not in the file.
    if (this.#isBehind) this.#storeSoon();
    warn(`The files of the account ${JSON.stringify(file.key)} can be written again; nothing was lost.`);
  }

  async #appendLines(lines: string): Promise<void> {
    const { disk, dir, fsync, file } = this.options;
    const isNew = this.#journalSize === 0;
    if (this.#journal === null) {
      this.#journal = await disk.open(this.#journalPath, isNew ? 'w' : 'a');
      if (isNew) await disk.syncDirectory(dir);
    }
    const bytes = Buffer.from(isNew ? headOf(file) + lines : lines);
    try {
      await this.#journal.appendFile(bytes);
    } catch (error) {
      // Leaves only complete lines, in case the process ends before the account is written completely.
      await this.#journal.truncate(this.#journalSize).catch(() => undefined);
      throw error;
    }
    this.#journalSize += bytes.byteLength;
    if (fsync === 'always') await this.#journal.datasync();
    else this.#syncSoon();
  }

  /** Lines are written during this sync; those begin another one. */
  #syncSoon(): void {
    this.#cancelSync ??= this.options.host.setTimer(
      syncAfterMs,
      () => {
        this.#cancelSync = null;
        this.#journal?.datasync().catch((error: unknown) => this.#fail(error));
      },
      { unref: true },
    );
  }

  async #closeJournal(): Promise<void> {
    this.#cancelSync?.();
    this.#cancelSync = null;
    const journal = this.#journal;
    this.#journal = null;
    await journal?.close().catch(() => undefined);
  }

  #fail(cause: unknown): Error {
    const way =
      'Free disk space or repair the disk: changes are kept in memory while the sandbox runs, calls that would change more ' +
      'are rejected, and writing is retried every second.';
    const { file, host, warn } = this.options;
    const error = new Error(`The account ${JSON.stringify(file.key)} cannot be written: ${errorText(cause)}`, {
      cause,
    });
    if (!this.#error) warn(`${error.message}. ${way}`);
    this.#error = error;
    this.#isFileDue = true;
    if (this.#closing === null) {
      this.#cancelRetry ??= host.setTimer(
        retryAfterMs,
        () => {
          this.#cancelRetry = null;
          this.#storeSoon();
        },
        { unref: true },
      );
    }
    return error;
  }

  async #close(): Promise<void> {
    this.#cancelRetry?.();
    const { file } = this.options;
    if (this.#journalSize > 0 && file.size + this.#journalSize <= smallFile) this.#isFileDue = true;
    if (this.#isBehind || this.#error || (file.generation > 0 && this.#isFileDue)) this.#storeSoon();
    try {
      await this.#latest;
      await this.#journal?.datasync();
    } finally {
      await this.#work;
      await this.#closeJournal();
    }
  }
}
