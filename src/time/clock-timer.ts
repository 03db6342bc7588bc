/**
 * Wakes a clock when the next job is due: with one timer for a running clock, with a jump for the `auto` clock, and
 * never for a frozen one.
 */
import { pullsAuto } from './jobs.js';
import type { Line } from './line.js';
import { Quiet } from './quiet.js';
import type { Cancel } from './system-clock.js';

/** Machine milliseconds between two looks at an application whose call has no response yet. */
const lookAgainMs = 10;

/** A timer that is later than this shows that the process, or the machine, was busy. */
const lateMs = 10;
/** After so many late wakes in a row, the clock jumps anyway. */
const mostLateWakes = 4;

export class ClockTimer {
  #timer: Cancel | null = null;
  #lateWakes = 0;
  #notBeforeMs = -Infinity;
  #due: number | null = null;
  #isJumping = false;
  /** Jumps because the application was idle. */
  jumps = 0;

  constructor(private readonly line: Line) {}

  get isQuiet(): boolean | undefined {
    const { clock, quiet } = this.line.parts;
    const { quietMs } = clock.state;
    if (quietMs === undefined) return undefined;
    return !this.line.busy && !quiet.isBusy && quiet.untilIdleForMs(this.#patienceMs(quietMs)) === 0;
  }

  /** Call it whenever another job may have become the next. */
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
    const delayMs = due <= clock.now() ? 0 : (clock.machineDelayTo(due) ?? Infinity);
    const untilJumpMs = quietMs === undefined ? Infinity : this.#untilJumpMs(due, quietMs);
    const untilWakeMs = Math.max(0, Math.min(delayMs, untilJumpMs));
    if (untilWakeMs === Infinity) return;
    this.#due = due;
    const wakeMs = host.monotonic() + untilWakeMs;
    const wake = () => {
      if (quietMs !== undefined) this.#noteLateness(host.monotonic() - wakeMs, quietMs);
      this.#wake(due);
    };
    this.#timer = host.setTimer(untilWakeMs, wake, { unref: true });
  }

  disarm(): void {
    this.#timer?.();
    this.#timer = null;
    this.#due = null;
  }

  /** Calls of the application may wait to be read after this process was busy: it gets as much time again before a jump. */
  #noteLateness(ms: number, mostMs: number): void {
    this.#lateWakes = ms > lateMs ? this.#lateWakes + 1 : 0;
    if (this.#lateWakes === 0 || this.#lateWakes > mostLateWakes) return;
    this.#notBeforeMs = this.line.parts.host.monotonic() + Math.min(ms, mostMs);
  }

  #wake(due: number): void {
    const { line } = this;
    const { clock, quiet } = line.parts;
    const { quietMs } = clock.state;
    this.disarm();
    if (quietMs !== undefined && due > clock.now() && this.#untilJumpMs(due, quietMs) === 0) {
      this.jumps += 1;
      line.arrive(due);
      // A delivery counts as activity by itself; a command, or an application that polls, notices the jump later.
      if (!line.playing || quiet.reads > 0) quiet.note();
    }
    line.runDue();
  }

  #patienceMs(quietMs: number): number {
    const { clock, quiet } = this.line.parts;
    return clock.state.learns === true ? quiet.patienceMs(quietMs) : quietMs;
  }

  /** 0 if the clock jumps now. */
  #untilJumpMs(due: number, quietMs: number): number {
    const { clock, quiet, host } = this.line.parts;
    // The end of the job in flight looks again.
    if (this.line.busy) return Infinity;
    const hurries = due <= this.line.hurriesUntilMs;
    if ((quiet.isBusy && !hurries) || due > this.line.jumpsUntilMs) return lookAgainMs;
    const idleMs = Quiet.beforeJump(this.#patienceMs(quietMs), due - clock.now());
    const untilIdleMs = hurries ? Math.max(0, idleMs - quiet.restMs) : quiet.untilIdleForMs(idleMs);
    return Math.max(untilIdleMs, this.#notBeforeMs - host.monotonic());
  }

  /**
   * The jump happens only if nothing is in flight, and after the current turn of the event loop, so that the call that
   * created the job gets its response first.
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
