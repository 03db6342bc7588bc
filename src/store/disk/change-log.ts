/**
 * The writing end of an account's change log: lines go into memory at once and to the disk in groups.
 *
 * A byte is dropped only when the medium has it. After an error everything since the last good sync is written again at the
 * same place, because a failed sync may have lost any of it. If the error lasts until too many lines wait, they are given up
 * for a whole new checkpoint: see `LogTrouble`.
 */
import type { SystemClock } from '../../time/system-clock.js';
import { DelayTimer, IdleTimer } from './timers.js';
import { WriteQueue, LogProgress, LogWaiters } from './log-progress.js';
import type { Fsync, Health } from './persistence.js';
import { LogSeries, type LogSeriesOptions } from './log-generation.js';
import { LogTrouble } from './log-trouble.js';

const syncEveryMs = 50;
/** After so long without a line the file is let go: a sandbox may have more accounts than a process may have open files. */
const idleMs = 1000;

export interface ChangeLogOptions extends LogSeriesOptions {
  readonly host: SystemClock;
  readonly fsync: Fsync;
  readonly warn: (text: string) => void;
  /** Writes the account down whole, beginning with `rotate`; says whether it is in its place. Never rejects. */
  readonly rewrite: () => Promise<boolean>;
}

export class ChangeLog {
  readonly #options: ChangeLogOptions;
  readonly #series: LogSeries;
  readonly #queue = new WriteQueue();
  readonly #waiters = new LogWaiters();
  #rotation: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null;

  /** Lines taken from the start, and how far they have come. */
  #appended = 0;
  readonly #progress = new LogProgress();

  /** Whether the loop that writes is under way, and its end. */
  #active = false;
  #ended: Promise<void> = Promise.resolve();
  readonly #syncTimer: DelayTimer;
  readonly #idleTimer: IdleTimer;
  /** Whether the file is to be let go. */
  #idle = false;
  readonly #trouble: LogTrouble;
  #closed = false;

  constructor(options: ChangeLogOptions) {
    this.#options = options;
    this.#series = new LogSeries(options);
    this.#syncTimer = new DelayTimer(options.host, syncEveryMs, () => this.#syncBeside());
    this.#trouble = new LogTrouble({
      host: options.host,
      warn: options.warn,
      path: () => this.#series.current.path,
      retry: () => this.#kick(),
      rewrite: options.rewrite,
      drop: () => this.#queue.drop(),
      refuse: (error) => this.#refuseAll(error),
    });
    this.#idleTimer = new IdleTimer({
      host: options.host,
      everyMs: idleMs,
      count: () => this.#appended,
      onIdle: () => {
        this.#idle = true;
        this.#kick();
      },
    });
  }

  health(): Health {
    return this.#trouble.health;
  }

  /** Takes a line, with its end. It is written with the next flush. */
  append(line: string): void {
    if (this.#closed || this.#trouble.gapIsOpen) return;
    this.#queue.add(line);
    this.#appended += 1;
    if (this.#trouble.failure && this.#queue.isTooLong) this.#trouble.giveUp(this.#trouble.failure);
  }

  /** Resolves when everything appended so far lasts as far as `fsync` promises; rejects when it could not be written. */
  flush(fsync = this.#options.fsync): Promise<void> {
    if (this.#trouble.hasGap) return Promise.reject(this.#closedError());
    return this.#reach(fsync === 'always');
  }

  /** Resolves when everything appended so far is on the medium. */
  sync(): Promise<void> {
    if (this.#trouble.gapIsOpen) return Promise.reject(this.#closedError());
    return this.#reach(true);
  }

  /**
   * Ends this generation, on the medium; what is appended from now on goes to the next, whose number it returns (the same
   * one, when nothing was written to it yet).
   * Rejects when the disk refuses: the generation then goes on.
   */
  async rotate(): Promise<number> {
    if (this.#closed) throw this.#closedError();
    const rotated = new Promise<void>((resolve, reject) => (this.#rotation = { resolve, reject }));
    this.#kick();
    await rotated;
    return this.#series.current.number;
  }

  /** Writes and syncs what is left and lets the file go, in any case; rejects when something could not be written. */
  async close(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.sync();
    } finally {
      await this.#release();
    }
  }

  /** Lets the file go without writing what is left. */
  async abandon(): Promise<void> {
    this.#queue.drop();
    await this.#release();
  }

  #reach(synced: boolean): Promise<void> {
    if ((synced ? this.#progress.synced : this.#progress.written) >= this.#appended) return Promise.resolve();
    if (this.#closed) return Promise.reject(this.#closedError());
    const reached = this.#waiters.add(this.#appended, synced);
    this.#kick();
    return reached;
  }

  #kick(): void {
    if (this.#active || this.#closed) return;
    this.#active = true;
    this.#ended = this.#run();
  }

  async #run(): Promise<void> {
    try {
      while (!this.#closed && this.#hasWork()) await this.#round();
      if (!this.#closed) this.#trouble.recover();
      // In the same turn as the last look at the work: whoever comes later starts the loop again.
      this.#active = false;
    } catch (error) {
      await this.#failed(error);
    }
  }

  #hasWork(): boolean {
    if (this.#rotation !== null || this.#progress.hasFailed || !this.#queue.isEmpty || this.#idle) return true;
    return this.#progress.isBehind && this.#mustSync();
  }

  /** After a failure only the medium is believed. */
  #mustSync(): boolean {
    return this.#options.fsync === 'always' || this.#trouble.failure !== null || this.#waiters.wantSync;
  }

  async #round(): Promise<void> {
    this.#progress.rethrow();
    if (this.#rotation) await this.#turn();
    if (!this.#queue.isEmpty) await this.#writeQueued();
    if (this.#mustSync()) await this.#progress.sync(this.#series.current);
    if (this.#idle) await this.#letGo();
    this.#waiters.settle(this.#progress.written, this.#progress.synced);
    this.#armSync();
    if (this.#series.current.isOpen && !this.#closed) this.#idleTimer.watch();
  }

  async #writeQueued(): Promise<void> {
    await this.#series.prepare();
    const upTo = this.#appended;
    const text = this.#queue.take();
    await this.#series.current.write(text);
    this.#progress.wrote(upTo);
  }

  /** Ends the generation. What is pending goes to the next: the checkpoint that begins there shows it already. */
  async #turn(): Promise<void> {
    await this.#series.prepare();
    if (!this.#trouble.gapIsOpen) await this.#progress.sync(this.#series.current);
    await this.#series.turn(this.#trouble.gapIsOpen);
    if (this.#trouble.gapIsOpen) {
      this.#trouble.beginAfterGap();
      // What was given up is not waited for either.
      this.#progress.giveUp(this.#appended);
    }
    this.#rotation?.resolve();
    this.#rotation = null;
  }

  #armSync(): void {
    if (this.#progress.isBehind && !this.#progress.isSyncing && !this.#closed) this.#syncTimer.set();
  }

  #syncBeside(): void {
    if (!this.#series.current.isOpen || this.#closed || !this.#progress.isBehind) return;
    this.#progress.syncBeside(this.#series.current, () => {
      if (this.#progress.hasFailed) this.#kick();
      else this.#armSync();
    });
  }

  async #letGo(): Promise<void> {
    this.#idle = false;
    await this.#progress.sync(this.#series.current);
    if (this.#series.current.isEmpty || this.#progress.synced < this.#appended) return;
    await this.#series.current.close();
  }

  async #failed(cause: unknown): Promise<void> {
    await this.#series.current.cut();
    // A sync still under way must not be answered by the next file's bytes.
    await this.#progress.rewind();
    const again = this.#series.current.rewind();
    if (!this.#trouble.gapIsOpen) this.#queue.putBack(again);
    // Before anybody hears of it: who is refused may ask again at once.
    this.#active = false;
    this.#trouble.fail(cause);
  }

  async #release(): Promise<void> {
    this.#closed = true;
    this.#trouble.end();
    this.#syncTimer.stop();
    this.#idleTimer.stop();
    await this.#ended;
    await this.#progress.ended();
    this.#trouble.stop();
    this.#refuseAll(this.#closedError());
    await this.#series.current.close();
  }

  #closedError(): Error {
    return this.#trouble.failure ?? new Error(`${this.#series.current.path} is closed.`);
  }

  #refuseAll(error: Error): void {
    this.#waiters.refuse(error);
    this.#rotation?.reject(error);
    this.#rotation = null;
  }
}
