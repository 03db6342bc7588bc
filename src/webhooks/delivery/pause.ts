/** The pause of an endpoint that keeps failing, and the failure streak that leads to it. */
import type { Delivery } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import { isoTime } from '../../domain/instant.js';
import type { Job } from '../../domain/job.js';
import { heldBecausePaused, type EventParts } from '../event-log.js';

/** The reasons for pausing an endpoint: one delivery that fails for 24 hours, or 24 hours without a success. */
export type PauseRule = 'delivery' | 'endpoint';

export type OutcomeParts = Pick<EventParts, 'store' | 'scheduler' | 'now'>;
type StreakParts = Omit<OutcomeParts, 'now'>;

/** How long a delivery may keep failing before its endpoint is paused (interface document, section 6). */
export const pauseAfterMs = 24 * 60 * 60_000;

/** Starts a failure streak, with the deadline of the pause. Call it only inside a write. */
export function startStreak(parts: StreakParts, endpoint: Endpoint, sinceMs: number): void {
  endStreak(parts, endpoint);
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: sinceMs });
  parts.scheduler.schedule('endpoint.pause', endpoint.id, sinceMs + pauseAfterMs);
}

/** Ends the failure streak of an endpoint, with its deadline. Call it only inside a write. */
export function endStreak(parts: StreakParts, endpoint: Endpoint): void {
  if (endpoint.failingSinceMs === null) return;
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: null });
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
}

/**
 * Moves the deadline of an endpoint after a delivery stopped failing. The deadline is 24 hours after the first attempt
 * of the delivery that has failed longest (dialect `webhooks.pause: delivery`). Call it only inside a write.
 */
export function followDeliveries(parts: StreakParts, endpoint: Endpoint, endedSinceMs: number): void {
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

/** Pauses an endpoint now. It still says since when it has failed. Call it only inside a write. */
export function pause(parts: OutcomeParts, endpoint: Endpoint, reason: string): void {
  const more = endpoint.status === 'active' && { pauses: (endpoint.pauses ?? 0) + 1 };
  const paused = { status: 'paused', pauseReason: reason, updatedAtMs: parts.now() } as const;
  parts.store.tables.endpoints.patch(endpoint, { ...paused, ...more });
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
  giveUp(parts, endpoint, ['pending', 'retrying'], { state: 'held', explain: heldBecausePaused });
}

/** Cancels the attempts of an endpoint's deliveries in these states. Call it only inside a write. */
export function giveUp(
  { store, scheduler }: StreakParts,
  endpoint: Endpoint,
  states: readonly Delivery['state'][],
  end: Pick<Delivery, 'state' | 'explain'>,
): void {
  const { deliveries } = store.tables;
  for (const delivery of states.flatMap((state) => [...deliveries.list('endpointState', `${endpoint.id} ${state}`)])) {
    scheduler.cancelOf(delivery.id);
    deliveries.patch(delivery, { ...end, nextAttemptAtMs: null });
  }
}
