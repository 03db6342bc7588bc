/**
 * Which endpoints are owed an event: a delivery for each, made in the event's own write (contract §6).
 */
import { byDefault } from '../domain/explain.js';
import type { Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Event } from '../domain/event.js';
import type { AppendOptions } from '../events/event-log.js';
import type { Ids } from '../random/ids.js';
import type { AccountStore } from '../store/account-store.js';
import type { Scheduler } from '../time/scheduler.js';

export const heldBecausePaused = byDefault(
  'Held: the endpoint is paused. Register its URL again (or set it active), then redeliver the event.',
);

export interface FanOutParts {
  readonly store: AccountStore;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly now: () => number;
}

export function fanOut(parts: FanOutParts, event: Event, options: AppendOptions): void {
  for (const endpoint of parts.store.tables.endpoints.all()) {
    const owed =
      options.endpointId === undefined ? endpoint.events.includes(event.type) : endpoint.id === options.endpointId;
    if (owed) owe(parts, event, endpoint);
  }
}

/** Makes the delivery of an event to an endpoint: due now, or held while the endpoint is paused. */
export function owe(parts: FanOutParts, event: Event, endpoint: Endpoint): Delivery {
  const { store, scheduler, ids } = parts;
  const nowMs = parts.now();
  const held = endpoint.status === 'paused';
  const delivery = store.tables.deliveries.insert({
    id: ids.uuid(),
    seq: store.nextSeq(),
    eventId: event.id,
    eventType: event.type,
    endpointId: endpoint.id,
    url: endpoint.url,
    state: held ? 'held' : 'pending',
    createdAtMs: nowMs,
    attemptCount: 0,
    attemptsBefore: 0,
    nextAttemptAtMs: held ? null : nowMs,
    ...(held && { explain: heldBecausePaused }),
  });
  if (!held) scheduler.schedule('delivery.attempt', delivery.id, nowMs);
  return delivery;
}
