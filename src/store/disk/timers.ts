/** Two timers that do not keep the process alive: one that is set at most once at a time, and one that notices a pause. */
import type { Cancel, SystemClock } from '../../time/system-clock.js';

/** Set at most once at a time. */
export class DelayTimer {
  readonly #host: SystemClock;
  readonly #delayMs: number;
  readonly #ring: () => void;
  #cancel: Cancel | null = null;

  /** @param delayMs machine milliseconds from `set` to `ring` */
  constructor(host: SystemClock, delayMs: number, ring: () => void) {
    this.#host = host;
    this.#delayMs = delayMs;
    this.#ring = ring;
  }

  get isSet(): boolean {
    return this.#cancel !== null;
  }

  set(): void {
    this.#cancel ??= this.#host.setTimer(
      this.#delayMs,
      () => {
        this.#cancel = null;
        this.#ring();
      },
      { unref: true },
    );
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

export interface IdleTimerParts {
  readonly host: SystemClock;
  /** From one look to the next, in machine milliseconds. */
  readonly everyMs: number;
  /** How much has come since the start. */
  readonly count: () => number;
  /** Told when nothing came between two looks; it then looks no more. */
  readonly onIdle: () => void;
}

/** Notices that nothing has come for a while, by a look now and then: what comes costs nothing. */
export class IdleTimer {
  readonly #count: () => number;
  readonly #timer: DelayTimer;
  #before = 0;

  constructor({ host, everyMs, count, onIdle }: IdleTimerParts) {
    this.#count = count;
    this.#timer = new DelayTimer(host, everyMs, () => {
      if (count() === this.#before) onIdle();
      else this.watch();
    });
  }

  /** Looks from now on, if it does not already. */
  watch(): void {
    if (this.#timer.isSet) return;
    this.#before = this.#count();
    this.#timer.set();
  }

  stop(): void {
    this.#timer.stop();
  }
}
