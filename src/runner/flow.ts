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
  /** Longest wait for the first call before time begins to pass, in machine milliseconds; 0 not to wait. */
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
export async function flow({ sandbox, pace, quietMs, ...parts }: FlowParts): Promise<FlowEnd> {
  const { graceMs, toTheEnd, signal, begin, onProgress } = parts;
  const ours: RunningClock = pace === 'flow' ? { mode: 'auto', quietMs } : { mode: pace };
  let [startMs, endMs] = [0, 0];

  const readClock = () => sandbox.call<Clock>('GET', '/_sandbox/clock');
  const setClock = async (): Promise<void> => {
    const wanted: ClockInput = { mode: ours.mode, ...('quietMs' in ours && { quiet_real: `${quietMs}ms` }) };
    await sandbox.call('PUT', '/_sandbox/clock', wanted);
  };
  const readEnd = async (): Promise<void> => {
    const { activated_at: start, ends_at: end } = await sandbox.call<ActiveScenario>('GET', '/_sandbox/scenario');
    startMs = start === null ? 0 : Date.parse(start);
    endMs = end === null ? 0 : Date.parse(end);
  };
  const say = (nowMs: number, waitsFor: string): void =>
    onProgress?.({ elapsedMs: nowMs - startMs, lengthMs: endMs - startMs, waitsFor });
  const lookAgain = (nowMs: number, waitsFor: string): Promise<void> => {
    say(nowMs, waitsFor);
    return pauseUntil(signal);
  };

  /**
   * Waits for the first call. Until then, the clock stands still: otherwise, the timeline would start without the
   * application.
   */
  const firstCall = async (): Promise<void> => {
    const deadlineMs = machineTime.monotonic() + graceMs;
    while (!signal.aborted && machineTime.monotonic() < deadlineMs) {
      const calls = await sandbox.call<{ count: number }>('GET', '/_sandbox/requests/count');
      if (calls.count > 0) break;
      await lookAgain(startMs, "the application's first call");
    }
  };

  /** Lets the clock run. Returns false if it has moved in the meantime. */
  const begun = async (): Promise<boolean> => {
    if (graceMs > 0) {
      if (begin) return begin(ours);
      const { mode, now } = await readClock();
      if (mode !== 'frozen' || Date.parse(now) !== startMs) return false;
    }
    await setClock();
    return true;
  };

  /**
   * Advances, and waits until the application is idle before and after. Returns false if another advance is in
   * progress.
   */
  const advance = async (how: { readonly to: string } | { readonly until: 'next' }): Promise<boolean> => {
    try {
      await sandbox.call('POST', '/_sandbox/clock/advance', { ...how, settle_real: `${quietMs}ms` });
      return true;
    } catch (error) {
      if (error instanceof SandboxError && error.code === 'clock_advancing') return false;
      // The clock has already passed the instant.
      if (error instanceof SandboxError && error.code === 'validation_error') return true;
      throw error;
    }
  };

  /** The application's reaction to the last step may have scheduled more jobs. */
  const isOver = async (): Promise<boolean> => {
    const { next_due: due } = await readClock();
    await readEnd();
    return due === null || Date.parse(due) > endMs + TAIL_MS;
  };

  await readEnd();
  await firstCall();
  if (!signal.aborted && !(await begun())) return 'taken-over';
  while (!signal.aborted) {
    const clock = await readClock();
    const foundMs = clock.quiet_real === undefined ? undefined : parseInt(clock.quiet_real, 10);
    if (clock.mode !== ours.mode || foundMs !== ours.quietMs) return 'taken-over';
    const nowMs = Date.parse(clock.now);
    const dueMs = clock.next_due === null ? Infinity : Date.parse(clock.next_due);
    // The end moves when a step was waiting for a call and the call arrives.
    if (Math.max(dueMs, nowMs) >= endMs) await readEnd();
    if (clock.quiet === false) {
      await lookAgain(nowMs, 'the application to be idle');
    } else if (toTheEnd && dueMs > endMs + TAIL_MS) {
      say(nowMs, 'the application to be idle');
      if (!(await advance({ to: new Date(Math.max(endMs, nowMs)).toISOString() }))) return 'taken-over';
      if (await isOver()) return 'ended';
      await setClock();
    } else if (pace === 'frozen' && toTheEnd) {
      say(nowMs, 'the application to be idle');
      if (!(await advance({ until: 'next' }))) return 'taken-over';
    } else {
      await lookAgain(nowMs, toTheEnd ? 'its next instant' : 'the command to end');
    }
  }
  return 'aborted';
}

function pauseUntil(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = machineTime.setTimer(LOOK_AGAIN_MS, done);
    function done(): void {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
