/** The generations of a change log, one after the other: the one that is written, and the turn to the next (contract §7). */
import type { Disk } from './disk.js';
import { LogGeneration } from './log-generation.js';

export interface LogSeriesOptions {
  readonly disk: Disk;
  readonly key: string;
  /** The file of a generation. */
  readonly path: (generation: number) => string;
  /** The generation to go on with, and how many good bytes it has; 0 when there is no file yet. */
  readonly generation: number;
  readonly size: number;
  /** What must be done before the first line is written. Done again when it failed. */
  readonly prepare: () => Promise<void>;
}

export class LogSeries {
  readonly #options: LogSeriesOptions;
  #current: LogGeneration;
  #prepared = false;

  constructor(options: LogSeriesOptions) {
    this.#options = options;
    this.#current = this.#begin(options.generation, options.size);
  }

  get current(): LogGeneration {
    return this.#current;
  }

  /** Before anything is written. @throws what the preparation throws */
  async prepare(): Promise<void> {
    if (this.#prepared) return;
    await this.#options.prepare();
    this.#prepared = true;
  }

  /** @param afterGap lines are missing at the end of the current one, and a start must see that. */
  async turn(afterGap: boolean): Promise<void> {
    // A generation without a byte goes on, so that none is ever missing from the row; but for a gap, which must be seen.
    const ahead = afterGap ? 2 : this.#current.isEmpty ? 0 : 1;
    if (ahead === 0) return;
    await this.#current.close();
    this.#current = this.#begin(this.#current.number + ahead, 0);
  }

  #begin(generation: number, size: number): LogGeneration {
    const { disk, key, path } = this.#options;
    return new LogGeneration({ disk, key, path: path(generation), generation, size });
  }
}
