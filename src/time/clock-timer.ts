/**
 * Wakes a clock when the next job is due: with one timer for a running clock, with a jump for the `auto` clock, and
 * never for a frozen one.
 */
import { pullsAuto } from './jobs.js';
import type { Line } from './line.js';
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

  constructor(private readonly line: Line) {}

  /** @param moreMs machine milliseconds that the application may take in addition to the usual idle period */
  noteChange(moreMs = 0): void {
    this.#lastChangeMs = Math.max(this.#lastChangeMs, this.line.parts.host.monotonic() + moreMs);
  }

  /** Whether the application has been idle long enough for a jump; undefined for a clock without an idle period. */
  get quiet(): boolean | undefined {
    const { quietMs } = this.line.parts.clock.state;
    return quietMs === undefined ? undefined : !this.line.busy && this.#idleMs() >= quietMs;
  }

  /** Schedules the next job. Call it whenever another job may have become the next. */
  arm(): void {
    const { line } = this;
    const { clock, host } = line.parts;
    const { mode, quietMs } = clock.state;
    if (line.closed || line.advancing) return;
    if (mode === 'auto' && quietMs === undefined) {
      this.#jumpSoon();
      return;
    }
    const due = line.nextDueMs();
    if (due === this.#due && quietMs === undefined) return;
    this.disarm();
    if (due === null) return;
    const delayMs = due <= clock.now() ? 0 : clock.machineDelayTo(due);
    if (delayMs === null) return;
    const untilJumpMs = quietMs === undefined || line.busy ? Infinity : this.#untilJumpMs(due, quietMs);
    this.#due = due;
    this.#timer = host.setTimer(Math.max(0, Math.min(delayMs, untilJumpMs)), () => this.#wake(due), { unref: true });
  }

  disarm(): void {
    this.#timer?.();
    this.#timer = null;
    this.#due = null;
  }

  #wake(due: number): void {
    const { line } = this;
    const { clock } = line.parts;
    const { quietMs } = clock.state;
    this.disarm();
    if (quietMs !== undefined && !line.busy && due > clock.now() && this.#untilJumpMs(due, quietMs) <= 0) {
      line.arrive(due);
      // Such a job may concern the application, even if nothing is delivered to it.
      this.noteChange();
    }
    line.runDue();
  }

  #idleMs(): number {
    return this.line.parts.host.monotonic() - this.#lastChangeMs;
  }

  /**
   * Machine milliseconds until a clock with an idle period jumps to its next job. It waits a tenth of a second longer for
   * each hour that it would skip, because an application may itself be waiting.
   */
  #untilJumpMs(due: number, quietMs: number): number {
    const aheadMs = due - this.line.parts.clock.now();
    return quietMs + Math.ceil(aheadMs / jumpAtMostPerMs) - this.#idleMs();
  }

  /**
   * Jumps to the next job that moves an `auto` clock, if nothing is in flight. This happens after the current turn of
   * the event loop, so that the call that created the job gets its response first; earlier jobs run before it.
   */
  #jumpSoon(): void {
    const { line } = this;
    const { clock, host } = line.parts;
    if (this.#isJumping || line.busy || line.nextDueMs(pullsAuto) === null) return;
    this.#isJumping = true;
    host.defer(() => {
      this.#isJumping = false;
      const pullMs = line.nextDueMs(pullsAuto);
      const isSettled = !line.closed && !line.advancing && !line.busy && clock.mode === 'auto';
      if (!isSettled || pullMs === null) return;
      const due = Math.min(pullMs, line.nextDueMs() ?? pullMs);
      if (due > clock.now()) line.arrive(due);
      line.runDue();
    });
  }
}
