/** What the outcome of an attempt changes: the delivery's state and next attempt, and the endpoint's failure streak. */
import type { Attempt, Delivery } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import { byDefault } from '../../domain/explain.js';
import { placeOf } from '../../domain/job.js';
import type { FinishedAttempt } from './attempt.js';
import type { FailureStreaks } from './failure-streak.js';
import { heldBecausePaused } from './fan-out.js';
import { endStreak, pauseAfterMs, type OutcomeParts } from './pause.js';
import { nextAttemptDelayMs } from './retry-plan.js';

export const droppedBecauseRemoved = byDefault('Dropped: the endpoint was removed.');

/** For a delivery that was held or dropped meanwhile. */
const deliveredAllTheSame = byDefault(
  'Delivered by an attempt that was under way when the endpoint was paused or removed.',
);

export interface RecordParts extends OutcomeParts {
  readonly streaks: FailureStreaks;
}

type Finished = Pick<FinishedAttempt, 'job' | 'delivery' | 'turn' | 'outcome'> & { readonly attempt: Attempt };

/** Only inside a write. */
export function recordOutcome(parts: RecordParts, finished: Finished): void {
  const { attempt, outcome } = finished;
  const delivery = current(parts, finished.delivery);
  if (!delivery) return;
  const { deliveries, endpoints } = parts.store.tables;
  const endpoint = endpoints.get(delivery.endpointId);
  const attemptCount = attempt.number;
  const end = { attemptCount, nextAttemptAtMs: null };
  if (outcome.ok) {
    deliveries.patch(delivery, { ...end, state: 'delivered' });
    if (endpoint) followStreak(parts, endpoint, finished);
  } else if (!endpoint) {
    deliveries.patch(delivery, { ...end, state: 'dropped', explain: droppedBecauseRemoved });
  } else if (endpoint.status === 'paused') {
    deliveries.patch(delivery, { ...end, state: 'held', explain: heldBecausePaused });
  } else {
    followStreak(parts, endpoint, finished);
    const nextAttemptAtMs = attempt.atMs + nextAttemptDelayMs(attempt.number - delivery.attemptsBefore);
    deliveries.patch(delivery, { state: 'retrying', attemptCount, nextAttemptAtMs });
    parts.scheduler.schedule('delivery.attempt', delivery.id, nextAttemptAtMs, undefined, placeOf(finished.job));
  }
}

/**
 * Records an attempt whose job was cancelled while it was in flight (the endpoint was paused or removed, the delivery was
 * redelivered). Only a success still changes anything.
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
  if (endpoint) followStreak(parts, endpoint, finished);
}

/** Null when the delivery is not stored any more. */
function current({ store }: RecordParts, delivery: Delivery): Delivery | null {
  return store.tables.deliveries.get(delivery.id) === delivery ? delivery : null;
}

/** Any success ends the streak, whichever event it delivered. The first failure of a streak sets the deadline of the pause. */
function followStreak(parts: RecordParts, endpoint: Endpoint, { attempt, outcome, turn }: Finished): void {
  const sinceMs = parts.streaks.end(endpoint, turn, attempt.atMs, outcome.ok);
  if (sinceMs === endpoint.failingSinceMs || endpoint.status === 'paused') return;
  endStreak(parts, endpoint);
  if (sinceMs === null) return;
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: sinceMs });
  parts.scheduler.schedule('endpoint.pause', endpoint.id, sinceMs + pauseAfterMs);
}
