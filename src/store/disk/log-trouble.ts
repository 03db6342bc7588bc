/** What happens to a change log while the disk fails: a retry every second, and a new checkpoint once too many lines wait. */
import type { SystemClock } from '../../time/system-clock.js';
import { DelayTimer } from './timers.js';
import { errorText } from './disk-errors.js';
import type { Health } from './persistence.js';

const retryEveryMs = 1000;

/**
 * `open`: lines were given up, and more are not even kept. `closing`: a new generation has begun, with the checkpoint that
 * makes up for the lost lines; it counts only when that is in its place. A number is left out between the generations, so
 * that a start in the middle of this sees the gap and tells of it.
 */
type Gap = 'none' | 'open' | 'closing';

export interface LogTroubleParts {
  readonly host: SystemClock;
  readonly warn: (text: string) => void;
  /** The file that is being written. */
  readonly path: () => string;
  /** Goes on writing. */
  readonly retry: () => void;
  /** Writes the account down whole, and says whether that is in its place. Never rejects. */
  readonly rewrite: () => Promise<boolean>;
  /** Lets everything go that waits to be written. */
  readonly drop: () => void;
  /** Tells whoever waits. */
  readonly refuse: (error: Error) => void;
}

export class LogTrouble {
  readonly #parts: LogTroubleParts;
  readonly #retryAlarm: DelayTimer;
  #failure: Error | null = null;
  #gap: Gap = 'none';
  #over = false;

  constructor(parts: LogTroubleParts) {
    this.#parts = parts;
    this.#retryAlarm = new DelayTimer(parts.host, retryEveryMs, () => {
      if (this.#gap === 'none') parts.retry();
      else void this.#closeGap();
    });
  }

  get failure(): Error | null {
    return this.#failure;
  }

  get health(): Health {
    return this.#failure ? { ok: false, error: this.#failure.message } : { ok: true };
  }

  /** Whether lines are missing from the log. */
  get hasGap(): boolean {
    return this.#gap !== 'none';
  }

  get gapIsOpen(): boolean {
    return this.#gap === 'open';
  }

  /** The next try failed as well, or it is the first. */
  fail(cause: unknown): void {
    const first = this.#failure === null;
    this.#failure = new Error(`${this.#parts.path()} cannot be written: ${errorText(cause)}`, { cause });
    if (first) {
      this.#parts.warn(
        `${this.#failure.message}. Free disk space or repair the disk: changes are kept in memory while the sandbox runs, ` +
          'calls that would change more are rejected, and writing is tried again every second.',
      );
    }
    this.#parts.refuse(this.#failure);
    if (this.#gap === 'none' && !this.#over) this.#retryAlarm.set();
  }

  /** Everything that waited is written. */
  recover(): void {
    if (!this.#failure || this.#gap !== 'none' || this.#over) return;
    this.#failure = null;
    this.#parts.warn(`${this.#parts.path()} can be written again; nothing was lost.`);
  }

  /** Too much waits. */
  giveUp(failure: Error): void {
    if (this.#gap === 'none') {
      this.#parts.warn(
        `${failure.message}, and too many changes wait for it. When it can be written again, the account is written completely.`,
      );
    }
    this.#gap = 'open';
    this.#parts.drop();
    this.#parts.refuse(failure);
    if (!this.#over) this.#retryAlarm.set();
  }

  /** The generation after the gap has begun. */
  beginAfterGap(): void {
    this.#gap = 'closing';
  }

  /** Nothing is tried any more. */
  end(): void {
    this.#over = true;
  }

  stop(): void {
    this.#retryAlarm.stop();
  }

  async #closeGap(): Promise<void> {
    const done = await this.#parts.rewrite();
    if (done && this.#gap === 'closing') {
      this.#gap = 'none';
      this.#parts.retry();
    } else if (!this.#over) {
      this.giveUp(this.#failure ?? new Error(`${this.#parts.path()} is closed.`));
    }
  }
}
