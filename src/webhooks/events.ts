/** An event and its deliveries are one write with the change that the event reports. */
import { wireOf } from '../dialect/wire.js';
import { maxDeliveries, maxEvents } from '../domain/limits.js';
import type { Delivery, Endpoint, Event } from '../domain/rows.js';
import type { Actor, EventType } from '../domain/words.js';
import type { Facts } from '../language/match.js';
import type { AccountStore } from '../store/account-store.js';
import { type DeliveryPlan, faultsOfDelivery, forgedPlan, plainPlan, planOf } from './faults.js';
import { heldBecausePaused, type WebhookAccount } from './outcome.js';

export interface AppendOptions {
  /** Only this endpoint, subscribed or not; by default, every endpoint that is subscribed to the type. */
  readonly endpointId?: string;
  readonly plan?: DeliveryPlan;
  readonly by?: Actor;
}

/** The data must not change afterwards: the bytes that are signed, sent, stored and shown are made from it. */
export function appendEvent(
  account: WebhookAccount,
  type: EventType,
  subject: string,
  data: object,
  { endpointId, plan, by }: AppendOptions = {},
): Event {
  const { store, ids, clock, dialect } = account;
  const { event: write } = wireOf(dialect);
  return store.update(() => {
    const fact = { id: ids.eventId(), type, createdAtMs: clock.now(), data: data as Record<string, unknown> };
    const event = store.tables.events.insert({
      ...fact,
      seq: store.nextSeq(),
      ...(write && { body: write(fact) }),
      subject,
      ...(by && { by }),
    });
    for (const endpoint of store.tables.endpoints.all()) {
      const isAddressed = endpointId === undefined ? endpoint.events.includes(type) : endpoint.id === endpointId;
      if (isAddressed) createDelivery(account, event, endpoint, plan);
    }
    if (type === 'message.status') releaseWaiting(account, event);
    trimEvents(store);
    return event;
  });
}

/** Account milliseconds between a delivery and its forged request, so that neither overtakes the other. */
const besideMs = 1000;

/**
 * The delivery is due now or according to the plan, and held while the endpoint is paused. Without a plan, rules
 * decide.
 */
export function createDelivery(
  account: WebhookAccount,
  event: Event,
  endpoint: Endpoint,
  plan = decidePlan(account, event, endpoint),
): Delivery {
  const { forgedCopy, delayMs, explain } = plan;
  const forgedMs = forgedCopy?.when === 'after' ? delayMs + besideMs : delayMs;
  const trueMs = forgedCopy?.when === 'before' ? delayMs + besideMs : delayMs;
  const first = insertDelivery(account, event, endpoint, { ...plan, delayMs: trueMs });
  if (forgedCopy && !plan.drop)
    insertDelivery(account, event, endpoint, forgedPlan(forgedMs, forgedCopy.signature, explain));
  for (let copy = 1; copy < plan.copies; copy += 1) insertDelivery(account, event, endpoint, plan);
  return first;
}

function decidePlan({ script }: WebhookAccount, event: Event, endpoint: Endpoint): DeliveryPlan {
  const { webhook } = script.decide('webhook.deliver', deliveryFacts(event, endpoint, 1));
  return webhook ? planOf(webhook.effect, webhook.explain) : plainPlan;
}

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

function insertDelivery(
  { store, scheduler, ids, clock }: WebhookAccount,
  event: Event,
  endpoint: Endpoint,
  plan: DeliveryPlan,
): Delivery {
  const nowMs = clock.now();
  const isPaused = endpoint.status === 'paused';
  const state = plan.drop ? 'dropped' : isPaused ? 'held' : 'pending';
  const holdUntil = state === 'pending' ? waitOf(store, event, plan) : null;
  const dueMs = state === 'pending' && holdUntil === null ? nowMs + plan.delayMs : null;
  const faults = faultsOfDelivery(plan);
  const explain = plan.drop || !isPaused ? plan.explain : heldBecausePaused;
  const delivery = store.tables.deliveries.insert({
    id: ids.uuid('delivery'),
    seq: store.nextSeq(),
    eventId: event.id,
    eventType: event.type,
    endpointId: endpoint.id,
    url: endpoint.url,
    state,
    createdAtMs: nowMs,
    attemptCount: 0,
    attemptsBefore: 0,
    nextAttemptAtMs: dueMs,
    ...(plan.fault && { fault: plan.fault }),
    ...(holdUntil && { holdUntil }),
    ...(faults.length > 0 && { faults }),
    ...(explain && { explain }),
  });
  if (dueMs !== null) scheduler.schedule('delivery.attempt', delivery.id, dueMs);
  return delivery;
}

/** Only a `message.status` event can wait, for a status of its message that is not reported yet. */
export function waitOf(
  { tables }: AccountStore,
  event: Event,
  { holdUntil }: DeliveryPlan,
): NonNullable<Delivery['holdUntil']> | null {
  if (holdUntil === null || event.type !== 'message.status') return null;
  const message = tables.messages.get(event.subject);
  if (!message || message.history.some(({ status }) => status === holdUntil)) return null;
  return { messageId: message.id, status: holdUntil };
}

/**
 * A delivery is released once the event with the status has been sent to its endpoint. An endpoint that does not get
 * that event is not waited for.
 */
export function releaseWaiting(
  { store, scheduler, clock }: Pick<WebhookAccount, 'store' | 'scheduler' | 'clock'>,
  { id, subject, data }: Event,
): void {
  const { deliveries } = store.tables;
  const { status } = data as { status: string };
  for (const delivery of [...deliveries.list('waiting', `${subject} ${status}`)]) {
    const { endpointId } = delivery;
    const later = deliveries.list('event', id).filter((each) => each.endpointId === endpointId);
    if (later.some(({ state, attemptCount }) => state === 'pending' && attemptCount === 0)) continue;
    const isOpen = delivery.state === 'pending' || delivery.state === 'retrying';
    const trigger = delivery.holdUntil?.redelivery ? 'redelivery' : undefined;
    deliveries.patch(delivery, { holdUntil: null, nextAttemptAtMs: isOpen ? clock.now() : null });
    if (isOpen) scheduler.schedule('delivery.attempt', delivery.id, clock.now(), trigger);
  }
}

/** An event stays while one of its deliveries has a pending attempt. */
function trimEvents(store: AccountStore): void {
  const { events, deliveries, attempts } = store.tables;
  const open = deliveries.list('state', 'pending').length + deliveries.list('state', 'retrying').length;
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
