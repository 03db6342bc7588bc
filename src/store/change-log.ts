/**
 * The writing end of an account's change log: lines go into memory at once and to the disk in groups (contract §7).
 *
 * A byte is forgotten only when the medium has it. After an error everything since the last good sync is written again at
 * the same place: a partial line is overwritten by itself, and bytes that a failed sync may have lost are not trusted.
 */
import { dirname } from 'node:path';
import type { Cancel, HostTime } from '../time/host.js';
import { type Disk, errorText, writeFully } from './disk.js';
import { currentVersion, logFormat } from './file-version.js';

/**
 * `always`: what is flushed is on the medium. `interval`: it is with the operating system at once, so that it survives the
 * end of the process, and on the medium within 50 ms.
 */
export type Fsync = 'always' | 'interval';

const syncEveryMs = 50;
const retryEveryMs = 1000;
/** After so long without a line the file is let go: a sandbox may have more accounts than a process may have open files. */
const idleMs = 1000;

export interface ChangeLogOptions {
  readonly disk: Disk;
  readonly host: HostTime;
  readonly key: string;
  readonly fsync: Fsync;
  readonly warn: (text: string) => void;
  /** The file of a generation. */
  readonly path: (generation: number) => string;
  /** The generation to go on with, and how many good bytes it has; 0 when there is no file yet. */
  readonly generation: number;
  readonly size: number;
  /** What must be done before the first line is written. Done again when it failed. */
  readonly prepare: () => Promise<void>;
}

interface Promised {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Waiter extends Promised {
  readonly upTo: number;
  readonly synced: boolean;
}

export type Health = { readonly ok: true } | { readonly ok: false; readonly error: string };

export class ChangeLog {
  readonly #options: ChangeLogOptions;
  #generation: number;
  #file: number | null = null;
  #prepared = false;
  /** Whether the directory on the medium knows the file. */
  #named = true;
  #rotation: Promised | null = null;

  /** Lines not yet given to the disk, bytes being given, and bytes given but not known to be on the medium. */
  #pending: string[] = [];
  #underWay: Buffer | null = null;
  #unsynced: Buffer[] = [];
  /** Where the next byte goes, and up to where the medium has the file. */
  #position: number;
  #syncedPosition: number;
  /** Lines counted from the start: taken, with the operating system, on the medium. */
  #appended = 0;
  #written = 0;
  #synced = 0;

  #waiters: Waiter[] = [];
  /** Whether the loop that writes is under way, and its end. */
  #active = false;
  #ended: Promise<void> = Promise.resolve();
  /** The sync that goes on beside the writing, and what it failed with. */
  #syncing: Promise<void> | null = null;
  #syncError: unknown = null;
  /** Counts failures: a sync that began before one says nothing about what is written after it. */
  #epoch = 0;
  #syncTimer: Cancel | null = null;
  #retryTimer: Cancel | null = null;
  #idleTimer: Cancel | null = null;
  #idle = false;
  #failure: Error | null = null;
  #closed = false;

  constructor(options: ChangeLogOptions) {
    this.#options = options;
    this.#generation = options.generation;
    this.#position = this.#syncedPosition = options.size;
  }

  health(): Health {
    return this.#failure ? { ok: false, error: this.#failure.message } : { ok: true };
  }

  /** Takes a line, with its end. It is written with the next flush. */
  append(line: string): void {
    if (this.#closed) return;
    this.#pending.push(line);
    this.#appended += 1;
  }

  /** Resolves when everything appended so far lasts as far as `fsync` promises; rejects when it could not be written. */
  flush(): Promise<void> {
    return this.#reach(this.#options.fsync === 'always');
  }

  /** Resolves when everything appended so far is on the medium. */
  sync(): Promise<void> {
    return this.#reach(true);
  }

  /**
   * Ends this generation, on the medium; what is appended from now on goes to the next, whose number it returns (the same
   * one, when nothing was written to it yet).
   * Rejects when the disk refuses: the generation then goes on.
   */
  async rotate(): Promise<number> {
    const rotated = new Promise<void>((resolve, reject) => (this.#rotation = { resolve, reject }));
    this.#kick();
    await rotated;
    return this.#generation;
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
    this.#pending = [];
    await this.#release();
  }

  #reach(synced: boolean): Promise<void> {
    if ((synced ? this.#synced : this.#written) >= this.#appended) return Promise.resolve();
    if (this.#closed) return Promise.reject(this.#closedError());
    const reached = new Promise<void>((resolve, reject) => {
      this.#waiters.push({ upTo: this.#appended, synced, resolve, reject });
    });
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
      this.#recovered();
      // In the same turn as the last look at the work: whoever comes later starts the loop again.
      this.#active = false;
    } catch (error) {
      await this.#failed(error);
    }
  }

  #hasWork(): boolean {
    if (this.#rotation !== null || this.#syncError !== null || this.#pending.length > 0 || this.#idle) return true;
    return this.#synced < this.#written && this.#mustSync();
  }

  #mustSync(): boolean {
    return this.#options.fsync === 'always' || this.#waiters.some((waiter) => waiter.synced);
  }

  async #round(): Promise<void> {
    this.#rethrowSyncError();
    if (this.#rotation) await this.#turn();
    if (this.#pending.length > 0) await this.#writePending();
    if (this.#mustSync()) await this.#syncNow();
    if (this.#idle) await this.#letGo();
    this.#settle();
    this.#armSync();
    this.#armIdle();
  }

  async #writePending(): Promise<void> {
    const file = await this.#open();
    const upTo = this.#appended;
    const bytes = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    // Remembered before it is tried, so that a failure can do it again; apart from what a sync beside it may tick off.
    this.#underWay = bytes;
    await writeFully(this.#options.disk, file, bytes, this.#position);
    this.#underWay = null;
    this.#unsynced.push(bytes);
    this.#position += bytes.byteLength;
    this.#written = upTo;
  }

  async #open(): Promise<number> {
    const { disk, path, key } = this.#options;
    if (this.#file === null) {
      await this.#prepare();
      const isNew = this.#position === 0;
      this.#file = await disk.open(path(this.#generation), isNew ? 'w' : 'r+');
      if (isNew) {
        const head = { format: logFormat, version: currentVersion, key, generation: this.#generation };
        this.#pending.unshift(`${JSON.stringify(head)}\n`);
        this.#named = false;
      }
    }
    if (!this.#named) await disk.syncDirectory(dirname(path(this.#generation)));
    this.#named = true;
    return this.#file;
  }

  async #prepare(): Promise<void> {
    if (this.#prepared) return;
    await this.#options.prepare();
    this.#prepared = true;
  }

  async #syncNow(): Promise<void> {
    await this.#syncing;
    this.#rethrowSyncError();
    if (this.#file !== null && this.#synced < this.#written) await this.#sync(this.#file);
  }

  /** Syncs what is written at the moment of the call. */
  async #sync(file: number): Promise<void> {
    const { length } = this.#unsynced;
    const [upTo, position, epoch] = [this.#written, this.#position, this.#epoch];
    await this.#options.disk.datasync(file);
    if (epoch !== this.#epoch) return;
    this.#unsynced.splice(0, length);
    this.#synced = upTo;
    this.#syncedPosition = position;
  }

  /** Ends the generation. What is pending goes to the next: the checkpoint that begins there shows it already. */
  async #turn(): Promise<void> {
    await this.#prepare();
    await this.#syncNow();
    // A generation without a byte goes on, so that none is ever missing from the row.
    if (this.#position > 0) {
      if (this.#file !== null) await this.#options.disk.close(this.#file);
      this.#file = null;
      this.#generation += 1;
      this.#position = this.#syncedPosition = 0;
    }
    this.#rotation?.resolve();
    this.#rotation = null;
  }

  #settle(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) {
      if (waiter.upTo <= (waiter.synced ? this.#synced : this.#written)) waiter.resolve();
      else this.#waiters.push(waiter);
    }
  }

  #armSync(): void {
    if (this.#synced >= this.#written || this.#syncTimer || this.#syncing || this.#closed) return;
    this.#syncTimer = this.#options.host.setTimer(syncEveryMs, () => this.#syncBeside(), { unref: true });
  }

  /** Syncs while writing goes on: a slow medium must not keep bytes in the memory of the process. */
  #syncBeside(): void {
    this.#syncTimer = null;
    if (this.#file === null || this.#closed || this.#synced >= this.#written) return;
    this.#syncing = this.#sync(this.#file)
      .catch((error: unknown) => {
        this.#syncError = error;
      })
      .then(() => {
        this.#syncing = null;
        if (this.#syncError !== null) this.#kick();
        else this.#armSync();
      });
  }

  #armIdle(): void {
    if (this.#file === null || this.#idleTimer || this.#closed) return;
    const before = this.#appended;
    this.#idleTimer = this.#options.host.setTimer(
      idleMs,
      () => {
        this.#idleTimer = null;
        this.#idle = this.#appended === before;
        if (this.#idle) this.#kick();
        else this.#armIdle();
      },
      { unref: true },
    );
  }

  async #letGo(): Promise<void> {
    this.#idle = false;
    await this.#syncNow();
    if (this.#file === null || this.#position === 0 || this.#synced < this.#appended) return;
    const file = this.#file;
    this.#file = null;
    await this.#options.disk.close(file);
  }

  #rethrowSyncError(): void {
    const error = this.#syncError;
    this.#syncError = null;
    if (error !== null) throw error as Error;
  }

  #recovered(): void {
    if (!this.#failure || this.#closed) return;
    this.#failure = null;
    this.#options.warn(`${this.#options.path(this.#generation)} can be written again; nothing was lost.`);
  }

  async #failed(cause: unknown): Promise<void> {
    const { disk, path, warn, host } = this.#options;
    // Whole lines only, should the process end before it can write again.
    if (this.#file !== null) await disk.truncate(this.#file, this.#position).catch(() => undefined);
    // A sync still under way must not be answered by the next file's bytes.
    await this.#syncing;
    this.#syncError = null;
    this.#epoch += 1;
    const again = this.#underWay === null ? this.#unsynced : [...this.#unsynced, this.#underWay];
    this.#pending = [...again.map((bytes) => bytes.toString()), ...this.#pending];
    this.#underWay = null;
    this.#unsynced = [];
    this.#position = this.#syncedPosition;
    this.#written = this.#synced;
    const first = this.#failure === null;
    this.#failure = new Error(`${path(this.#generation)} cannot be written: ${errorText(cause)}`, { cause });
    if (first) {
      warn(
        `${this.#failure.message}. Make room or mend the disk: what changed is kept in memory while the sandbox runs, ` +
          'and writing is tried again every second.',
      );
    }
    // Before anybody hears of it: who is refused may ask again at once.
    this.#active = false;
    this.#refuseAll(this.#failure);
    if (this.#closed) return;
    this.#retryTimer ??= host.setTimer(
      retryEveryMs,
      () => {
        this.#retryTimer = null;
        this.#kick();
      },
      { unref: true },
    );
  }

  async #release(): Promise<void> {
    this.#closed = true;
    this.#syncTimer?.();
    this.#idleTimer?.();
    await this.#ended;
    await this.#syncing;
    this.#retryTimer?.();
    this.#refuseAll(this.#closedError());
    if (this.#file !== null) await this.#options.disk.close(this.#file);
    this.#file = null;
  }

  #closedError(): Error {
    return this.#failure ?? new Error(`${this.#options.path(this.#generation)} is closed.`);
  }

  #refuseAll(error: Error): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(error);
    this.#rotation?.reject(error);
    this.#rotation = null;
  }
}
