/**
 * Wakes a clock when the next job is due: with one timer for a running clock, with a jump for the `auto` clock, and
 * never for a frozen one.
 */
import { pullsAuto } from './jobs.js';
import type { Scheduler } from './scheduler.js';
import type { Cancel } from './system-clock.js';

/** Maximum number of account milliseconds that a clock with an idle period skips per machine millisecond of idleness. */
const jumpAtMostPerMs = 36_000;

export class ClockTimer {
  #timer: Cancel | null = null;
  /** The account time for which the timer is set. */
  #due: number | null = null;
  #isJumping = false;
  /** Machine time at which the application last changed something, or a receiver responded. */
  #lastChangeMs = 0;

  constructor(private readonly scheduler: Scheduler) {}

  /** @param moreMs machine milliseconds that the application may take in addition to the usual idle period */
  noteChange(moreMs = 0): void {
    this.#lastChangeMs = Math.max(this.#lastChangeMs, this.scheduler.parts.host.monotonic() + moreMs);
  }

  /** Whether the application has been idle long enough for a jump; undefined for a clock without an idle period. */
  get quiet(): boolean | undefined {
    const { quietMs } = this.scheduler.parts.clock.state;
    return quietMs === undefined ? undefined : !this.scheduler.busy && this.#idleMs() >= quietMs;
  }

  /** Schedules the next job. Call it whenever another job may have become the next. */
  arm(): void {
    const { scheduler } = this;
    const { clock, host } = scheduler.parts;
    const { mode, quietMs } = clock.state;
    if (scheduler.closed || scheduler.advancing) return;
    if (mode === 'auto' && quietMs === undefined) {
      this.#jumpSoon();
      return;
    }
    const due = scheduler.nextDueMs();
    if (due === this.#due && quietMs === undefined) return;
    this.disarm();
    if (due === null) return;
    const delayMs = due <= clock.now() ? 0 : clock.machineDelayTo(due);
    if (delayMs === null) return;
    const untilJumpMs = quietMs === undefined || scheduler.busy ? Infinity : this.#untilJumpMs(due, quietMs);
    this.#due = due;
    this.#timer = host.setTimer(Math.max(0, Math.min(delayMs, untilJumpMs)), () => this.#wake(due), { unref: true });
  }

  disarm(): void {
    this.#timer?.();
    this.#timer = null;
    this.#due = null;
  }

  #wake(due: number): void {
    const { scheduler } = this;
    const { clock } = scheduler.parts;
    const { quietMs } = clock.state;
    this.disarm();
    if (quietMs !== undefined && !scheduler.busy && due > clock.now() && this.#untilJumpMs(due, quietMs) <= 0) {
      scheduler.arrive(due);
      // Such a job may concern the application, even if nothing is delivered to it.
      this.noteChange();
    }
    scheduler.runDue();
  }

  #idleMs(): number {
    return this.scheduler.parts.host.monotonic() - this.#lastChangeMs;
  }

  /**
   * Machine milliseconds until a clock with an idle period jumps to its next job. It waits a tenth of a second longer for
   * each hour that it would skip, because an application may itself be waiting.
   */
  #untilJumpMs(due: number, quietMs: number): number {
    const aheadMs = due - this.scheduler.parts.clock.now();
    return quietMs + Math.ceil(aheadMs / jumpAtMostPerMs) - this.#idleMs();
  }

  /**
   * Jumps to the next job that moves an `auto` clock, if nothing is in flight. This happens after the current turn of
   * the event loop, so that the call that created the job gets its response first; earlier jobs run before it.
   */
  #jumpSoon(): void {
    const { scheduler } = this;
    const { clock, host } = scheduler.parts;
    if (this.#isJumping || scheduler.busy || scheduler.nextDueMs(pullsAuto) === null) return;
    this.#isJumping = true;
    host.defer(() => {
      this.#isJumping = false;
      const pullMs = scheduler.nextDueMs(pullsAuto);
      const isSettled = !scheduler.closed && !scheduler.advancing && !scheduler.busy && clock.mode === 'auto';
      if (!isSettled || pullMs === null) return;
      const due = Math.min(pullMs, scheduler.nextDueMs() ?? pullMs);
      if (due > clock.now()) scheduler.arrive(due);
      scheduler.runDue();
    });
  }
}
