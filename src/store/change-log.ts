/**
 * The writing end of an account's change log: lines go into memory at once and to the disk in groups (contract §7).
 *
 * A byte is forgotten only when the medium has it. After an error everything since the last good sync is written again at
 * the same place: a partial line is overwritten by itself, and bytes that a failed sync may have lost are not trusted. When
 * an error lasts until too many lines wait, they are given up for a whole new checkpoint: see `Gap`.
 */
import type { HostTime } from '../time/host.js';
import { Alarm } from './alarm.js';
import { Backlog } from './backlog.js';
import { type Disk, errorText } from './disk.js';
import type { Health } from './health.js';
import { LogGeneration } from './log-generation.js';
import { LogProgress } from './log-progress.js';
import { LogWaiters } from './log-waiters.js';

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
  /** Writes the account down whole, beginning with `rotate`; says whether it is in its place. Never rejects. */
  readonly rewrite: () => Promise<boolean>;
}

/**
 * `open`: lines were given up, and more are not even kept. `closing`: a new generation has begun, with the checkpoint that
 * makes up for the lost lines; it counts only when that is in its place. A number is left out between the generations, so
 * that a start in the middle of this sees the gap and tells of it.
 */
type Gap = 'none' | 'open' | 'closing';

export class ChangeLog {
  readonly #options: ChangeLogOptions;
  #generation: LogGeneration;
  readonly #backlog = new Backlog();
  readonly #waiters = new LogWaiters();
  #prepared = false;
  #rotation: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null;
  #gap: Gap = 'none';

  /** Lines taken from the start, and how far they have come. */
  #appended = 0;
  readonly #progress = new LogProgress();

  /** Whether the loop that writes is under way, and its end. */
  #active = false;
  #ended: Promise<void> = Promise.resolve();
  readonly #syncAlarm: Alarm;
  readonly #retryAlarm: Alarm;
  readonly #idleAlarm: Alarm;
  #appendedBefore = 0;
  #idle = false;
  #failure: Error | null = null;
  #closed = false;

  constructor(options: ChangeLogOptions) {
    this.#options = options;
    this.#generation = this.#begin(options.generation, options.size);
    this.#syncAlarm = new Alarm(options.host, syncEveryMs, () => this.#syncBeside());
    this.#retryAlarm = new Alarm(options.host, retryEveryMs, () => {
      if (this.#gap === 'none') this.#kick();
      else void this.#closeGap();
    });
    this.#idleAlarm = new Alarm(options.host, idleMs, () => {
      this.#idle = this.#appended === this.#appendedBefore;
      if (this.#idle) this.#kick();
      else this.#armIdle();
    });
  }

  health(): Health {
    return this.#failure ? { ok: false, error: this.#failure.message } : { ok: true };
  }

  /** Whether lines wait for more than a write: for the account's first files, or for the end of a generation. */
  get isHeldUp(): boolean {
    return !this.#prepared || this.#rotation !== null;
  }

  /** Takes a line, with its end. It is written with the next flush. */
  append(line: string): void {
    if (this.#closed || this.#gap === 'open') return;
    this.#backlog.add(line);
    this.#appended += 1;
    if (this.#failure && this.#backlog.isTooLong) this.#giveUp(this.#failure);
  }

  /** Resolves when everything appended so far lasts as far as `fsync` promises; rejects when it could not be written. */
  flush(): Promise<void> {
    if (this.#gap !== 'none') return Promise.reject(this.#closedError());
    return this.#reach(this.#options.fsync === 'always');
  }

  /** Resolves when everything appended so far is on the medium. */
  sync(): Promise<void> {
    if (this.#gap === 'open') return Promise.reject(this.#closedError());
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
    return this.#generation.number;
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
    this.#backlog.drop();
    await this.#release();
  }

  #begin(generation: number, size: number): LogGeneration {
    const { disk, key, path } = this.#options;
    return new LogGeneration({ disk, key, path: path(generation), generation, size });
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
      if (this.#gap === 'none') this.#recovered();
      // In the same turn as the last look at the work: whoever comes later starts the loop again.
      this.#active = false;
    } catch (error) {
      await this.#failed(error);
    }
  }

  #hasWork(): boolean {
    if (this.#rotation !== null || this.#progress.hasFailed || !this.#backlog.isEmpty || this.#idle) return true;
    return this.#progress.isBehind && this.#mustSync();
  }

  /** After a failure only the medium is believed. */
  #mustSync(): boolean {
    return this.#options.fsync === 'always' || this.#failure !== null || this.#waiters.wantSync;
  }

  async #round(): Promise<void> {
    this.#progress.rethrow();
    if (this.#rotation) await this.#turn();
    if (!this.#backlog.isEmpty) await this.#writeBacklog();
    if (this.#mustSync()) await this.#progress.sync(this.#generation);
    if (this.#idle) await this.#letGo();
    this.#waiters.settle(this.#progress.written, this.#progress.synced);
    this.#armSync();
    this.#armIdle();
  }

  async #writeBacklog(): Promise<void> {
    await this.#prepare();
    const upTo = this.#appended;
    const text = this.#backlog.take();
    await this.#generation.write(text);
    this.#progress.wrote(upTo);
  }

  async #prepare(): Promise<void> {
    if (this.#prepared) return;
    await this.#options.prepare();
    this.#prepared = true;
  }

  /** Ends the generation. What is pending goes to the next: the checkpoint that begins there shows it already. */
  async #turn(): Promise<void> {
    await this.#prepare();
    if (this.#gap !== 'open') await this.#progress.sync(this.#generation);
    // A generation without a byte goes on, so that none is ever missing from the row; but for a gap, which must be seen.
    const ahead = this.#gap === 'open' ? 2 : this.#generation.isEmpty ? 0 : 1;
    if (ahead > 0) {
      await this.#generation.close();
      this.#generation = this.#begin(this.#generation.number + ahead, 0);
    }
    if (this.#gap === 'open') {
      this.#gap = 'closing';
      // What was given up is not waited for either.
      this.#progress.giveUp(this.#appended);
    }
    this.#rotation?.resolve();
    this.#rotation = null;
  }

  #armSync(): void {
    if (this.#progress.isBehind && !this.#progress.isSyncing && !this.#closed) this.#syncAlarm.set();
  }

  #syncBeside(): void {
    if (!this.#generation.isOpen || this.#closed || !this.#progress.isBehind) return;
    this.#progress.syncBeside(this.#generation, () => {
      if (this.#progress.hasFailed) this.#kick();
      else this.#armSync();
    });
  }

  #armIdle(): void {
    if (!this.#generation.isOpen || this.#idleAlarm.isSet || this.#closed) return;
    this.#appendedBefore = this.#appended;
    this.#idleAlarm.set();
  }

  async #letGo(): Promise<void> {
    this.#idle = false;
    await this.#progress.sync(this.#generation);
    if (this.#generation.isEmpty || this.#progress.synced < this.#appended) return;
    await this.#generation.close();
  }

  #recovered(): void {
    if (!this.#failure || this.#closed) return;
    this.#failure = null;
    this.#options.warn(`${this.#generation.path} can be written again; nothing was lost.`);
  }

  async #failed(cause: unknown): Promise<void> {
    await this.#generation.cut();
    // A sync still under way must not be answered by the next file's bytes.
    await this.#progress.rewind();
    const again = this.#generation.rewind();
    if (this.#gap !== 'open') this.#backlog.putBack(again);
    const first = this.#failure === null;
    this.#failure = new Error(`${this.#generation.path} cannot be written: ${errorText(cause)}`, { cause });
    if (first) {
      this.#options.warn(
        `${this.#failure.message}. Make room or mend the disk: what changed is kept in memory while the sandbox runs, ` +
          'calls that would change more are refused, and writing is tried again every second.',
      );
    }
    // Before anybody hears of it: who is refused may ask again at once.
    this.#active = false;
    this.#refuseAll(this.#failure);
    if (this.#gap === 'none' && !this.#closed) this.#retryAlarm.set();
  }

  #giveUp(failure: Error): void {
    if (this.#gap === 'none') {
      this.#options.warn(
        `${failure.message}, and too much waits for it. When it can be written again, the account is written down whole.`,
      );
    }
    this.#gap = 'open';
    this.#backlog.drop();
    this.#refuseAll(failure);
    if (!this.#closed) this.#retryAlarm.set();
  }

  async #closeGap(): Promise<void> {
    const done = await this.#options.rewrite();
    if (done && this.#gap === 'closing') {
      this.#gap = 'none';
      this.#kick();
    } else if (!this.#closed) {
      this.#giveUp(this.#failure ?? this.#closedError());
    }
  }

  async #release(): Promise<void> {
    this.#closed = true;
    this.#syncAlarm.stop();
    this.#idleAlarm.stop();
    await this.#ended;
    await this.#progress.ended();
    this.#retryAlarm.stop();
    this.#refuseAll(this.#closedError());
    await this.#generation.close();
  }

  #closedError(): Error {
    return this.#failure ?? new Error(`${this.#generation.path} is closed.`);
  }

  #refuseAll(error: Error): void {
    this.#waiters.refuse(error);
    this.#rotation?.reject(error);
    this.#rotation = null;
  }
}
