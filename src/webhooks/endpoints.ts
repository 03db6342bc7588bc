/** Registers, resumes and removes endpoints, with their deliveries. Only inside a write. */
import { addressOf, type Endpoint } from '../domain/endpoint.js';
import { invalidField } from '../domain/errors.js';
import type { EventType } from '../domain/event.js';
import { maxEndpoints, requireRoom } from '../domain/limits.js';
import type { Ids } from '../random/ids.js';
import { endStreak, type OutcomeParts } from './delivery/pause.js';
import { droppedBecauseRemoved } from './delivery/record-outcome.js';

type Parts = Omit<OutcomeParts, 'now'>;

/**
 * Registers a URL. A URL that is registered already keeps its id, gets a new secret and these events, and is active again.
 * @param wanted `secret`: generated if omitted
 * @param nowMs account time
 * @throws ServiceError `validation_error` for an invalid URL, `limit_reached` when there are as many as allowed
 */
export function registerEndpoint(
  { store, scheduler, ids }: Parts & { readonly ids: Ids },
  wanted: { readonly url: string; readonly events: readonly EventType[]; readonly secret?: string | undefined },
  nowMs: number,
): Endpoint {
  const { endpoints } = store.tables;
  const events = [...new Set(wanted.events)];
  const url = requireUrl(wanted.url);
  const known = endpoints.list('url', addressOf(url)).last();
  if (known) {
    resumeEndpoint({ store, scheduler }, known);
    return endpoints.patch(known, { events, secret: wanted.secret ?? ids.secret(), updatedAtMs: nowMs });
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
export function resumeEndpoint({ store, scheduler }: Parts, endpoint: Endpoint): void {
  endStreak({ store, scheduler }, endpoint);
  if (endpoint.status === 'active') return;
  store.tables.endpoints.patch(endpoint, { status: 'active', pauseReason: null });
}

/** Removes an endpoint and drops its unfinished deliveries. */
export function removeEndpoint({ store, scheduler }: Parts, endpoint: Endpoint): void {
  const { deliveries, endpoints } = store.tables;
  scheduler.cancelOf(endpoint.id);
  for (const state of ['pending', 'retrying', 'held'] as const) {
    for (const delivery of [...deliveries.list('endpointState', `${endpoint.id} ${state}`)]) {
      scheduler.cancelOf(delivery.id);
      deliveries.patch(delivery, { state: 'dropped', nextAttemptAtMs: null, explain: droppedBecauseRemoved });
    }
  }
  endpoints.delete(endpoint);
}
