/**
 * Wakes a clock when the next job is due: with one timer for a running clock, with a jump for the `auto` clock, and
 * never for a frozen one.
 */
import { pullsAuto } from '../domain/job.js';
import { flows } from './account-clock.js';
import type { ClockControl } from './advance.js';
import type { Cancel } from './system-clock.js';

/**
 * Maximum number of account milliseconds that a clock with an idle period skips per machine millisecond of idleness.
 */
const jumpAtMostPerMs = 36_000;

export class ClockTimer {
  #timer: Cancel | null = null;
  #timerDue = Infinity;
  #jumping = false;
  /** Machine time at which the application last changed something, or a receiver responded. */
  #lastChangeMs = 0;

  constructor(private readonly control: ClockControl) {}

  /** Schedules the next job. Call it whenever another job may have become the next. */
  arm(): void {
    if (!this.control.mayWake()) return;
    const { mode, quietMs } = this.control.clock.state;
    if (quietMs !== undefined) this.#wait(quietMs);
    else if (mode === 'auto') this.#jump();
    else this.#setTimer();
  }

  /** Sets the timer again, because the clock was set. */
  rearm(): void {
    this.disarm();
    this.arm();
  }

  /** @param moreMs machine milliseconds that the application may take in addition to the usual idle period */
  noteChange(moreMs = 0): void {
    this.#lastChangeMs = Math.max(this.#lastChangeMs, this.control.host.monotonic() + moreMs);
  }

  /** Whether the application has been idle long enough for a jump; undefined for a clock without an idle period. */
  get quiet(): boolean | undefined {
    const { clock, host } = this.control;
    const { quietMs } = clock.state;
    if (quietMs === undefined) return undefined;
    return !this.#awaitsAnswers && host.monotonic() - this.#lastChangeMs >= quietMs;
  }

  /** Whether attempts are waiting for responses. */
  get #awaitsAnswers(): boolean {
    return this.control.inFlight.count > 0;
  }

  disarm(): void {
    this.#timer?.();
    this.#timer = null;
    this.#timerDue = Infinity;
  }

  #setTimer(): void {
    const { clock } = this.control;
    const due = this.control.queue.nextDueMs();
    if (due === this.#timerDue) return;
    // A timer that fires too early finds nothing to do and sets the next one, which costs less than moving it at every
    // call.
    if (due !== null && due > this.#timerDue && flows(clock.state)) return;
    this.disarm();
    if (due === null) return;
    const delayMs = clock.machineDelayTo(due);
    if (delayMs !== null || due <= clock.now()) this.#wakeAfter(delayMs ?? 0, due);
  }

  #wakeAfter(delayMs: number, due: number, before: () => void = () => undefined): void {
    this.#timerDue = due;
    this.#timer = this.control.host.setTimer(
      delayMs,
      () => {
        this.#timer = null;
        this.#timerDue = Infinity;
        before();
        this.control.runDue();
      },
      { unref: true },
    );
  }

  /**
   * A clock with an idle period runs like the machine's, and jumps to the next job when the application has been idle.
   * It waits a tenth of a second longer for each hour that it would skip, because an application may itself be waiting.
   */
  #wait(quietMs: number): void {
    const { clock, host } = this.control;
    const due = this.control.queue.nextDueMs();
    if (due === this.#timerDue) return;
    this.disarm();
    if (due === null) return;
    const aheadMs = due - clock.now();
    const quietForMs = host.monotonic() - this.#lastChangeMs;
    const untilJumpMs = quietMs + Math.ceil(aheadMs / jumpAtMostPerMs) - quietForMs;
    const awaits = this.#awaitsAnswers;
    const delayMs = awaits ? aheadMs : Math.min(aheadMs, untilJumpMs);
    // A timer set while a response is awaited fires too late once the response has arrived, so it is set again then.
    this.#wakeAfter(Math.max(0, delayMs), awaits ? Infinity : due, () => {
      const quiet = host.monotonic() - this.#lastChangeMs >= quietForMs + delayMs;
      if (!quiet || this.#awaitsAnswers || due <= clock.now() || !this.control.mayWake()) return;
      this.control.arrive(due);
      // Such a job may concern the application, even if nothing is delivered to it.
      this.noteChange();
    });
  }

  /**
   * Jumps to the next job that moves an `auto` clock, if nothing is in flight. This happens after the current turn of
   * the event loop, so that the call that created the job gets its response first; earlier jobs run before it.
   */
  #jump(): void {
    const { clock, host } = this.control;
    if (this.#jumping || this.#awaitsAnswers || this.control.queue.nextDueMs(pullsAuto) === null) return;
    this.#jumping = true;
    host.defer(() => {
      this.#jumping = false;
      const pullMs = this.control.queue.nextDueMs(pullsAuto);
      const unsettled = !this.control.mayWake() || this.#awaitsAnswers || clock.mode !== 'auto';
      if (unsettled || pullMs === null) return;
      const due = Math.min(pullMs, this.control.queue.nextDueMs() ?? pullMs);
      if (due > clock.now()) this.control.arrive(due);
      this.control.runDue();
    });
  }
}
