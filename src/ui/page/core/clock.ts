/**
 * Computes account time from the mode and speed that the sandbox last reported, so that the page does not have to poll.
 */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Clock } from './records.js';

/** A reported clock, and when it was reported, in milliseconds of the page's own clock. */
export interface ClockTold {
  readonly nowMs: number;
  readonly mode: Clock['mode'];
  /** Account milliseconds per real millisecond. */
  readonly scale: number;
  readonly toldAtMs: number;
}

/** Returns the account time, in milliseconds since 1970, when the page's own clock shows `atMs`. */
export function accountTime({ nowMs, mode, scale, toldAtMs }: ClockTold, atMs: number): number {
  const passedMs = Math.max(0, atMs - toldAtMs);
  if (mode === 'real') return nowMs + passedMs;
  if (mode === 'scaled') return nowMs + passedMs * scale;
  return nowMs;
}

/** The clock of one account as views see it. */
export class LiveClock {
  readonly mode = signal<Clock['mode']>('real');
  readonly scale = signal(1);
  readonly pending = signal(0);
  readonly nextDue = signal<string | null>(null);
  /** Account time in milliseconds since 1970; null until the sandbox has sent it. Changes with every tick. */
  readonly now: ReadonlySignal<number | null>;
  /** Account time to the whole second. */
  readonly second: ReadonlySignal<number | null>;
  /** Account time to the day, for times that are shown with a date only if it is another one. */
  readonly day: ReadonlySignal<number | null>;

  readonly #told = signal<ClockTold | null>(null);
  readonly #monotonicMs: () => number;

  /** @param tick a signal; each change makes views compute the time again */
  constructor(tick: ReadonlySignal<number>, monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.now = computed(() => {
      // Only subscribes to the signal.
      return tick.value >= 0 && this.#told.value !== null ? accountTime(this.#told.value, this.#monotonicMs()) : null;
    });
    const to = (ms: number) => computed(() => (this.now.value === null ? null : Math.floor(this.now.value / ms) * ms));
    this.second = to(1000);
    this.day = to(86_400_000);
  }

  set(clock: Clock): void {
    this.mode.value = clock.mode;
    this.scale.value = clock.scale;
    this.pending.value = clock.pending;
    this.nextDue.value = clock.next_due;
    this.#told.value = {
      nowMs: Date.parse(clock.now),
      mode: clock.mode,
      scale: clock.scale,
      toldAtMs: this.#monotonicMs(),
    };
  }

  /** Records that something happened at an instant: a clock that only commands can move has reached that instant. */
  seen(at: string): void {
    const told = this.#told.peek();
    const atMs = Date.parse(at);
    if (told && (told.mode === 'frozen' || told.mode === 'auto') && atMs > told.nowMs) {
      this.#told.value = { ...told, nowMs: atMs };
    }
  }
}
