/**
 * The same event once more: same id, same bytes (contract §4). Only inside a write.
 */
import type { Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Event } from '../domain/event.js';
import { heldBecausePaused, owe, type FanOutParts } from './fan-out.js';

/** Every delivery of the event again, or the one to `endpoint`, which is made when it was never owed. */
export function redeliverEvent(parts: FanOutParts, event: Event, endpoint: Endpoint | null): Delivery[] {
  const { deliveries } = parts.store.tables;
  const earlier = [...deliveries.list('event', event.id)].filter(
    (d) => endpoint === null || d.endpointId === endpoint.id,
  );
  if (endpoint && earlier.length === 0) return [owe(parts, event, endpoint)];
  return earlier.map((delivery) => redeliver(parts, delivery));
}

/** Due now, with the timetable from its start. To a paused endpoint it stays held, to a removed one dropped. */
export function redeliver(parts: FanOutParts, delivery: Delivery): Delivery {
  const { deliveries, endpoints } = parts.store.tables;
  const endpoint = endpoints.get(delivery.endpointId);
  if (!endpoint) return delivery;
  if (endpoint.status === 'paused') {
    return deliveries.patch(delivery, { state: 'held', nextAttemptAtMs: null, explain: heldBecausePaused });
  }
  const nowMs = parts.now();
  parts.scheduler.cancelOf(delivery.id);
  deliveries.patch(delivery, { state: 'pending', nextAttemptAtMs: nowMs, attemptsBefore: delivery.attemptCount });
  parts.scheduler.schedule('delivery.attempt', delivery.id, nowMs, 'redelivery');
  return delivery;
}
