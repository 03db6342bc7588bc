/** The pause of an endpoint that keeps failing, and the failure streak that leads to it. */
import type { Delivery } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import { isoTime } from '../../domain/instant.js';
import type { Job } from '../../domain/job.js';
import type { AccountStore } from '../../store/tables/account-store.js';
import type { Scheduler } from '../../time/scheduler.js';
import { heldBecausePaused } from '../event-log.js';

/** The reasons for pausing an endpoint: one delivery that fails for 24 hours, or 24 hours without a success. */
export type PauseRule = 'delivery' | 'endpoint';

export interface OutcomeParts {
  readonly store: AccountStore;
  readonly scheduler: Scheduler;
  /** Account time. */
  readonly now: () => number;
}

/** How long a delivery may keep failing before its endpoint is paused (interface document, section 6). */
export const pauseAfterMs = 24 * 60 * 60_000;

/** Starts a failure streak, with the deadline of the pause. Call it only inside a write. */
export function startStreak(parts: Omit<OutcomeParts, 'now'>, endpoint: Endpoint, sinceMs: number): void {
  endStreak(parts, endpoint);
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: sinceMs });
  parts.scheduler.schedule('endpoint.pause', endpoint.id, sinceMs + pauseAfterMs);
}

/** Ends the failure streak of an endpoint, with its deadline. Call it only inside a write. */
export function endStreak(parts: Omit<OutcomeParts, 'now'>, endpoint: Endpoint): void {
  if (endpoint.failingSinceMs === null) return;
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: null });
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
}

/**
 * Moves the deadline of an endpoint after a delivery stopped failing. The deadline is 24 hours after the first attempt
 * of the delivery that has failed longest (dialect `webhooks.pause: delivery`). Call it only inside a write.
 */
export function followDeliveries(parts: Omit<OutcomeParts, 'now'>, endpoint: Endpoint, endedSinceMs: number): void {
  if (endpoint.failingSinceMs !== endedSinceMs) return;
  let sinceMs = Infinity;
  for (const delivery of parts.store.tables.deliveries.list('endpointState', `${endpoint.id} retrying`)) {
    sinceMs = Math.min(sinceMs, failingSince(delivery));
    if (sinceMs === endedSinceMs) return;
  }
  if (sinceMs === Infinity) endStreak(parts, endpoint);
  else startStreak(parts, endpoint, sinceMs);
}

/**
 * Returns when the first attempt of the current retry schedule started; Infinity if none has failed since the endpoint
 * was resumed.
 */
export function failingSince({ failingSinceMs, createdAtMs }: Delivery): number {
  // Data of earlier versions lacks the field.
  return failingSinceMs === undefined ? createdAtMs : (failingSinceMs ?? Infinity);
}

/** Runs the deadline of an endpoint: pauses it, and holds its deliveries. */
export function pauseEndpoint(parts: OutcomeParts & { readonly pause: PauseRule }, job: Job): undefined {
  const { endpoints, deliveries } = parts.store.tables;
  const endpoint = endpoints.get(job.subject);
  const sinceMs = endpoint?.failingSinceMs ?? null;
  if (!endpoint || sinceMs === null) return;
  const failing = [...deliveries.list('endpointState', `${endpoint.id} retrying`)];
  const longest = parts.pause === 'delivery' ? failing.find((delivery) => failingSince(delivery) === sinceMs) : null;
  const who = longest ? `Delivery ${longest.id} (${longest.eventType}) has` : 'Deliveries have';
  const success = longest ? '' : ' without a success';
  pause(parts, endpoint, `${who} failed since ${isoTime(sinceMs)}, for 24 hours${success}.`);
}

/** Pauses an endpoint now. Call it only inside a write. */
export function pause(parts: OutcomeParts, endpoint: Endpoint, reason: string): void {
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
