/** Computes account time from the mode and speed that the sandbox last reported, so that the page need not poll. */
import { computed, signal } from '@preact/signals';
import { elapsedMs, monotonicMs } from './browser.js';
import type { Clock } from './records.js';

interface Report {
  readonly clock: Clock;
  readonly nowMs: number;
  readonly atMs: number;
}

export class LiveClock {
  readonly #report = signal<Report | null>(null);

  /** Milliseconds since 1970; null until the sandbox has sent it. */
  readonly now = computed(() => {
    if (this.#report.value === null) return null;
    const { clock, nowMs, atMs } = this.#report.value;
    const speed = { real: 1, scaled: clock.scale, frozen: 0, auto: 0 }[clock.mode];
    return nowMs + Math.max(0, elapsedMs.value - atMs) * speed;
  });
  readonly second = this.#to(1000);
  /** Account time to the day, for times that are shown with a date only if it is another one. */
  readonly day = this.#to(86_400_000);

  get state(): Clock | null {
    return this.#report.value?.clock ?? null;
  }

  set(clock: Clock): void {
    this.#report.value = { clock, nowMs: Date.parse(clock.now), atMs: monotonicMs() };
  }

  /** Records that something happened at an instant: a clock that only commands can move has reached that instant. */
  seen(at: string): void {
    const report = this.#report.peek();
    const nowMs = Date.parse(at);
    if (report && /frozen|auto/.test(report.clock.mode) && nowMs > report.nowMs)
      this.#report.value = { ...report, nowMs };
  }

  #to(ms: number) {
    return computed(() => (this.now.value === null ? null : Math.floor(this.now.value / ms) * ms));
  }
}
