/**
 * The event log of an account. An event and its deliveries are appended in the same write as the change that the event
 * reports.
 */
import type { Delivery, Endpoint, Event, Explain } from '../domain/rows.js';
import type { EventType, Actor } from '../domain/words.js';
import { byDefault } from '../domain/explain.js';
import { maxDeliveries, maxEvents } from '../domain/limits.js';
import type { Ids } from '../random/ids.js';
import type { Script } from '../scenario/engine/effects.js';
import type { Facts } from '../scenario/schema/hooks.js';
import { OPEN } from '../store/account-data.js';
import type { AccountStore } from '../store/account-store.js';
import type { Scheduler } from '../time/scheduler.js';
import { type DeliveryPlan, faultsOfDelivery, forgedPlan, plainPlan, planOf } from './faults.js';

export interface EventParts {
  readonly store: AccountStore;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly script: Script;
  readonly now: () => number;
}

export interface AppendOptions {
  /** Only this endpoint, subscribed or not; by default, every endpoint that is subscribed to the type. */
  readonly endpointId?: string;
  /** The plan of its deliveries; by default, rules decide. */
  readonly plan?: DeliveryPlan;
  /** The source of the event, if it was not caused by a call or job. */
  readonly by?: Actor;
}

export class EventLog {
  constructor(private readonly parts: EventParts) {}

  /** @param data must not change afterwards: the bytes that are signed, sent, stored and shown are made from it */
  append(type: EventType, subject: string, data: object, options: AppendOptions = {}): Event {
    const { store, ids, now } = this.parts;
    return store.update(() => {
      const id = ids.eventId();
      const event = store.tables.events.insert({
        id,
        seq: store.nextSeq(),
        type,
        createdAtMs: now(),
        data: data as Record<string, unknown>,
        subject,
        ...(options.by && { by: options.by }),
      });
      fanOut(this.parts, event, options);
      trimEvents(store);
      return event;
    });
  }
}

export const heldBecausePaused = byDefault(
  'Held: the endpoint was paused. Once it is active again (register its URL again, or set it active), redeliver the event.',
);

export const droppedBecauseRemoved = byDefault('Dropped: the endpoint was removed.');

/** For a delivery to an endpoint that has since unsubscribed from the event's type. */
export function droppedBecauseUnsubscribed({ eventType }: Delivery): Explain {
  return byDefault(`Dropped (unsubscribed): the endpoint no longer subscribes to ${eventType}.`);
}

/** Account milliseconds between a delivery and its forged request, so that neither overtakes the other. */
const besideMs = 1000;

function fanOut(parts: EventParts, event: Event, options: AppendOptions): void {
  for (const endpoint of parts.store.tables.endpoints.all()) {
    const addressed =
      options.endpointId === undefined ? endpoint.events.includes(event.type) : endpoint.id === options.endpointId;
    if (addressed) createDelivery(parts, event, endpoint, options.plan);
  }
  releaseWaiting(parts, event);
}

/**
 * Creates the delivery of an event to an endpoint: due now or according to the plan, held while the endpoint is paused.
 */
export function createDelivery(
  parts: EventParts,
  event: Event,
  endpoint: Endpoint,
  plan = decidePlan(parts, event, endpoint),
): Delivery {
  const { forgedCopy, delayMs, explain } = plan;
  const forgedMs = forgedCopy === 'after' ? delayMs + besideMs : delayMs;
  const trueMs = forgedCopy === 'before' ? delayMs + besideMs : delayMs;
  const first = insertDelivery(parts, event, endpoint, { ...plan, delayMs: trueMs });
  if (forgedCopy && !plan.drop) insertDelivery(parts, event, endpoint, forgedPlan(forgedMs, explain));
  for (let copy = 1; copy < plan.copies; copy += 1) insertDelivery(parts, event, endpoint, plan);
  return first;
}

/** The fields of a delivery that a rule may match (hook `webhook.deliver`). */
export function deliveryFacts(event: Event, endpoint: Pick<Endpoint, 'url' | 'alias'>, attempt: number): Facts {
  const data = event.data as { to?: string; from?: string; status?: string; type?: string };
  // The customer: the sender of an inbound event, or the recipient of the message in any other event.
  const phone = event.type === 'message.received' ? data.from : data.to;
  return {
    event: event.type,
    url: endpoint.url,
    attempts: attempt,
    ...(endpoint.alias !== undefined && { alias: endpoint.alias }),
    ...(data.status !== undefined && { status: data.status }),
    ...(data.type !== undefined && { type: data.type }),
    ...(phone !== undefined && { phone }),
  };
}

function decidePlan({ script }: EventParts, event: Event, endpoint: Endpoint): DeliveryPlan {
  const { webhook } = script.decide('webhook.deliver', deliveryFacts(event, endpoint, 1));
  return webhook ? planOf(webhook.effect, webhook.explain) : plainPlan;
}

function insertDelivery(
  { store, scheduler, ids, now }: EventParts,
  event: Event,
  endpoint: Endpoint,
  plan: DeliveryPlan,
): Delivery {
  const nowMs = now();
  const paused = endpoint.status === 'paused';
  const state = plan.drop ? 'dropped' : paused ? 'held' : 'pending';
  const holdUntil = state === 'pending' ? waitOf(store, event, plan) : null;
  const due = state === 'pending' && holdUntil === null;
  const dueMs = nowMs + plan.delayMs;
  const faults = faultsOfDelivery(plan);
  const explain = plan.drop || !paused ? plan.explain : heldBecausePaused;
  const delivery = store.tables.deliveries.insert({
    id: ids.deliveryId(),
    seq: store.nextSeq(),
    eventId: event.id,
    eventType: event.type,
    endpointId: endpoint.id,
    url: endpoint.url,
    state,
    createdAtMs: nowMs,
    attemptCount: 0,
    attemptsBefore: 0,
    nextAttemptAtMs: due ? dueMs : null,
    ...(plan.fault && { fault: plan.fault }),
    ...(holdUntil && { holdUntil }),
    ...(faults.length > 0 && { faults }),
    ...(explain && { explain }),
  });
  if (due) scheduler.schedule('delivery.attempt', delivery.id, dueMs);
  return delivery;
}

/**
 * The condition that a delivery waits for. Only a `message.status` event can wait, for a status of its message that is
 * not reported yet.
 */
export function waitOf(
  store: AccountStore,
  event: Event,
  { holdUntil }: DeliveryPlan,
): NonNullable<Delivery['holdUntil']> | null {
  if (holdUntil === null || event.type !== 'message.status') return null;
  const message = store.tables.messages.get(event.subject);
  if (!message || message.history.some(({ status }) => status === holdUntil)) return null;
  return { messageId: message.id, status: holdUntil };
}

/** Releases the deliveries that waited for the reported status: they are sent after the event that reports it. */
function releaseWaiting({ store, scheduler, now }: EventParts, event: Event): void {
  const { deliveries } = store.tables;
  if (event.type !== 'message.status') return;
  const { status } = event.data as { status: string };
  for (const delivery of [...deliveries.list('waiting', `${event.subject} ${status}`)]) {
    const nextAttemptAtMs = delivery.state === 'pending' || delivery.state === 'retrying' ? now() : null;
    const data = delivery.holdUntil?.redelivery ? 'redelivery' : undefined;
    deliveries.patch(delivery, { holdUntil: null, nextAttemptAtMs });
    if (nextAttemptAtMs !== null) scheduler.schedule('delivery.attempt', delivery.id, now(), data);
  }
}

/**
 * Removes the oldest events beyond the limits, with their deliveries and attempts. An event stays while one of its
 * deliveries has an attempt to come. Call it only inside a transaction.
 */
function trimEvents(store: AccountStore): void {
  const { events, deliveries, attempts } = store.tables;
  const open = deliveries.list('open', OPEN).length;
  let moreEvents = events.size - open - maxEvents;
  let moreDeliveries = deliveries.size - open - maxDeliveries;
  if (moreEvents <= 0 && moreDeliveries <= 0) return;
  const settled: Event[] = [];
  for (const event of events.oldest()) {
    const own = deliveries.list('event', event.id);
    if (own.some(({ state }) => state === 'pending' || state === 'retrying')) continue;
    settled.push(event);
    moreEvents -= 1;
    moreDeliveries -= own.length;
    if (moreEvents <= 0 && moreDeliveries <= 0) break;
  }
  for (const event of settled) {
    for (const delivery of [...deliveries.list('event', event.id)]) {
      for (const attempt of [...attempts.list('delivery', delivery.id)]) attempts.delete(attempt);
      store.trim('deliveries', delivery);
    }
    store.trim('events', event);
  }
}
