/** Registers, pauses, resumes and removes endpoints, with their deliveries. Call these functions only inside a write. */
import type { Delivery, Endpoint, Job } from '../domain/rows.js';
import { addressOf } from '../domain/webhook.js';
import { byDefault } from '../domain/explain.js';
import { invalidField } from '../domain/errors.js';
import type { EventType } from '../domain/words.js';
import { isoTime } from '../domain/instant.js';
import { maxEndpoints, requireRoom } from '../domain/limits.js';
import type { Ids } from '../random/ids.js';
import { droppedBecauseRemoved, droppedBecauseUnsubscribed, heldBecausePaused, type EventParts } from './events.js';

export type OutcomeParts = Pick<EventParts, 'store' | 'scheduler' | 'now'>;
type Parts = Omit<OutcomeParts, 'now'>;

/** Whether held deliveries are delivered when an endpoint is registered again, or only new events. */
export type ResumeRule = 'new' | 'held';

/**
 * Registers a URL. A URL that is already registered keeps its id, gets a new secret and these events, and becomes
 * active again.
 * @param wanted `secret`: generated if omitted
 * @param nowMs account time
 * @throws ServiceError `validation_error` for an invalid URL, `limit_reached` if the maximum number of endpoints exists
 */
export function registerEndpoint(
  parts: Parts & { readonly ids: Ids; readonly dialect: { webhooks: { resume: ResumeRule } } },
  wanted: { readonly url: string; readonly events: readonly EventType[]; readonly secret?: string | undefined },
  nowMs: number,
): Endpoint {
  const { store, ids, dialect } = parts;
  const { endpoints } = store.tables;
  const events = [...new Set(wanted.events)];
  const url = requireUrl(wanted.url);
  const known = endpoints.all().findLast((row) => addressOf(row.url) === addressOf(url));
  if (known) {
    resumeEndpoint(parts, known);
    endpoints.patch(known, { events, secret: wanted.secret ?? ids.secret(), updatedAtMs: nowMs });
    dropUnsubscribed(parts, known);
    if (dialect.webhooks.resume === 'held') deliverHeld(parts, known, nowMs);
    return known;
  }
  requireRoom(endpoints.size, maxEndpoints, 'webhooks', 'Remove one with DELETE /v1/webhooks/ID.');
  return endpoints.insert({
    id: ids.endpointId(),
    seq: store.nextSeq(),
    url,
    events,
    secret: wanted.secret ?? ids.secret(),
    status: 'active',
    pauseReason: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    failingSinceMs: null,
  });
}

/** The pattern of the document accepts URLs that are not valid, such as one with port 99999. */
function requireUrl(url: string): string {
  if (URL.canParse(url)) return url;
  throw invalidField('url', 'must be a complete https:// URL with a valid host and port');
}

/** Makes an endpoint active again and ends its failure streak. Held deliveries stay held until they are redelivered. */
export function resumeEndpoint(parts: Parts, endpoint: Endpoint): void {
  const { deliveries, endpoints } = parts.store.tables;
  setStreak(parts, endpoint, null);
  for (const delivery of deliveries.list('endpointState', `${endpoint.id} retrying`)) {
    deliveries.patch(delivery, { failingSinceMs: null });
  }
  if (endpoint.status === 'active') return;
  endpoints.patch(endpoint, { status: 'active', pauseReason: null });
}

/** Drops retries of events that the endpoint is no longer subscribed to; a caller may still address it by its id. */
function dropUnsubscribed({ store, scheduler }: Parts, endpoint: Endpoint): void {
  const { deliveries } = store.tables;
  for (const delivery of [...deliveries.list('endpointState', `${endpoint.id} retrying`)]) {
    if (endpoint.events.includes(delivery.eventType)) continue;
    scheduler.cancelOf(delivery.id);
    const explain = droppedBecauseUnsubscribed(delivery);
    deliveries.patch(delivery, { state: 'dropped', nextAttemptAtMs: null, explain });
  }
}

const deliveredOnResume = byDefault('Held while the endpoint was paused; delivered when its URL was registered again.');

/** Delivers held events, oldest first, from the start of the retry schedule. */
function deliverHeld({ store, scheduler }: Parts, { id, events }: Endpoint, nowMs: number): void {
  const { deliveries } = store.tables;
  const held = [...deliveries.list('endpointState', `${id} held`)].filter((one) => events.includes(one.eventType));
  for (const delivery of held.sort((a, b) => a.seq - b.seq)) {
    deliveries.patch(delivery, {
      state: 'pending',
      nextAttemptAtMs: nowMs,
      attemptsBefore: delivery.attemptCount,
      holdUntil: null,
      decided: null,
      explain: deliveredOnResume,
    });
    scheduler.schedule('delivery.attempt', delivery.id, nowMs, delivery.attemptCount > 0 ? 'redelivery' : undefined);
  }
}

/** Removes an endpoint and drops its unfinished deliveries. */
export function removeEndpoint(parts: Parts, endpoint: Endpoint): void {
  parts.scheduler.cancelOf(endpoint.id);
  cancelDeliveries(parts, endpoint, ['pending', 'retrying', 'held'], {
    state: 'dropped',
    explain: droppedBecauseRemoved,
  });
  parts.store.tables.endpoints.delete(endpoint);
}

/** How long a delivery may keep failing before its endpoint is paused (interface document, section 6). */
export const pauseAfterMs = 24 * 60 * 60_000;

/**
 * Starts, moves or ends the failure streak of an endpoint, with the deadline of the pause.
 * @param sinceMs null ends it
 */
export function setStreak(parts: Parts, endpoint: Endpoint, sinceMs: number | null): void {
  if (endpoint.failingSinceMs === sinceMs) return;
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: sinceMs });
  if (sinceMs !== null) parts.scheduler.schedule('endpoint.pause', endpoint.id, sinceMs + pauseAfterMs);
}

/**
 * Moves the deadline of an endpoint after a delivery stopped failing. The deadline is 24 hours after the first attempt
 * of the delivery that has failed longest.
 */
export function followDeliveries(parts: Parts, endpoint: Endpoint, endedSinceMs: number): void {
  if (endpoint.failingSinceMs !== endedSinceMs) return;
  let sinceMs = Infinity;
  for (const delivery of parts.store.tables.deliveries.list('endpointState', `${endpoint.id} retrying`)) {
    sinceMs = Math.min(sinceMs, failingSince(delivery));
    if (sinceMs === endedSinceMs) return;
  }
  setStreak(parts, endpoint, sinceMs === Infinity ? null : sinceMs);
}

/**
 * Returns when the first attempt of the current retry schedule started; Infinity if none has failed since the endpoint
 * was resumed.
 */
export function failingSince({ failingSinceMs }: Delivery): number {
  return failingSinceMs ?? Infinity;
}

/** Runs the deadline of an endpoint: pauses it, and holds its deliveries. */
export function pauseEndpoint(parts: OutcomeParts, job: Job): undefined {
  const { endpoints, deliveries } = parts.store.tables;
  const endpoint = endpoints.get(job.subject);
  const sinceMs = endpoint?.failingSinceMs ?? null;
  if (!endpoint || sinceMs === null) return;
  const failing = [...deliveries.list('endpointState', `${endpoint.id} retrying`)];
  const longest = failing.find((delivery) => failingSince(delivery) === sinceMs);
  const who = longest ? `Delivery ${longest.id} (${longest.eventType})` : 'A delivery';
  pause(parts, endpoint, `${who} has failed since ${isoTime(sinceMs)}, for 24 hours.`);
}

/** Pauses an endpoint now. It still says since when it has failed. */
export function pause(parts: OutcomeParts, endpoint: Endpoint, reason: string): void {
  const more = endpoint.status === 'active' && { pauses: (endpoint.pauses ?? 0) + 1 };
  const paused = { status: 'paused', pauseReason: reason, updatedAtMs: parts.now() } as const;
  parts.store.tables.endpoints.patch(endpoint, { ...paused, ...more });
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
  cancelDeliveries(parts, endpoint, ['pending', 'retrying'], { state: 'held', explain: heldBecausePaused });
}

/** Cancels the attempts of an endpoint's deliveries in these states. */
export function cancelDeliveries(
  { store, scheduler }: Parts,
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
