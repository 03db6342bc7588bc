/**
 * The only file that reads the machine's time. All others receive a clock, so that a test can pass in one that it
 * moves: a day then takes milliseconds, and nothing sleeps.
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds since 1970
 * @property {(atMs: number, work: () => void) => () => void} wake calls `work` once at that instant; returns what cancels it
 * @property {(ms: number) => AbortSignal} limit ends a call on the wire after so many milliseconds of real time
 */

/** The longest delay of a timer; a later job is checked again when the timer fires. */
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
