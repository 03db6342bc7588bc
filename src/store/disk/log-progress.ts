/**
 * How far the lines of a change log have come: counted from the start, with the operating system, and on the medium. Syncs
 * go one at a time, some of them beside the writing: a slow medium must not keep bytes in the memory of the process.
 */
import type { LogGeneration } from './log-generation.js';

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
