/** One timer that is set at most once at a time, and does not keep the process alive. */
import type { Cancel, SystemClock } from '../../time/system-clock.js';

export class Alarm {
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
