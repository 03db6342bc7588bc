/** The generations of a change log, one file after the other: the one that is written, and the turn to the next. */
import { dirname } from 'node:path';
import { currentVersion, logFormat } from './file-version.js';
import { type Disk, writeFully } from './disk.js';

export interface GenerationOptions {
  readonly disk: Disk;
  readonly key: string;
  readonly path: string;
  readonly generation: number;
  /** How many good bytes the file has; 0 when there is none yet. */
  readonly size: number;
}

/** One file of the log that is being written. */
export class LogGeneration {
  readonly path: string;
  readonly number: number;
  readonly #disk: Disk;
  #file: number | null = null;
  /** Whether the directory on the medium knows the file. */
  #named = true;
  /** The first line, until it is given to the disk. */
  #head: string;
  /** Bytes being given to the disk, and bytes given but not known to be on the medium. */
  #underWay: Buffer | null = null;
  #unsynced: Buffer[] = [];
  /** Where the next byte goes, and up to where the medium has the file. */
  #position: number;
  #syncedPosition: number;
  /** Counts rewinds: a sync that began before one says nothing about what is written after it. */
  #epoch = 0;

  constructor({ disk, key, path, generation, size }: GenerationOptions) {
    this.#disk = disk;
    this.path = path;
    this.number = generation;
    this.#position = this.#syncedPosition = size;
    const head = { format: logFormat, version: currentVersion, key, generation };
    this.#head = size > 0 ? '' : `${JSON.stringify(head)}\n`;
  }

  get isEmpty(): boolean {
    return this.#position === 0;
  }

  get isOpen(): boolean {
    return this.#file !== null;
  }

  /** @throws what the disk says; `rewind` then tells what must be written again */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(this.#head + text);
    this.#head = '';
    // Remembered before it is tried, so that a failure can do it again; apart from what a sync beside it may tick off.
    this.#underWay = bytes;
    const file = await this.#open();
    await writeFully(this.#disk, file, bytes, this.#position);
    this.#underWay = null;
    this.#unsynced.push(bytes);
    this.#position += bytes.byteLength;
  }

  /** Brings to the medium what is written at the moment of the call; false when it was rewound meanwhile. */
  async sync(): Promise<boolean> {
    if (this.#file === null) return true;
    const { length } = this.#unsynced;
    const [position, epoch] = [this.#position, this.#epoch];
    await this.#disk.datasync(this.#file);
    if (epoch !== this.#epoch) return false;
    this.#unsynced.splice(0, length);
    this.#syncedPosition = position;
    return true;
  }

  /** Leaves whole lines only, should the process end before it can write again. */
  async cut(): Promise<void> {
    if (this.#file !== null) await this.#disk.truncate(this.#file, this.#position).catch(() => undefined);
  }

  /**
   * Goes back to where the medium surely has the file, and returns what must be written again from there: bytes that a
   * failed sync may have lost are not trusted.
   */
  rewind(): string {
    const again = this.#underWay === null ? this.#unsynced : [...this.#unsynced, this.#underWay];
    this.#epoch += 1;
    this.#underWay = null;
    this.#unsynced = [];
    this.#position = this.#syncedPosition;
    return Buffer.concat(again).toString();
  }

  /** Lets the file go; the next write takes it up again. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    if (file !== null) await this.#disk.close(file);
  }

  async #open(): Promise<number> {
    if (this.#file === null) {
      const isNew = this.#position === 0;
      this.#file = await this.#disk.open(this.path, isNew ? 'w' : 'r+');
      if (isNew) this.#named = false;
    }
    if (!this.#named) await this.#disk.syncDirectory(dirname(this.path));
    this.#named = true;
    return this.#file;
  }
}

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

/** The generations one after the other. */
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
