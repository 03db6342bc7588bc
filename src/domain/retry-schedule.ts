/** Times are account milliseconds. */

const minuteMs = 60_000;

/** The gaps after the first three attempts; all others are an hour. */
const firstGapsMs: readonly number[] = [1 * minuteMs, 5 * minuteMs, 30 * minuteMs];
const laterGapMs = 60 * minuteMs;

export const pauseAfterMs = 24 * 60 * minuteMs;

export function gapAfterMs(attempt: number): number {
  return firstGapsMs[attempt - 1] ?? laterGapMs;
}

export const gapNames: readonly string[] = [...firstGapsMs.map((ms) => `after ${ms / minuteMs} min`), 'hourly'];

export function gapNameBefore(attempt: number): string {
  return gapNames[Math.min(attempt - 2, gapNames.length - 1)] ?? '';
}

/** The number of the latest attempt within this time after the first. */
export function attemptAt(sinceFirstMs: number): number {
  let [attempt, atMs] = [1, 0];
  while (atMs + gapAfterMs(attempt) <= sinceFirstMs) {
    atMs += gapAfterMs(attempt);
    attempt += 1;
  }
  return attempt;
}

export function startMinuteOf(attempt: number): number {
  let atMs = 0;
  for (let number = 1; number < attempt; number += 1) atMs += gapAfterMs(number);
  return atMs / minuteMs;
}
