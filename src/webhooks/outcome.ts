/** Applies the outcome of an attempt to the delivery's state and next attempt, and to the endpoint's failure streak. */
import type { Attempt, Delivery, Explain } from '../domain/rows.js';
import { byDefault } from '../domain/explain.js';
import { placeOf } from '../domain/job.js';
import type { FinishedAttempt } from './attempt.js';
import { failingSince, followDeliveries, startStreak, type OutcomeParts } from './endpoints.js';
import { droppedBecauseRemoved, droppedBecauseUnsubscribed, heldBecausePaused } from './events.js';

const MINUTE_MS = 60_000;

/**
 * Gaps after the first, second and third attempt; every later gap is an hour (interface document, sections 6 and 8).
 */
const FIRST_GAPS_MS: readonly number[] = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
const LATER_GAP_MS = 60 * MINUTE_MS;

/**
 * Returns the gap between the starts of attempt `attemptNumber`, which failed, and of the next one, in milliseconds of
 * account time. Attempts thus start at 0, 1, 6, 36, 96, 156 … minutes.
 * @param attemptNumber 1 for the first attempt of a delivery
 */
export function nextAttemptDelayMs(attemptNumber: number): number {
  return FIRST_GAPS_MS[attemptNumber - 1] ?? LATER_GAP_MS;
}

/** For a delivery that was held or dropped meanwhile. */
const deliveredAllTheSame = byDefault(
  'Delivered by an attempt that was in progress when the endpoint was paused, removed or unsubscribed.',
);

type Finished = Pick<FinishedAttempt, 'job' | 'delivery' | 'outcome' | 'subscribed'> & {
  readonly attempt: Attempt;
};

/** Call it only inside a write. */
export function recordOutcome(parts: OutcomeParts, finished: Finished): void {
  const { attempt, outcome } = finished;
  const delivery = current(parts, finished.delivery);
  if (!delivery) return;
  const { deliveries, endpoints } = parts.store.tables;
  const endpoint = endpoints.get(delivery.endpointId);
  const attemptCount = attempt.number;
  const end = { attemptCount, nextAttemptAtMs: null };
  const step = attemptCount - delivery.attemptsBefore;
  const sinceMs = step === 1 ? attempt.atMs : Math.min(failingSince(delivery), attempt.atMs);
  if (outcome.ok) {
    deliveries.patch(delivery, { ...end, state: 'delivered' });
    if (endpoint) followDeliveries(parts, endpoint, sinceMs);
  } else if (!endpoint) {
    deliveries.patch(delivery, { ...end, state: 'dropped', explain: droppedBecauseRemoved });
  } else if (finished.subscribed && !endpoint.events.includes(delivery.eventType)) {
    deliveries.patch(delivery, { ...end, state: 'dropped', explain: droppedBecauseUnsubscribed(delivery) });
  } else if (isForged(delivery)) {
    deliveries.patch(delivery, { ...end, state: 'failed', explain: notRetried(delivery) });
  } else if (endpoint.status === 'paused') {
    deliveries.patch(delivery, { ...end, state: 'held', explain: heldBecausePaused });
  } else {
    const since = endpoint.failingSinceMs;
    if (since === null || sinceMs < since) startStreak(parts, endpoint, sinceMs);
    const nextAttemptAtMs = attempt.atMs + nextAttemptDelayMs(step);
    deliveries.patch(delivery, { state: 'retrying', attemptCount, nextAttemptAtMs, failingSinceMs: sinceMs });
    parts.scheduler.schedule('delivery.attempt', delivery.id, nextAttemptAtMs, undefined, placeOf(finished.job));
  }
}

/**
 * Whether a caller asked for a signature that a receiver must reject, or this is the forged request. The rejection is
 * correct, so it is neither retried nor counted. A rule may forge single attempts of a genuine event; those are
 * retried.
 */
function isForged({ fault }: Delivery): boolean {
  return fault?.once === true || (fault?.by.by === 'header' && fault.signature !== 'valid');
}

function notRetried({ fault, explain }: Delivery): Explain {
  const plan = explain ?? fault?.by ?? byDefault('');
  return { ...plan, text: `${plan.text} Not retried: a forged event gets one attempt.`.trim() };
}

/**
 * Records an attempt whose job was cancelled while it was in flight (the endpoint was paused or removed, or the
 * delivery was redelivered). Only a success still changes the delivery.
 */
export function recordLateOutcome(parts: OutcomeParts, finished: Finished): void {
  const { attempt, outcome } = finished;
  const delivery = current(parts, finished.delivery);
  if (!delivery) return;
  const { deliveries, endpoints } = parts.store.tables;
  const attemptCount = Math.max(delivery.attemptCount, attempt.number);
  if (!outcome.ok) {
    deliveries.patch(delivery, { attemptCount });
    return;
  }
  parts.scheduler.cancelOf(delivery.id);
  const givenUp = delivery.state === 'held' || delivery.state === 'dropped';
  deliveries.patch(delivery, {
    state: 'delivered',
    attemptCount,
    nextAttemptAtMs: null,
    ...(givenUp && { explain: deliveredAllTheSame }),
  });
  const endpoint = endpoints.get(delivery.endpointId);
  if (endpoint) followDeliveries(parts, endpoint, failingSince(delivery));
}

/** Null if the delivery no longer exists. */
function current({ store }: OutcomeParts, delivery: Delivery): Delivery | null {
  return store.tables.deliveries.get(delivery.id) === delivery ? delivery : null;
}
