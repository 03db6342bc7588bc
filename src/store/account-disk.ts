/**
 * Stores the writes of an account: in its journal, or in its file, which is written anew at once when it is due (the account is
 * new, or the disk has failed; after an error every second until that succeeds), and beside the calls when the journal has
 * outgrown it.
 */
import type { Cancel, SystemClock } from '../time/system-clock.js';
import type { AccountFile } from './account-file.js';
import { diskAdvice, errorText } from './disk.js';
import { type Journal, journalLine } from './journal.js';
import type { Change } from './table.js';

/**
 * The guarantee of a response to a write (`--fsync`). `always`: the write is on the medium. `interval`: the operating
 * system has it, so that it survives the process, and it is on the medium within 50 ms.
 */
export type Fsync = 'always' | 'interval';

const retryAfterMs = 1000;
/** Time for which `--fsync interval` leaves a write to the operating system. */
const syncAfterMs = 50;
/** A shorter journal, in bytes, is not worth a new file. */
const defaultLongJournal = 4 * 1024 * 1024;

export interface DiskOptions {
  readonly host: SystemClock;
  readonly fsync: Fsync;
  /** Bytes of a journal that is worth a new file. Default: 4 MiB. */
  readonly longJournal?: number;
  /** One or two sentences about an error and how it was handled. */
  readonly warn: (text: string) => void;
}

function filesMissing(): Error {
  return Object.assign(new Error('its files were removed or changed by something else'), { code: 'ENOENT' });
}

export class AccountDisk {
  /** The latest error; null while changes can be written. */
  error: Error | null = null;
  /** The files are behind the account. */
  #isDue: boolean;
  #lines: string[] = [];
  #work: Promise<unknown>;
  /** Resolves when everything so far is stored. */
  #latest: Promise<void> = Promise.resolve();
  /** The latest write has not begun, so it takes more changes. */
  #isQueued = false;
  #cancelSync: Cancel | null = null;
  #cancelRetry: Cancel | null = null;
  #isClosed = false;
  /** Ends the renewal of the file that is under way. */
  #stopRenewal: AbortController | null = null;
  /** Resolves when nothing writes the unfinished file. */
  #renewal: Promise<void> = Promise.resolve();

  /** `vacated` resolves when the files of a deleted account of the same name are gone. */
  constructor(
    private readonly options: DiskOptions,
    private readonly file: AccountFile,
    private readonly journal: Journal,
    vacated: Promise<unknown> = Promise.resolve(),
  ) {
    // After a kill within a renewal the file is due: another renewal would replace the previous journal, still needed.
    this.#isDue = file.size === 0 || journal.hasPrevious;
    this.#work = vacated;
  }

  /**
   * Serialised in this call, because rows change in place. `meta` has the counters and the clock after the write, as
   * JSON.
   */
  append(changes: readonly Change[], meta: string): void {
    if (this.#isClosed) return;
    // A file that is due contains the change.
    if (!this.#isDue) this.#lines.push(journalLine(changes, meta));
    if (!this.error) this.#storeSoon();
  }

  /** Everything appended so far is stored as `Fsync` requires. */
  flushed(): Promise<void> {
    return this.error ? Promise.reject(this.error) : this.#latest;
  }

  /** The account is then one file, which a start reads faster. */
  async close(): Promise<void> {
    const { journal } = this;
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#work;
    this.#stopRenewal?.abort();
    if (this.error || journal.size > 0 || journal.hasPrevious) {
      this.#isDue = true;
      this.#storeSoon();
    }
    try {
      await this.#latest;
    } finally {
      this.#cancelSync?.();
      await journal.close();
    }
  }

  async remove(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#work;
    await this.#endRenewal();
    this.#cancelSync?.();
    await this.file.remove(() => this.journal.remove());
  }

  #storeSoon(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#latest = this.#work.then(() => this.#store());
    this.#work = this.#latest.catch(() => undefined);
  }

  async #store(): Promise<void> {
    const { file, journal, options } = this;
    // All writes of one turn of the event loop are stored together.
    await new Promise<void>((resolve) => options.host.defer(resolve));
    const lines = this.#lines;
    this.#lines = [];
    this.#isQueued = false;
    try {
      if (this.#isDue) await this.#save();
      else if (lines.length > 0) {
        const isInPlace = await Promise.all([file.isInPlace(), journal.isInPlace()]);
        if (isInPlace.includes(false)) throw filesMissing();
        await journal.append(lines);
        if (options.fsync === 'always') await journal.sync();
        else this.#syncSoon();
        await this.#renewIfLong();
      }
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #save(): Promise<void> {
    await this.#endRenewal();
    // What changes from now on belongs to the next journal.
    this.#isDue = false;
    await this.file.save();
    // If it stays, the next one overwrites it.
    await this.journal.remove().catch(() => undefined);
    if (!this.error) return;
    this.error = null;
    if (this.#lines.length > 0) this.#storeSoon();
    this.options.warn(
      `The files of the account ${JSON.stringify(this.file.key)} can be written again; nothing was lost.`,
    );
  }

  /** Calls are served meanwhile, with the next journal. */
  async #renewIfLong(): Promise<void> {
    const { file, journal, options } = this;
    const longest = Math.max(options.longJournal ?? defaultLongJournal, 2 * file.size);
    if (journal.size <= longest || journal.hasPrevious || this.#isClosed) return;
    await journal.renew();
    const stop = new AbortController();
    this.#stopRenewal = stop;
    this.#renewal = file.renew(stop.signal).then(
      () => {
        // In its turn: the file must not change between the look at it and what is appended.
        this.#work = this.#work.then(() => this.#finishRenewal(stop.signal));
      },
      (error: unknown) => {
        if (!stop.signal.aborted) this.#fail(error);
      },
    );
  }

  async #finishRenewal(stop: AbortSignal): Promise<void> {
    try {
      if (stop.aborted) {
        await this.file.discard();
        return;
      }
      // The file contains changes of which the journal must have everything.
      await this.journal.sync();
      await this.file.finish();
      await this.journal.removePrevious().catch(() => undefined);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #endRenewal(): Promise<void> {
    this.#stopRenewal?.abort();
    await this.#renewal;
  }

  /** Lines are written during this sync; those begin another one. */
  #syncSoon(): void {
    const sync = (): void => {
      this.#cancelSync = null;
      this.journal.sync().catch((error: unknown) => this.#fail(error));
    };
    this.#cancelSync ??= this.options.host.setTimer(syncAfterMs, sync, { unref: true });
  }

  #fail(cause: unknown): Error {
    const { host, warn } = this.options;
    const text = `The account ${JSON.stringify(this.file.key)} cannot be written: ${errorText(cause)}`;
    if (!this.error) {
      warn(
        `${text}. ${diskAdvice(cause)}. Changes are kept in memory while the sandbox runs, calls that would change more are ` +
          'rejected, and writing is retried every second.',
      );
    }
    this.error = new Error(text, { cause });
    this.#stopRenewal?.abort();
    this.#isDue = true;
    this.#lines = [];
    const retry = (): void => {
      this.#cancelRetry = null;
      this.#storeSoon();
    };
    if (!this.#isClosed) this.#cancelRetry ??= host.setTimer(retryAfterMs, retry, { unref: true });
    return this.error;
  }
}
