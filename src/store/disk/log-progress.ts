/** How far the lines of a change log have come: those that wait, those that are written, and the calls that wait for either. */
import type { LogGeneration } from './log-generation.js';

/** How many lines the operating system has, and how many the medium. */
export class LogProgress {
  #written = 0;
  #synced = 0;
  /** The sync that goes on beside the writing, and what it failed with. */
  #beside: Promise<void> | null = null;
  #error: unknown = null;

  get written(): number {
    return this.#written;
  }

  get synced(): number {
    return this.#synced;
  }

  /** Whether something is written that the medium may not have. */
  get isBehind(): boolean {
    return this.#synced < this.#written;
  }

  get isSyncing(): boolean {
    return this.#beside !== null;
  }

  /** Whether a sync beside has failed, and nobody was told yet. */
  get hasFailed(): boolean {
    return this.#error !== null;
  }

  wrote(upTo: number): void {
    this.#written = upTo;
  }

  /** Lines up to here are not waited for any more. */
  giveUp(upTo: number): void {
    this.#written = this.#synced = upTo;
  }

  /** Only what the medium has counts as written. Before the next line is, no sync is under way and none has failed. */
  async rewind(): Promise<void> {
    await this.ended();
    this.#error = null;
    this.#written = this.#synced;
  }

  /** @throws what a sync failed with, this one or one beside */
  async sync(generation: LogGeneration): Promise<void> {
    await this.ended();
    this.rethrow();
    if (this.isBehind) await this.#sync(generation);
  }

  /** Syncs while writing goes on, and calls `done` at the end, however it ended. */
  syncBeside(generation: LogGeneration, done: () => void): void {
    this.#beside = this.#sync(generation)
      .catch((error: unknown) => {
        this.#error = error;
      })
      .then(() => {
        this.#beside = null;
        done();
      });
  }

  async ended(): Promise<void> {
    await this.#beside;
  }

  rethrow(): void {
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error as Error;
  }

  /** Syncs what is written at the moment of the call. */
  async #sync(generation: LogGeneration): Promise<void> {
    const upTo = this.#written;
    if (await generation.sync()) this.#synced = upTo;
  }
}

/** Who waits until the lines of a change log last: with the operating system, or on the medium. */
interface Waiter {
  /** Lines counted from the start. */
  readonly upTo: number;
  readonly synced: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The calls that wait until their lines are with the operating system or on the medium. */
export class LogWaiters {
  #waiting: Waiter[] = [];

  /** Whether somebody waits for the medium. */
  get wantSync(): boolean {
    return this.#waiting.some((waiter) => waiter.synced);
  }

  add(upTo: number, synced: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ upTo, synced, resolve, reject });
    });
  }

  /** Answers everybody whose lines are there. */
  settle(written: number, synced: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) {
      if (waiter.upTo <= (waiter.synced ? synced : written)) waiter.resolve();
      else this.#waiting.push(waiter);
    }
  }

  refuse(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) waiter.reject(error);
  }
}

/** Characters of lines that may wait for a disk that fails. */
export const longestQueue = 8 * 1024 * 1024;

/**
 * Lines that wait to be written. While the disk fails there is a limit; beyond it they are dropped, because memory holds what
 * they say, and the account is written down whole instead.
 */
export class WriteQueue {
  #lines: string[] = [];
  #chars = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get isTooLong(): boolean {
    return this.#chars > longestQueue;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#chars += line.length;
  }

  /** What was tried in vain goes before what came since. */
  putBack(text: string): void {
    if (text === '') return;
    this.#lines.unshift(text);
    this.#chars += text.length;
  }

  take(): string {
    const text = this.#lines.join('');
    this.drop();
    return text;
  }

  drop(): void {
    this.#lines = [];
    this.#chars = 0;
  }
}
