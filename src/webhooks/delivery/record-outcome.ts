/** Applies the outcome of an attempt to the delivery's state and next attempt, and to the endpoint's failure streak. */
import type { Attempt, Delivery } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import { byDefault, type Explain } from '../../domain/explain.js';
import { placeOf } from '../../domain/job.js';
import type { FinishedAttempt } from './attempt.js';
import type { FailureStreaks } from './failure-streak.js';
import { heldBecausePaused } from '../event-log.js';
import {
  endStreak,
  failingSince,
  followDeliveries,
  type OutcomeParts,
  pauseAfterMs,
  type PauseRule,
  startStreak,
} from './pause.js';
import { nextAttemptDelayMs } from './retry-plan.js';

export const droppedBecauseRemoved = byDefault('Dropped: the endpoint was removed.');

/** For a delivery to an endpoint that has since unsubscribed from the event's type. */
export function droppedBecauseUnsubscribed({ eventType }: Delivery): Explain {
  return byDefault(`Dropped (unsubscribed): the endpoint no longer subscribes to ${eventType}.`);
}

/** For a delivery that was held or dropped meanwhile. */
const deliveredAllTheSame = byDefault(
  'Delivered by an attempt that was in progress when the endpoint was paused, removed or unsubscribed.',
);

const failedForLong = byDefault(
  'Failed: it had no success for 24 hours, while other deliveries to the endpoint did. It can be redelivered.',
);

export interface RecordParts extends OutcomeParts {
  readonly pause: PauseRule;
  readonly streaks: FailureStreaks;
}

type Finished = Pick<FinishedAttempt, 'job' | 'delivery' | 'turn' | 'outcome' | 'subscribed'> & {
  readonly attempt: Attempt;
};

/** Call it only inside a write. */
export function recordOutcome(parts: RecordParts, finished: Finished): void {
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
    if (endpoint) followSuccess(parts, endpoint, sinceMs, finished);
  } else if (!endpoint) {
    deliveries.patch(delivery, { ...end, state: 'dropped', explain: droppedBecauseRemoved });
  } else if (finished.subscribed && !endpoint.events.includes(delivery.eventType)) {
    deliveries.patch(delivery, { ...end, state: 'dropped', explain: droppedBecauseUnsubscribed(delivery) });
  } else if (isForged(delivery)) {
    deliveries.patch(delivery, { ...end, state: 'failed', explain: notRetried(delivery) });
  } else if (endpoint.status === 'paused') {
    deliveries.patch(delivery, { ...end, state: 'held', explain: heldBecausePaused });
  } else {
    if (parts.pause === 'endpoint') followStreak(parts, endpoint, finished);
    else if (endpoint.failingSinceMs === null || sinceMs < endpoint.failingSinceMs)
      startStreak(parts, endpoint, sinceMs);
    const nextMs = attempt.atMs + nextAttemptDelayMs(step);
    const nextAttemptAtMs = hasExpired(parts.pause, sinceMs, nextMs) ? null : nextMs;
    deliveries.patch(delivery, { state: 'retrying', attemptCount, nextAttemptAtMs, failingSinceMs: sinceMs });
    parts.scheduler.schedule('delivery.attempt', delivery.id, nextMs, undefined, placeOf(finished.job));
  }
}

/** Whether a delivery will have failed for 24 hours by then, if that does not pause its endpoint. */
export function hasExpired(pause: PauseRule, sinceMs: number, atMs: number): boolean {
  return pause === 'endpoint' && atMs >= sinceMs + pauseAfterMs;
}

/** Marks a delivery as failed. Call it only inside a write. */
export function expire({ store }: Pick<OutcomeParts, 'store'>, delivery: Delivery): void {
  store.tables.deliveries.patch(delivery, { state: 'failed', nextAttemptAtMs: null, explain: failedForLong });
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
export function recordLateOutcome(parts: RecordParts, finished: Finished): void {
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
  if (endpoint) followSuccess(parts, endpoint, failingSince(delivery), finished);
}

function followSuccess(parts: RecordParts, endpoint: Endpoint, sinceMs: number, finished: Finished): void {
  if (parts.pause === 'endpoint') followStreak(parts, endpoint, finished);
  else followDeliveries(parts, endpoint, sinceMs);
}

/** Null if the delivery no longer exists. */
function current({ store }: RecordParts, delivery: Delivery): Delivery | null {
  return store.tables.deliveries.get(delivery.id) === delivery ? delivery : null;
}

/**
 * Any success ends the streak, whichever event was delivered. The first failure of a streak sets the deadline of the
 * pause.
 */
function followStreak(parts: RecordParts, endpoint: Endpoint, { attempt, outcome, turn }: Finished): void {
  const sinceMs = parts.streaks.end(endpoint, turn, attempt.atMs, outcome.ok);
  if (sinceMs === endpoint.failingSinceMs || endpoint.status === 'paused') return;
  if (sinceMs === null) endStreak(parts, endpoint);
  else startStreak(parts, endpoint, sinceMs);
}
