/**
 * Computes account time from the mode and speed that the sandbox last reported, so that the page does not have to poll.
 */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Clock } from './records.js';

/** A clock as the sandbox reported it, and when, in milliseconds of the page's own clock. */
interface Report {
  readonly clock: Clock;
  readonly nowMs: number;
  readonly atMs: number;
}

/** The clock of one account as views see it. */
export class LiveClock {
  /** Account time in milliseconds since 1970; null until the sandbox has sent it. Changes with every tick. */
  readonly now: ReadonlySignal<number | null>;
  /** Account time to the whole second. */
  readonly second: ReadonlySignal<number | null>;
  /** Account time to the day, for times that are shown with a date only if it is another one. */
  readonly day: ReadonlySignal<number | null>;
  readonly #report = signal<Report | null>(null);
  readonly #monotonicMs: () => number;

  /** @param tick a signal; each change makes views compute the time again */
  constructor(tick: ReadonlySignal<number>, monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.now = computed(() => {
      const report = this.#report.value;
      // Only subscribes to the tick.
      if (report === null || tick.value < 0) return null;
      const { clock, nowMs, atMs } = report;
      const speed = { real: 1, scaled: clock.scale, frozen: 0, auto: 0 }[clock.mode];
      return nowMs + Math.max(0, monotonicMs() - atMs) * speed;
    });
    const to = (ms: number) => computed(() => (this.now.value === null ? null : Math.floor(this.now.value / ms) * ms));
    this.second = to(1000);
    this.day = to(86_400_000);
  }

  /** As last reported; null before. */
  get state(): Clock | null {
    return this.#report.value?.clock ?? null;
  }

  set(clock: Clock): void {
    this.#report.value = { clock, nowMs: Date.parse(clock.now), atMs: this.#monotonicMs() };
  }

  /** Records that something happened at an instant: a clock that only commands can move has reached that instant. */
  seen(at: string): void {
    const report = this.#report.peek();
    const nowMs = Date.parse(at);
    if (report && /frozen|auto/.test(report.clock.mode) && nowMs > report.nowMs)
      this.#report.value = { ...report, nowMs };
  }
}
