/**
 * Stores an account on disk, as a lowdb adapter: a checkpoint and the log of the changes since. When the log outgrows the
 * checkpoint, the account is captured and written completely, and a new generation of the log starts at that instant.
 * After a disk error, the account is written completely every second. A new or restored account starts in the same way.
 */
import { join } from 'node:path';
import { type AccountData, tableEntries } from '../tables/account-data.js';
import { Capture } from '../tables/capture.js';
import { checkpointSlices, inPassing } from './checkpoint.js';
import { writeAtomically } from './disk.js';
import { errorText, unlessMissing } from './disk-errors.js';
import { checkpointName } from './file-names.js';
import type { FoundFiles } from './load-account.js';
import { createTimer, LogFile, type LogPlace, logPath, type Timer } from './log-file.js';
import { LogGrowth } from './log-growth.js';
import { batchLine } from './log-lines.js';
import type { Batch, Health, Persistence } from './persistence.js';
import { WorkQueue } from './work-queue.js';

const retryAfterMs = 1000;

export interface FilePersistenceOptions extends LogPlace {
  readonly data: AccountData;
  readonly warn: (text: string) => void;
  /** The stored account; null for a new one. */
  readonly found: FoundFiles | null;
  /** Resolves when the files of a deleted account of the same name are gone. Called again after an error. */
  readonly vacated: () => Promise<void>;
}

export class FilePersistence implements Persistence {
  readonly lasts = true;
  readonly #options: FilePersistenceOptions;
  #log: LogFile;
  /** The first generation of the log that may be on disk. */
  #from: number;
  readonly #growth: LogGrowth;
  /** Whether checkpoint and log hold everything but the pending lines. */
  #isWhole: boolean;
  /** Whether another account has taken the place of this one, and no checkpoint has captured it yet. */
  #isReplaced = false;
  #error: Error | null = null;
  readonly #retryTimer: Timer;

  #pending = '';
  /** How the lines so far are stored, and whether that write has not started yet and accepts more lines. */
  #latest: Promise<void> = Promise.resolve();
  #isWaiting = false;
  readonly #queue = new WorkQueue();
  #checkpoint: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: FilePersistenceOptions) {
    this.#options = options;
    const { host, found } = options;
    this.#from = found?.from ?? 1;
    this.#growth = new LogGrowth(found?.logBytes ?? 0, found?.checkpointBytes ?? 0);
    this.#isWhole = found?.isWhole ?? false;
    this.#log = this.#logFile(found?.generation ?? 1, found?.size ?? 0);
    this.#retryTimer = createTimer(host, retryAfterMs, () => {
      // A checkpoint that began before the error does not contain everything.
      if (this.#checkpoint) this.#retryTimer.set();
      else void this.fold();
    });
  }

  health(): Health {
    return this.#error ? { ok: false, error: this.#error.message } : { ok: true };
  }

  append(batch: Batch): void {
    // While nothing can be written, the next checkpoint contains the change.
    if (this.#closing || (this.#error && !this.#checkpoint)) return;
    if (batch.changes.some((change) => change.op === 'clear' && change.replaced)) this.#replace();
    if (this.#isReplaced) return;
    const line = batchLine(batch);
    this.#pending += line;
    this.#growth.add(line.length);
    if (batch.changes.some(({ op }) => op === 'clear')) this.#growth.cleared();
    if (!this.#isWhole || this.#growth.isFull) void this.fold();
  }

  read(): Promise<AccountData> {
    return Promise.resolve(this.#options.data);
  }

  write(): Promise<void> {
    if (this.#error) return Promise.reject(this.#error);
    if (this.#pending !== '' && !this.#isWaiting) {
      this.#isWaiting = true;
      this.#latest = this.#queue.run(() => this.#writePending());
    }
    return this.#latest;
  }

  /** Writes the account completely. Never rejects. */
  fold(): Promise<void> {
    return this.#checkpoint ?? this.#fold(() => (this.#isWhole ? this.#endGeneration() : this.#recover()));
  }

  /** Writes the account completely, because no log leads from what is stored to what the account is now. */
  #replace(): void {
    // A checkpoint that has not begun yet contains the change.
    if (this.#isReplaced) return;
    this.#isReplaced = true;
    const running = this.#checkpoint;
    void this.#fold(() => Promise.resolve(running).then(() => this.#recover()));
  }

  /** @param begin returns a capture that is to be written while changes are logged; null if there is none */
  #fold(begin: () => Promise<Capture | null>): Promise<void> {
    const begun = this.#queue.run(begin);
    // By then the pending lines are on disk, or the checkpoint that contains them.
    this.#latest = this.#queue.run(() => this.#writePending());
    this.#latest.catch(() => undefined);
    const checkpoint = begun.then(async (capture) => {
      if (capture) await this.#renew(capture);
      if (this.#checkpoint === checkpoint) this.#checkpoint = null;
    });
    return (this.#checkpoint = checkpoint);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Stops because the files are about to be removed. */
  async abandon(): Promise<void> {
    this.#closing ??= Promise.resolve();
    await this.#checkpoint;
    await this.#release();
  }

  async #writePending(): Promise<void> {
    this.#isWaiting = false;
    if (this.#error) throw this.#error;
    const lines = this.#pending;
    this.#pending = '';
    try {
      if (lines !== '') await this.#log.append(lines);
    } catch (error) {
      throw this.#fail(this.#log.path, error);
    }
  }

  /** Completes a generation of the log up to the capture, which it returns; null after an error. */
  async #endGeneration(): Promise<Capture | null> {
    if (this.#isReplaced) return null;
    const [log, lines] = [this.#log, this.#pending];
    const capture = this.#begin();
    try {
      if (lines !== '') await log.append(lines);
      await log.sync();
      await log.close();
      return capture;
    } catch (error) {
      capture.release();
      this.#fail(log.path, error);
      return null;
    }
  }

  /** Replaces the checkpoint while changes are logged. */
  async #renew(capture: Capture): Promise<void> {
    const { name, warn } = this.#options;
    try {
      await this.#place(capture);
    } catch (error) {
      this.#growth.postpone();
      const way = 'Nothing is lost: the changes are in its log, and writing is retried when the log has grown.';
      warn(`${checkpointName(name)} could not be written: ${errorText(error)}. ${way}`);
    }
  }

  /** Makes up for a log that lacks changes. Nothing is logged before the checkpoint is in place. */
  async #recover(): Promise<null> {
    const { dir, key, name, vacated, warn } = this.#options;
    try {
      await vacated();
      await this.#log.close().catch(() => undefined);
      await this.#place(this.#begin());
      this.#isWhole = true;
      if (this.#error) warn(`The files of the account ${JSON.stringify(key)} can be written again; nothing was lost.`);
      this.#error = null;
    } catch (error) {
      this.#fail(join(dir, checkpointName(name)), error);
    }
    return null;
  }

  /** Captures the account. Later changes go to the next generation of the log; no number of a generation is left out. */
  #begin(): Capture {
    const { generation, isEmpty } = this.#log;
    const isUnused = isEmpty && (this.#pending === '' || !this.#isWhole);
    this.#log = this.#logFile(isUnused ? generation : generation + 1, 0);
    this.#pending = '';
    this.#growth.captured();
    this.#isReplaced = false;
    return new Capture(this.#options.data);
  }

  /** Writes the checkpoint, and removes the generations that it contains. */
  async #place(capture: Capture): Promise<void> {
    const { disk, dir, name, key, host } = this.#options;
    const { generation } = this.#log;
    try {
      const slices = inPassing(checkpointSlices({ key, log: generation }, capture), host);
      const size = await writeAtomically(disk, dir, checkpointName(name), slices);
      for (; this.#from < generation; this.#from += 1) {
        await unlessMissing(disk.unlink(logPath(this.#options, this.#from)));
      }
      this.#growth.replaced(size);
    } finally {
      capture.release();
    }
  }

  #fail(path: string, cause: unknown): Error {
    const way =
      'Free disk space or repair the disk: changes are kept in memory while the sandbox runs, calls that would change more ' +
      'are rejected, and writing is retried every second.';
    const error = new Error(`${path} cannot be written: ${errorText(cause)}`, { cause });
    if (!this.#error) this.#options.warn(`${error.message}. ${way}`);
    this.#error = error;
    this.#isWhole = false;
    this.#pending = '';
    if (!this.#closing) this.#retryTimer.set();
    return error;
  }

  async #close(): Promise<void> {
    await this.#checkpoint;
    const records = tableEntries(this.#options.data.tables).reduce((sum, [, { size }]) => sum + size, 0);
    if (this.#error || this.#growth.isWorthClosing(records)) await this.fold();
    await this.write()
      .then(() => this.#log.sync())
      .finally(() => this.#release());
  }

  async #release(): Promise<void> {
    this.#retryTimer.stop();
    await this.#queue.ended();
    await this.#log.close();
  }

  #logFile(generation: number, size: number): LogFile {
    return new LogFile(this.#options, generation, size, (error) => this.#fail(this.#log.path, error));
  }
}
