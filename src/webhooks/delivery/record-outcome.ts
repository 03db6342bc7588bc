/**
 * What an attempt's outcome changes: the delivery's state and next try, and the endpoint's run of failures
 * (interface §6, contract §2 row 3.3/6).
 */
import type { Attempt, Delivery } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import { byDefault } from '../../domain/explain.js';
import { placeOf, type Job } from '../../domain/job.js';
import { isoTime } from '../../domain/instant.js';
import { heldBecausePaused } from './fan-out.js';
import { nextAttemptDelayMs, pauseAfterMs } from './retry-schedule.js';
import type { AccountStore } from '../../store/tables/account-store.js';
import type { FailureRuns } from './failure-streak.js';
import type { Scheduler } from '../../time/scheduler.js';

export interface SettleParts {
  readonly store: AccountStore;
  readonly scheduler: Scheduler;
  readonly now: () => number;
}

export const droppedBecauseRemoved = byDefault('Dropped: the endpoint was removed.');

/** For what was held or dropped meanwhile. */
const deliveredAllTheSame = byDefault(
  'Delivered by an attempt that was under way when the endpoint was paused or removed.',
);

/** What came of an attempt. */
export interface Settled {
  readonly job: Job;
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly ok: boolean;
  /** Its turn among those of its endpoint. */
  readonly turn: number;
}

export interface AttemptParts extends SettleParts {
  readonly runs: FailureRuns;
}

/** Only inside a write. */
export function settleAttempt(parts: AttemptParts, settled: Settled): void {
  const { delivery, attempt, ok } = settled;
  const { deliveries, endpoints } = parts.store.tables;
  if (deliveries.get(delivery.id) !== delivery) return;
  const endpoint = endpoints.get(delivery.endpointId);
  const attemptCount = attempt.number;
  if (ok) {
    deliveries.patch(delivery, { state: 'delivered', attemptCount, nextAttemptAtMs: null });
    if (endpoint) followRun(parts, endpoint, settled);
    return;
  }
  if (!endpoint) {
    deliveries.patch(delivery, {
      state: 'dropped',
      attemptCount,
      nextAttemptAtMs: null,
      explain: droppedBecauseRemoved,
    });
    return;
  }
  if (endpoint.status === 'paused') {
    deliveries.patch(delivery, { state: 'held', attemptCount, nextAttemptAtMs: null, explain: heldBecausePaused });
    return;
  }
  followRun(parts, endpoint, settled);
  const nextAttemptAtMs = attempt.atMs + nextAttemptDelayMs(attempt.number - delivery.attemptsBefore);
  deliveries.patch(delivery, { state: 'retrying', attemptCount, nextAttemptAtMs });
  parts.scheduler.schedule('delivery.attempt', delivery.id, nextAttemptAtMs, undefined, placeOf(settled.job));
}

/**
 * While the attempt was in flight its job was taken back (the endpoint was paused or removed, the delivery started over).
 * The attempt is on record; only a success still changes anything.
 */
export function settleOvertaken(parts: AttemptParts, settled: Settled): void {
  const { delivery, attempt, ok } = settled;
  const { deliveries } = parts.store.tables;
  if (deliveries.get(delivery.id) !== delivery) return;
  const attemptCount = Math.max(delivery.attemptCount, attempt.number);
  if (!ok) {
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
  const endpoint = parts.store.tables.endpoints.get(delivery.endpointId);
  if (endpoint) followRun(parts, endpoint, settled);
}

/**
 * Any success ends the run, whichever event it delivered. The first failure of a run sets its deadline: 24 h later to the
 * millisecond the endpoint is paused.
 */
function followRun(parts: AttemptParts, endpoint: Endpoint, { attempt, ok, turn }: Settled): void {
  const sinceMs = parts.runs.end(endpoint, turn, attempt.atMs, ok);
  if (sinceMs === endpoint.failingSinceMs || endpoint.status === 'paused') return;
  endRun(parts, endpoint);
  if (sinceMs === null) return;
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: sinceMs });
  parts.scheduler.schedule('endpoint.pause', endpoint.id, sinceMs + pauseAfterMs);
}

/** Nothing fails any more, or nobody counts it. Only inside a write. */
export function endRun(parts: Omit<SettleParts, 'now'>, endpoint: Endpoint): void {
  if (endpoint.failingSinceMs === null) return;
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: null });
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
}

/** Runs the deadline: the endpoint is paused, and what it is still owed is held. */
export function pauseEndpoint(parts: SettleParts, job: Job): undefined {
  const endpoint = parts.store.tables.endpoints.get(job.subject);
  if (typeof endpoint?.failingSinceMs !== 'number') return;
  pause(
    parts,
    endpoint,
    `Deliveries have failed since ${isoTime(endpoint.failingSinceMs)}, for 24 hours without a success.`,
  );
}

/** Pauses an endpoint now. Only inside a write. */
export function pause(parts: SettleParts, endpoint: Endpoint, reason: string): void {
  const { endpoints, deliveries } = parts.store.tables;
  const more = endpoint.status === 'active' && { pauses: (endpoint.pauses ?? 0) + 1 };
  const paused = { status: 'paused', pauseReason: reason, updatedAtMs: parts.now(), failingSinceMs: null } as const;
  endpoints.patch(endpoint, { ...paused, ...more });
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
  for (const state of ['pending', 'retrying'] as const) {
    for (const delivery of [...deliveries.list('endpointState', `${endpoint.id} ${state}`)]) {
      parts.scheduler.cancelOf(delivery.id);
      deliveries.patch(delivery, { state: 'held', nextAttemptAtMs: null, explain: heldBecausePaused });
    }
  }
}
