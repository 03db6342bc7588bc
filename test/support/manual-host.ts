import type { Cancel, SystemClock, TimerOptions } from '../../src/time/system-clock.js';

interface Timer {
  readonly dueAt: number;
  readonly seq: number;
  readonly fn: () => void;
}

/**
 * Host time that stands still until a test moves it. Timers fire inside `tick`, in order of due time, then of creation;
 * a timer set by a timer fires in the same tick if it is due within it. `defer` stays real by default, because it waits
 * for I/O rather than for time.
 */
export class ManualHost implements SystemClock {
  #now: number;
  #elapsed = 0;
  #seq = 0;
  readonly #timers = new Set<Timer>();
  #waiters: { count: number; resolve: () => void }[] = [];

  constructor(startMs = Date.UTC(2026, 2, 1, 9)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  setTimer(delayMs: number, fn: () => void, _options?: TimerOptions): Cancel {
    if (Number.isNaN(delayMs)) throw new RangeError('setTimer: the delay is NaN; pass a number of milliseconds.');
    const timer: Timer = { dueAt: this.#elapsed + Math.max(delayMs, 0), seq: this.#seq++, fn };
    this.#timers.add(timer);
    this.#waiters = this.#waiters.filter(({ count, resolve }) => {
      if (this.#timers.size < count) return true;
      resolve();
      return false;
    });
    return () => {
      this.#timers.delete(timer);
    };
  }

  defer(fn: () => void): void {
    setImmediate(fn);
  }

  /** Time passes while the process is busy: timers that are due fire in the next `tick`. */
  stall(ms: number): void {
    this.#now += ms;
    this.#elapsed += ms;
  }

  /** Number of waiting timers. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer, or null if there is none. */
  get nextInMs(): number | null {
    const next = this.#earliest();
    return next === undefined ? null : next.dueAt - this.#elapsed;
  }

  /**
   * Resolves once at least `count` timers are waiting, so that a test moves time only after the code has set its
   * timers.
   */
  armed(count = 1): Promise<void> {
    if (this.#timers.size >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ count, resolve }));
  }

  /** Moves time forward by `ms` milliseconds, and fires every timer that becomes due, each at its own instant. */
  tick(ms: number): void {
    const target = this.#elapsed + ms;
    for (let next = this.#earliest(); next !== undefined && next.dueAt <= target; next = this.#earliest()) {
      this.#timers.delete(next);
      this.#moveTo(Math.max(next.dueAt, this.#elapsed));
      next.fn();
    }
    this.#moveTo(target);
  }

  #moveTo(elapsed: number): void {
    this.#now += elapsed - this.#elapsed;
    this.#elapsed = elapsed;
  }

  #earliest(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (first === undefined || timer.dueAt < first.dueAt || (timer.dueAt === first.dueAt && timer.seq < first.seq)) {
        first = timer;
      }
    }
    return first;
  }
}
