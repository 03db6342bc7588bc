/**
 * The same event once more: same id, same bytes (contract §4). Only inside a write.
 */
import type { Delivery, DeliveryPlan } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Event } from '../domain/event.js';
import { heldBecausePaused, owe, type FanOutParts } from './fan-out.js';

/** To `endpoint` alone, or to every endpoint that is subscribed to the event's type now; where it was never owed, it is now. */
export function redeliverEvent(
  parts: FanOutParts,
  event: Event,
  endpoint: Endpoint | null,
  plan: DeliveryPlan | null = null,
): Delivery[] {
  const { deliveries, endpoints } = parts.store.tables;
  const addressees = endpoint ? [endpoint] : [...endpoints.all()].filter(({ events }) => events.includes(event.type));
  return addressees.flatMap((addressee) => {
    const earlier = [...deliveries.list('event', event.id)].filter(({ endpointId }) => endpointId === addressee.id);
    return earlier.length === 0
      ? [owe(parts, event, addressee, plan ?? undefined)]
      : earlier.map((delivery) => redeliver(parts, delivery, plan));
  });
}

/** Due now, with the timetable from its start. To a paused endpoint it stays held, to a removed one dropped. */
export function redeliver(parts: FanOutParts, delivery: Delivery, plan: DeliveryPlan | null = null): Delivery {
  const { deliveries, endpoints } = parts.store.tables;
  const endpoint = endpoints.get(delivery.endpointId);
  if (!endpoint) return delivery;
  if (endpoint.status === 'paused') {
    return deliveries.patch(delivery, { state: 'held', nextAttemptAtMs: null, explain: heldBecausePaused });
  }
  const dueMs = parts.now() + (plan?.delayMs ?? 0);
  parts.scheduler.cancelOf(delivery.id);
  deliveries.patch(delivery, {
    state: 'pending',
    nextAttemptAtMs: dueMs,
    attemptsBefore: delivery.attemptCount,
    holdUntil: null,
    // What spoiled it the first time does not spoil it again, unless asked for.
    fault: plan?.fault ?? null,
  });
  parts.scheduler.schedule('delivery.attempt', delivery.id, dueMs, 'redelivery');
  return delivery;
}
