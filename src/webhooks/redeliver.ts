/** Redelivers an event with the same id and bytes. Call it only inside a write. */
import type { Delivery, Endpoint, Event, Explain } from '../domain/rows.js';
import { byDefault } from '../domain/explain.js';
import { maxCopies, requireRoom } from '../domain/limits.js';
import { failingSince, followDeliveries } from './endpoints.js';
import { createDelivery, heldBecausePaused, waitOf, type EventParts } from './events.js';
import { type DeliveryPlan, faultsOfDelivery } from './faults.js';

/**
 * Redelivers to `endpoint` only, or to every endpoint that is subscribed to the event's type now; a missing delivery is
 * created.
 */
export function redeliverEvent(
  parts: EventParts,
  event: Event,
  endpoint: Endpoint | null,
  plan: DeliveryPlan | null = null,
): Delivery[] {
  const { endpoints } = parts.store.tables;
  const addressees = endpoint ? [endpoint] : [...endpoints.all()].filter(({ events }) => events.includes(event.type));
  for (const { id } of addressees) requireRoomForCopies(parts, event.id, id, plan);
  return addressees.flatMap((addressee) => {
    const earlier = deliveriesTo(parts, event.id, addressee.id);
    if (earlier.length === 0) return [createDelivery(parts, event, addressee, plan ?? undefined)];
    return [...earlier.map((delivery) => again(parts, delivery, plan)), ...copies(parts, event, addressee, plan)];
  });
}

/** Redelivers one delivery. Copies are separate deliveries. */
export function redeliver(parts: EventParts, delivery: Delivery, plan: DeliveryPlan | null = null): Delivery {
  const { events, endpoints } = parts.store.tables;
  requireRoomForCopies(parts, delivery.eventId, delivery.endpointId, plan);
  const [event, endpoint] = [events.get(delivery.eventId), endpoints.get(delivery.endpointId)];
  const made = again(parts, delivery, plan);
  if (event && endpoint) copies(parts, event, endpoint, plan);
  return made;
}

/** @throws ServiceError `limit_reached`, before anything is changed */
function requireRoomForCopies(parts: EventParts, eventId: string, endpointId: string, plan: DeliveryPlan | null): void {
  if ((plan?.copies ?? 1) === 1) return;
  const what = `deliveries of event ${eventId} to one endpoint`;
  requireRoom(deliveriesTo(parts, eventId, endpointId).length, maxCopies, what, 'Redeliver it without "duplicate".');
}

function deliveriesTo({ store }: EventParts, eventId: string, endpointId: string): Delivery[] {
  return [...store.tables.deliveries.list('event', eventId)].filter((delivery) => delivery.endpointId === endpointId);
}

function copies(parts: EventParts, event: Event, endpoint: Endpoint, plan: DeliveryPlan | null): Delivery[] {
  return plan && plan.copies > 1 ? [createDelivery(parts, event, endpoint, { ...plan, copies: plan.copies - 1 })] : [];
}

const askedAgain = 'Redelivered by a command.';

/** The explanation keeps the rule behind the first delivery, but not that it was held. */
function redelivered(earlier: Explain | undefined): Explain {
  if (earlier?.id === undefined) return byDefault(askedAgain);
  if (earlier.text.startsWith(askedAgain)) return earlier;
  return { ...earlier, text: `${askedAgain} Originally: ${earlier.text}` };
}

/**
 * Schedules it now, at the start of the retry schedule. For a paused endpoint, it stays held; for a removed one,
 * nothing is sent.
 */
function again(parts: EventParts, delivery: Delivery, plan: DeliveryPlan | null): Delivery {
  const { deliveries, endpoints } = parts.store.tables;
  const endpoint = endpoints.get(delivery.endpointId);
  if (!endpoint) return delivery;
  if (endpoint.status === 'paused') {
    return deliveries.patch(delivery, { state: 'held', nextAttemptAtMs: null, explain: heldBecausePaused });
  }
  const event = parts.store.tables.events.get(delivery.eventId);
  const holdUntil = plan && event ? waitOf(parts.store, event, plan) : null;
  const dueMs = parts.now() + (plan?.delayMs ?? 0);
  const sinceMs = failingSince(delivery);
  parts.scheduler.cancelOf(delivery.id);
  deliveries.patch(delivery, {
    state: 'pending',
    nextAttemptAtMs: holdUntil ? null : dueMs,
    attemptsBefore: delivery.attemptCount,
    holdUntil: holdUntil && { ...holdUntil, redelivery: true },
    // A fault of the first delivery does not apply again, unless it is requested.
    fault: plan?.fault ?? null,
    decided: null,
    ...(plan && { faults: [...new Set([...(delivery.faults ?? []), ...faultsOfDelivery(plan)])] }),
    explain: plan?.explain ?? redelivered(delivery.explain),
  });
  followDeliveries(parts, endpoint, sinceMs);
  if (!holdUntil) parts.scheduler.schedule('delivery.attempt', delivery.id, dueMs, 'redelivery');
  return delivery;
}
