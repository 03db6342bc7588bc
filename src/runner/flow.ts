/**
 * Moves the clock of an account while an application runs alongside, so that a scenario of a day takes seconds.
 */
import { SandboxError } from '../client/sandbox-error.js';
import type { Connection } from '../client/connection.js';
import type { ActiveScenario, Clock, ClockInput } from '../client/types.js';
import type { ClockMode } from '../time/account-clock.js';
import { machineTime } from '../time/system-clock.js';

/**
 * `flow`: real time passes, and the clock jumps to the next due job when the application is idle. `frozen`: the clock
 * only jumps. `auto`: the clock jumps whenever nothing is in flight.
 */
export const PACES = ['frozen', 'flow', 'auto'] as const;
export type Pace = (typeof PACES)[number];

export interface FlowParts {
  /** The account whose clock is moved; the scenario of the run is active in it. */
  readonly sandbox: Connection;
  readonly pace: Pace;
  /** How long the application must be idle before the clock jumps, in machine milliseconds. */
  readonly quietMs: number;
  /**
   * Longest wait for the first call before time begins to pass, in machine milliseconds; 0 once the application
   * responds.
   */
  readonly graceMs: number;
  /** Whether to return at the end of the scenario. Otherwise, only `signal` ends the flow. */
  readonly toTheEnd: boolean;
  readonly signal: AbortSignal;
  /**
   * Sets the clock after the first call, and returns false if the application has moved it. A caller that holds the
   * account does this atomically; over HTTP, another call may come in between.
   */
  readonly begin?: (pace: RunningClock) => boolean;
  /** Called each time the flow checks the account. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** Account time since the activation, in milliseconds. */
  readonly elapsedMs: number;
  /** The end of the scenario, in milliseconds since the activation. */
  readonly lengthMs: number;
  /** A description of what the run waits for. */
  readonly waitsFor: string;
}

/** The clock mode of the account; with `quietMs`, the clock jumps after the application has been idle for that long. */
export interface RunningClock {
  readonly mode: ClockMode;
  readonly quietMs?: number;
}

/** `taken-over`: another client moved the clock, so the flow stopped. */
export type FlowEnd = 'ended' | 'aborted' | 'taken-over';

const LOOK_AGAIN_MS = 50;
/** Milliseconds of account time after the last step of a scenario, in which pending work can finish. */
const TAIL_MS = 60_000;

/** @throws SandboxError if the sandbox does not respond, or the clock runs in a loop */
export async function flow(parts: FlowParts): Promise<FlowEnd> {
  return new Flow(parts).run();
}

class Flow {
  readonly #parts: FlowParts;
  #startMs = 0;
  #endMs = 0;

  constructor(parts: FlowParts) {
    this.#parts = parts;
  }

  async run(): Promise<FlowEnd> {
    await this.#readEnd();
    await this.#firstCall();
    if (this.#parts.signal.aborted) return 'aborted';
    if (!(await this.#begin())) return 'taken-over';
    return this.#follow();
  }

  /** Returns false if the clock has moved in the meantime. */
  async #begin(): Promise<boolean> {
    const { sandbox, graceMs, begin } = this.#parts;
    if (graceMs > 0) {
      if (begin) return begin(this.#running);
      const { mode, now } = await sandbox.call<Clock>('GET', '/_sandbox/clock');
      if (mode !== 'frozen' || Date.parse(now) !== this.#startMs) return false;
    }
    await this.#setClock();
    return true;
  }

  get #running(): RunningClock {
    const { pace, quietMs } = this.#parts;
    return pace === 'flow' ? { mode: 'auto', quietMs } : { mode: pace };
  }

  async #setClock(): Promise<void> {
    const { mode, quietMs } = this.#running;
    const wanted: ClockInput = { mode, ...(quietMs !== undefined && { quiet_real: `${quietMs}ms` }) };
    await this.#parts.sandbox.call<Clock>('PUT', '/_sandbox/clock', wanted);
  }

  /**
   * Waits for the first call. Until then, the clock stands still: otherwise, the timeline would start without the
   * application.
   */
  async #firstCall(): Promise<void> {
    const { sandbox, graceMs, signal } = this.#parts;
    const deadlineMs = machineTime.monotonic() + graceMs;
    while (!signal.aborted && machineTime.monotonic() < deadlineMs) {
      const calls = await sandbox.call<{ count: number }>('GET', '/_sandbox/requests/count');
      if (calls.count > 0) break;
      await this.#pause(this.#startMs, "the application's first call");
    }
  }

  async #follow(): Promise<FlowEnd> {
    const { sandbox, pace, toTheEnd, signal } = this.#parts;
    const ours = this.#running;
    while (!signal.aborted) {
      const clock = await sandbox.call<Clock>('GET', '/_sandbox/clock');
      const quietMs = clock.quiet_real === undefined ? undefined : parseInt(clock.quiet_real, 10);
      if (clock.mode !== ours.mode || quietMs !== ours.quietMs) return 'taken-over';
      const nowMs = Date.parse(clock.now);
      const dueMs = clock.next_due === null ? Infinity : Date.parse(clock.next_due);
      // The end moves when a step was waiting for a call and the call arrives.
      if (Math.max(dueMs, nowMs) >= this.#endMs) await this.#readEnd();
      if (clock.quiet === false) {
        await this.#pause(nowMs, 'the application to be idle');
      } else if (toTheEnd && dueMs > this.#endMs + TAIL_MS) {
        this.#say(nowMs, 'the application to be idle');
        if (!(await this.#advance({ to: new Date(Math.max(this.#endMs, nowMs)).toISOString() }))) return 'taken-over';
        if (await this.#isOver()) return 'ended';
        await this.#setClock();
      } else if (pace === 'frozen' && toTheEnd) {
        this.#say(nowMs, 'the application to be idle');
        if (!(await this.#advance({ until: 'next' }))) return 'taken-over';
      } else {
        await this.#pause(nowMs, toTheEnd ? 'its next instant' : 'the command to end');
      }
    }
    return 'aborted';
  }

  /** The application's reaction to the last step may have scheduled more jobs. */
  async #isOver(): Promise<boolean> {
    const { next_due: due } = await this.#parts.sandbox.call<Clock>('GET', '/_sandbox/clock');
    await this.#readEnd();
    return due === null || Date.parse(due) > this.#endMs + TAIL_MS;
  }

  /**
   * Advances, and waits until the application is idle before and after. Returns false if another advance is in
   * progress.
   */
  async #advance(how: { readonly to: string } | { readonly until: 'next' }): Promise<boolean> {
    const { sandbox, quietMs } = this.#parts;
    try {
      await sandbox.call('POST', '/_sandbox/clock/advance', { ...how, settle_real: `${quietMs}ms` });
      return true;
    } catch (error) {
      if (error instanceof SandboxError && error.code === 'clock_advancing') return false;
      // The clock has already passed the instant.
      if (error instanceof SandboxError && error.code === 'validation_error') return true;
      throw error;
    }
  }

  async #readEnd(): Promise<void> {
    const { activated_at: start, ends_at: end } = await this.#parts.sandbox.call<ActiveScenario>(
      'GET',
      '/_sandbox/scenario',
    );
    this.#startMs = start === null ? 0 : Date.parse(start);
    this.#endMs = end === null ? 0 : Date.parse(end);
  }

  #say(nowMs: number, waitsFor: string): void {
    const [elapsedMs, lengthMs] = [nowMs - this.#startMs, this.#endMs - this.#startMs];
    this.#parts.onProgress?.({ elapsedMs, lengthMs, waitsFor });
  }

  async #pause(nowMs: number, waitsFor: string): Promise<void> {
    this.#say(nowMs, waitsFor);
    const { signal } = this.#parts;
    await new Promise<void>((resolve) => {
      const cancel = machineTime.setTimer(LOOK_AGAIN_MS, done);
      function done(): void {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done);
    });
  }
}
