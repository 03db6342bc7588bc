/** One generation of the log of an account, while it is written: a head, then one line for each write. */
import { join } from 'node:path';
import type { Cancel, SystemClock } from '../../time/system-clock.js';
import type { Disk, DiskFile } from './disk.js';
import { logName } from './file-names.js';
import { logHead } from './log-lines.js';
import type { Fsync } from './persistence.js';

const syncAfterMs = 50;
/** An idle log is closed after at most two checks, because there may be more accounts than open files allowed. */
const idleMs = 1000;

export interface LogPlace {
  readonly disk: Disk;
  readonly host: SystemClock;
  readonly fsync: Fsync;
  readonly dir: string;
  /** The file name of the account, without its extension. */
  readonly name: string;
  readonly key: string;
}

export function logPath({ dir, name }: Pick<LogPlace, 'dir' | 'name'>, generation: number): string {
  return join(dir, logName(name, generation));
}

export class LogFile {
  readonly path: string;
  readonly generation: number;
  readonly #place: LogPlace;
  readonly #onError: (error: unknown) => void;
  #size: number;
  #file: DiskFile | null = null;
  /** Whether the medium may lack bytes. */
  #isBehind = false;
  #syncing: Promise<void> = Promise.resolve();
  readonly #syncTimer: Timer;
  readonly #idleTimer: Timer;
  #isActive = false;

  /**
   * @param size the bytes of a file that is continued; 0 for a new one, which may overwrite the rest of a failed one
   * @param onError receives the error of a sync that no call waits for
   */
  constructor(place: LogPlace, generation: number, size: number, onError: (error: unknown) => void) {
    this.#place = place;
    this.#onError = onError;
    this.path = logPath(place, generation);
    this.generation = generation;
    this.#size = size;
    this.#syncTimer = createTimer(place.host, syncAfterMs, () => this.#syncBeside());
    this.#idleTimer = createTimer(place.host, idleMs, () => this.#look());
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /**
   * Resolves when the lines are stored as `Fsync` says. One call at a time; after an error, no more.
   * @throws the error of the disk
   */
  async append(lines: string): Promise<void> {
    this.#isActive = true;
    const { disk, fsync, dir, key } = this.#place;
    if (this.#file === null) {
      this.#file = await disk.open(this.path, this.isEmpty ? 'w' : 'a');
      if (this.isEmpty) await disk.syncDirectory(dir);
    }
    const bytes = Buffer.from(this.isEmpty ? logHead(key, this.generation) + lines : lines);
    try {
      this.#isBehind = true;
      await this.#file.appendFile(bytes);
    } catch (error) {
      // Leaves only complete lines, in case the process ends before the account is written completely.
      await this.#file.truncate(this.#size).catch(() => undefined);
      throw error;
    }
    this.#size += bytes.byteLength;
    if (fsync === 'always') await this.sync();
    else this.#syncTimer.set();
    this.#idleTimer.set();
  }

  /**
   * Resolves when everything written before the call is on the medium. After an error, all later calls reject, because
   * the system may have dropped the bytes.
   */
  sync(): Promise<void> {
    const file = this.#file;
    if (file !== null && this.#isBehind) {
      this.#isBehind = false;
      this.#syncing = this.#syncing.then(() => file.datasync());
    }
    return this.#syncing;
  }

  /** The next line opens the file again. */
  async close(): Promise<void> {
    this.#syncTimer.stop();
    this.#idleTimer.stop();
    const file = this.#file;
    this.#file = null;
    await this.#syncing.catch(() => undefined);
    await file?.close();
  }

  /** Lines are written during this sync. */
  #syncBeside(): void {
    this.sync().then(() => {
      if (this.#isBehind && this.#file) this.#syncTimer.set();
    }, this.#onError);
  }

  #look(): void {
    const wasActive = this.#isActive;
    this.#isActive = false;
    if (wasActive) this.#idleTimer.set();
    else this.sync().then(() => (this.#isActive ? undefined : this.close()), this.#onError);
  }
}

/** Returns a timer that is set once at a time and does not keep the process alive. */
export function createTimer(host: SystemClock, delayMs: number, ring: () => void) {
  let cancel: Cancel | null = null;
  const stop = (): void => {
    cancel?.();
    cancel = null;
  };
  const rung = (): void => {
    cancel = null;
    ring();
  };
  return { set: () => void (cancel ??= host.setTimer(delayMs, rung, { unref: true })), stop };
}

export type Timer = ReturnType<typeof createTimer>;
