const MINUTE_MS = 60_000;

/** Gaps after the first, second and third attempt; every later gap is an hour (interface document §6 and §8). */
const FIRST_GAPS_MS: readonly number[] = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
const LATER_GAP_MS = 60 * MINUTE_MS;

/**
 * How long an endpoint may go on failing before it is paused: milliseconds of account time from the start of the
 * first failed attempt of an unbroken run (interface document §6; contract §2).
 */
export const pauseAfterMs = 24 * 60 * MINUTE_MS;

/**
 * The gap between the start of attempt `attemptNumber`, which failed, and the start of the next one, in
 * milliseconds of account time. Attempts thus start at 0, 1, 6, 36, 96, 156 … minutes (contract §2).
 * @param attemptNumber 1 for the first attempt of a delivery.
 * @throws RangeError when `attemptNumber` is not a positive whole number.
 */
export function nextAttemptDelayMs(attemptNumber: number): number {
  if (!Number.isInteger(attemptNumber) || attemptNumber < 1) {
    throw new RangeError(`nextAttemptDelayMs: attempt ${attemptNumber} does not exist; attempts are counted from 1.`);
  }
  return FIRST_GAPS_MS[attemptNumber - 1] ?? LATER_GAP_MS;
}
