/**
 * Stores an account on disk: lowdb holds its file, and a journal has the writes since. The file is written anew when the
 * journal has outgrown it, for a new or restored account, and every second after an error until that succeeds.
 */
import { Low } from 'lowdb';
import type { Cancel } from '../time/system-clock.js';
import type { AccountData } from './account-data.js';
import { AccountFile, type AccountPlace } from './account-file.js';
import { errorText } from './disk-errors.js';
import { Journal, lineOf } from './journal.js';
import type { Batch, Health, Persistence } from './persistence.js';
import { WorkQueue } from './work-queue.js';

const retryAfterMs = 1000;
/** A shorter journal is not worth a new file. */
const longJournal = 4 * 1024 * 1024;
/** Up to this many bytes, closing leaves one readable file without a journal. */
const smallFile = 16 * 1024 * 1024;

export interface AccountDiskOptions extends AccountPlace {
  readonly data: AccountData;
  readonly warn: (text: string) => void;
  /** The files that were found; null for a new account. */
  readonly found: { readonly generation: number; readonly size: number; readonly journalSize: number } | null;
  /** Resolves when the files of a deleted account of the same name are gone. */
  readonly vacated: Promise<unknown>;
}

export class AccountDisk implements Persistence {
  readonly lasts = true;
  readonly #low: Low<AccountData>;
  readonly #file: AccountFile;
  readonly #journal: Journal;
  readonly #queue = new WorkQueue();
  /** Lines that no write has taken yet. */
  #pending = '';
  /** Whether file and journal do not lead to what the account is now, so that the file must be written. */
  #isFileDue: boolean;
  #error: Error | null = null;
  #cancelRetry: Cancel | null = null;
  /** How everything so far is stored, and whether that write has not started yet and takes more lines. */
  #latest: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #closing: Promise<void> | null = null;

  constructor(private readonly options: AccountDiskOptions) {
    const { found, data, vacated } = options;
    const { generation = 0, size = 0, journalSize = 0 } = found ?? {};
    this.#file = new AccountFile(options, generation, size);
    this.#low = new Low(this.#file, data);
    this.#journal = new Journal(options, (error) => this.#fail(error), generation, journalSize);
    this.#isFileDue = found === null;
    void this.#queue.run(() => vacated.then(() => undefined));
  }

  health(): Health {
    return this.#error ? { ok: false, error: this.#error.message } : { ok: true };
  }

  append(batch: Batch): void {
    if (this.#closing) return;
    const isReplaced = batch.changes.some((change) => change.op === 'clear' && change.replaced);
    if (isReplaced || this.#error) this.#isFileDue = true;
    // The next file contains the change; the blank makes sure that it is written.
    if (!this.#isFileDue) this.#pending += lineOf(batch);
    else if (this.#pending === '') this.#pending = ' ';
  }

  flushed(): Promise<void> {
    if (this.#error) return Promise.reject(this.#error);
    if (this.#pending !== '' && !this.#isWaiting) this.#storeSoon();
    return this.#latest;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Stops because the files are about to be removed. */
  async abandon(): Promise<void> {
    this.#closing ??= Promise.resolve();
    this.#cancelRetry?.();
    await this.#queue.ended();
    await this.#journal.close();
  }

  #storeSoon(): void {
    this.#isWaiting = true;
    this.#latest = this.#queue.run(() => this.#store());
    this.#latest.catch(() => undefined);
  }

  /** Writes what is pending: its lines, or the whole file. */
  async #store(): Promise<void> {
    this.#isWaiting = false;
    const lines = this.#pending;
    this.#pending = '';
    const isLong = this.#journal.size + lines.length > Math.max(longJournal, 2 * this.#file.size);
    try {
      if (this.#isFileDue || isLong) await this.#writeFile();
      else if (lines !== '') await this.#journal.append(lines);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #writeFile(): Promise<void> {
    this.#isFileDue = false;
    await this.#low.write();
    await this.#journal.restart(this.#file.generation);
    if (this.#error === null) return;
    this.#error = null;
    // Changes that were made during the write are not in the file.
    if (this.#pending !== '') this.#storeSoon();
    this.options.warn(
      `The files of the account ${JSON.stringify(this.options.key)} can be written again; nothing was lost.`,
    );
  }

  #fail(cause: unknown): Error {
    const way =
      'Free disk space or repair the disk: changes are kept in memory while the sandbox runs, calls that would change more ' +
      'are rejected, and writing is retried every second.';
    const error = new Error(`The account ${JSON.stringify(this.options.key)} cannot be written: ${errorText(cause)}`, {
      cause,
    });
    if (!this.#error) this.options.warn(`${error.message}. ${way}`);
    this.#error = error;
    this.#isFileDue = true;
    if (this.#closing === null) this.#retryLater();
    return error;
  }

  #retryLater(): void {
    this.#cancelRetry ??= this.options.host.setTimer(
      retryAfterMs,
      () => {
        this.#cancelRetry = null;
        this.#storeSoon();
      },
      { unref: true },
    );
  }

  async #close(): Promise<void> {
    this.#cancelRetry?.();
    if (this.#journal.size > 0 && this.#file.size + this.#journal.size <= smallFile) this.#isFileDue = true;
    const isStored = this.#file.generation > 0;
    if (this.#pending !== '' || this.#error || (isStored && this.#isFileDue)) this.#storeSoon();
    try {
      await this.#latest;
      await this.#journal.sync();
    } finally {
      await this.#queue.ended();
      await this.#journal.close();
    }
  }
}
