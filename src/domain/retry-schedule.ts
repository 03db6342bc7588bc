/** The retry schedule (interface document, sections 6 and 8). Times are account milliseconds. */

const minuteMs = 60_000;

/** Gaps between the starts of attempts: after the first, second and third, then every hour. */
const firstGapsMs: readonly number[] = [1 * minuteMs, 5 * minuteMs, 30 * minuteMs];
const laterGapMs = 60 * minuteMs;

/** Time of failure after which the endpoint is paused. */
export const pauseAfterMs = 24 * 60 * minuteMs;

/** @param attempt number of the attempt that failed, from 1 */
export function gapAfterMs(attempt: number): number {
  return firstGapsMs[attempt - 1] ?? laterGapMs;
}

/** The names of the gaps, by which coverage counts them. */
export const gapNames: readonly string[] = [...firstGapsMs.map((ms) => `after ${ms / minuteMs} min`), 'hourly'];

/** Attempts count from 2. */
export function gapNameBefore(attempt: number): string {
  return gapNames[Math.min(attempt - 2, gapNames.length - 1)] ?? '';
}

/** Returns the number of the latest attempt that starts within this time after the first. */
export function attemptAt(sinceFirstMs: number): number {
  let [attempt, atMs] = [1, 0];
  while (atMs + gapAfterMs(attempt) <= sinceFirstMs) {
    atMs += gapAfterMs(attempt);
    attempt += 1;
  }
  return attempt;
}

/** Returns when an attempt starts, in minutes after the first. */
export function startOf(attempt: number): number {
  let atMs = 0;
  for (let number = 1; number < attempt; number += 1) atMs += gapAfterMs(number);
  return atMs / minuteMs;
}
