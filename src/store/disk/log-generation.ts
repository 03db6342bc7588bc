/**
 * One generation of a change log, while it is written: a file, how far the medium has it, and the bytes that the medium may
 * not have yet (contract §7).
 */
import { dirname } from 'node:path';
import { type Disk, writeFully } from './disk.js';
import { currentVersion, logFormat } from './file-version.js';

export interface GenerationOptions {
  readonly disk: Disk;
  readonly key: string;
  readonly path: string;
  readonly generation: number;
  /** How many good bytes the file has; 0 when there is none yet. */
  readonly size: number;
}

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
