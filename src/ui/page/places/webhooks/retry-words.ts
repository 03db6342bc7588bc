/** The retry schedule of a delivery as a sentence. All times are account time. */
import type { Attempt, Delivery, Endpoint } from '../../core/records.js';
import { counted, momentWords } from '../../core/words.js';

const hourMs = 3_600_000;
/** From the start of a failure streak to the pause of the endpoint. */
const pauseAfterMs = 24 * hourMs;
/** Gaps after the first, second and third attempt; every later gap is an hour. */
const gaps = ['+1 m', '+5 m', '+30 m'];
/** Number of attempts in the schedule before the endpoint is paused. */
export const mostAttempts = 27;

/** Attempts since the latest redelivery, which starts the schedule again. */
export function currentRun(attempts: readonly Attempt[]): readonly Attempt[] {
  const start = attempts.findLastIndex(({ trigger }) => trigger === 'redelivery');
  return attempts.slice(Math.max(0, start));
}

/** `Failed twice, next 18:24:00, then +5 m, +30 m, hourly, paused 24 Nov 18:22:00.`; null if nothing failed. */
export function retryWords(delivery: Delivery, endpoint: Endpoint | undefined, nowMs: number): string | null {
  const { state, next_attempt_at: next, attempts } = delivery;
  const made = currentRun(attempts).length;
  const failed = made === 1 ? 'once' : made === 2 ? 'twice' : counted(made, 'time');
  if (state === 'held') return 'Held: the endpoint is paused. Resume it, then redeliver.';
  if (state !== 'retrying' || next === null) return null;
  const ahead = [...gaps.slice(made), 'hourly'].join(', ');
  const since = endpoint?.failing_since ?? attempts[0]?.at;
  const pause = since === undefined ? '' : `, paused ${momentWords(Date.parse(since) + pauseAfterMs, nowMs)}`;
  return `Failed ${failed}, next ${momentWords(Date.parse(next), nowMs)}, then ${ahead}${pause}.`;
}
