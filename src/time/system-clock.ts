/** Machine time. An account's time has its own clock. */

/** Later calls have no effect. */
export type Cancel = () => void;

export interface TimerOptions {
  /** If true, a waiting timer does not keep the process alive. Default: false. */
  readonly unref?: boolean;
}

/** Used only for sockets and timers: time limits of attempts, measured durations, and the timer of a real clock. */
export interface SystemClock {
  /** Milliseconds since the epoch. The value jumps when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start, with fractions; never goes back. For durations only. */
  monotonic(): number;
  /**
   * Zero and negative delays mean "as soon as possible, but not within this call". There is no upper limit.
   * @throws RangeError if `delayMs` is not a number
   */
  setTimer(delayMs: number, fn: () => void, options?: TimerOptions): Cancel;
  /** Calls `fn` after the pending I/O has been handled. */
  defer(fn: () => void): void;
}

/** A platform timer stores its delay in 31 bits, and a longer one fires immediately. Long waits are therefore split. */
const LONGEST_LEG_MS = 2 ** 31 - 1;

/**
 * The platform's own time and timers, as `globalThis` has them.
 * @internal
 */
type Platform = Pick<typeof globalThis, 'Date' | 'performance' | 'setTimeout' | 'clearTimeout' | 'setImmediate'>;

/**
 * Machine time with a platform's timers. They are captured once, so that fake timers in a test do not stop a sandbox in
 * the same process.
 * @internal
 */
export function systemClockOf(platform: Platform): SystemClock {
  const { setTimeout: startTimer, clearTimeout: stopTimer, setImmediate: startImmediate, performance } = platform;
  const now = platform.Date.now;
  const monotonic = performance.now.bind(performance);
  return {
    now,
    monotonic,
    setTimer(delayMs, fn, options = {}) {
      if (Number.isNaN(delayMs)) throw new RangeError('setTimer: the delay is NaN; pass a number of milliseconds.');
      const dueAt = monotonic() + delayMs;
      const arm = (): NodeJS.Timeout => {
        const leg = Math.min(Math.max(Math.ceil(dueAt - monotonic()), 0), LONGEST_LEG_MS);
        const handle = startTimer(onLegEnd, leg);
        return options.unref === true ? handle.unref() : handle;
      };
      // The platform rounds, and may fire a millisecond early; a caller that asked for 60 s must not see 59,999 ms.
      const onLegEnd = (): void => {
        if (monotonic() < dueAt) handle = arm();
        else fn();
      };
      let handle = arm();
      return () => {
        stopTimer(handle);
      };
    },
    defer: (fn) => {
      startImmediate(fn);
    },
  };
}

/** The same time, whose timers report what they throw: no timer ends the process. */
export function owned(host: SystemClock, report: (error: unknown) => void): SystemClock {
  const guarded = (fn: () => void) => () => {
    try {
      fn();
    } catch (error) {
      report(error);
    }
  };
  return {
    now: () => host.now(),
    monotonic: () => host.monotonic(),
    setTimer: (delayMs, fn, options) => host.setTimer(delayMs, guarded(fn), options),
    defer: (fn) => host.defer(guarded(fn)),
  };
}

export const machineTime: SystemClock = systemClockOf(globalThis);

export const pause = (ms: number, host: Pick<SystemClock, 'setTimer'> = machineTime): Promise<void> =>
  new Promise((resolve) => void host.setTimer(ms, () => resolve()));

/** Does not keep the process alive. */
export function overAfter(delayMs: number): Promise<'over'> {
  return new Promise((resolve) => void machineTime.setTimer(delayMs, () => resolve('over'), { unref: true }));
}

/** Resolves with `late` if the promise takes longer. */
export async function within<T>(
  limitMs: number,
  promise: Promise<T>,
  host: Pick<SystemClock, 'setTimer'> = machineTime,
): Promise<T | 'late'> {
  let cancel = (): void => undefined;
  const late = new Promise<'late'>((resolve) => {
    cancel = host.setTimer(limitMs, () => resolve('late'));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}
