/**
 * The only place that asks the machine for the time. Everything else is handed a clock, so that a test can hand in one
 * that it moves: a day then takes milliseconds, and nothing sleeps.
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds since 1970
 * @property {(atMs: number, work: () => void) => () => void} wake calls `work` once at that instant; returns what cancels it
 * @property {(ms: number) => AbortSignal} limit ends a call on the wire after so many milliseconds of real time
 */

/** A timer cannot be set further ahead; who is woken early looks at the clock and asks again. */
const FURTHEST_MS = 2 ** 31 - 1;

/** @type {Clock} */
export const machineClock = {
  now: () => Date.now(),
  wake(atMs, work) {
    const timer = setTimeout(work, Math.min(Math.max(atMs - Date.now(), 0), FURTHEST_MS));
    return () => clearTimeout(timer);
  },
  limit: (ms) => AbortSignal.timeout(ms),
};
