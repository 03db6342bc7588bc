/** Deliveries of events: created, released when they waited, and redelivered. Call these functions only inside a write. */
import { byDefault } from '../domain/explain.js';
import { maxCopies, requireRoom } from '../domain/limits.js';
import type { Delivery, Endpoint, Event, Explain } from '../domain/rows.js';
import type { Facts } from '../scenario/schema/hooks.js';
import type { AccountStore } from '../store/account-store.js';
import { type DeliveryPlan, faultsOfDelivery, forgedPlan, plainPlan, planOf } from './faults.js';
import { deliveriesIn, endFailing, heldBecausePaused, type WebhookAccount } from './outcome.js';

/** Account milliseconds between a delivery and its forged request, so that neither overtakes the other. */
const besideMs = 1000;

/**
 * Creates the delivery of an event to an endpoint: due now or according to the plan, held while the endpoint is paused.
 * @param plan by default, rules decide
 */
export function createDelivery(
  account: WebhookAccount,
  event: Event,
  endpoint: Endpoint,
  plan = decidePlan(account, event, endpoint),
): Delivery {
  const { forgedCopy, delayMs, explain } = plan;
  const forgedMs = forgedCopy === 'after' ? delayMs + besideMs : delayMs;
  const trueMs = forgedCopy === 'before' ? delayMs + besideMs : delayMs;
  const first = insertDelivery(account, event, endpoint, { ...plan, delayMs: trueMs });
  if (forgedCopy && !plan.drop) insertDelivery(account, event, endpoint, forgedPlan(forgedMs, explain));
  for (let copy = 1; copy < plan.copies; copy += 1) insertDelivery(account, event, endpoint, plan);
  return first;
}

function decidePlan({ script }: WebhookAccount, event: Event, endpoint: Endpoint): DeliveryPlan {
  const { webhook } = script.decide('webhook.deliver', deliveryFacts(event, endpoint, 1));
  return webhook ? planOf(webhook.effect, webhook.explain) : plainPlan;
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

/**
 * The condition that a delivery waits for. Only a `message.status` event can wait, for a status of its message that is
 * not reported yet.
 */
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

/** Releases the deliveries that waited for the reported status: they are sent after the event that reports it. */
export function releaseWaiting({ store, scheduler, clock }: WebhookAccount, { subject, data }: Event): void {
  const { deliveries } = store.tables;
  const { status } = data as { status: string };
  for (const delivery of [...deliveries.list('waiting', `${subject} ${status}`)]) {
    const isOpen = delivery.state === 'pending' || delivery.state === 'retrying';
    const trigger = delivery.holdUntil?.redelivery ? 'redelivery' : undefined;
    deliveries.patch(delivery, { holdUntil: null, nextAttemptAtMs: isOpen ? clock.now() : null });
    if (isOpen) scheduler.schedule('delivery.attempt', delivery.id, clock.now(), trigger);
  }
}

/**
 * Redelivers an event, with the same id and bytes, to `endpoint` only, or to every endpoint that is subscribed to its type
 * now; a missing delivery is created.
 */
export function redeliverEvent(
  account: WebhookAccount,
  event: Event,
  endpoint: Endpoint | null,
  plan: DeliveryPlan | null = null,
): Delivery[] {
  const subscribed = () => account.store.tables.endpoints.filter(({ events }) => events.includes(event.type));
  const addressees = endpoint ? [endpoint] : subscribed();
  for (const { id } of addressees) requireRoomForCopies(account, event.id, id, plan);
  return addressees.flatMap((addressee) => {
    const earlier = deliveriesTo(account, event.id, addressee.id);
    if (earlier.length === 0) return [createDelivery(account, event, addressee, plan ?? undefined)];
    return [...earlier.map((delivery) => again(account, delivery, plan)), ...copies(account, event, addressee, plan)];
  });
}

/** Redelivers one delivery. Copies are separate deliveries. */
export function redeliver(account: WebhookAccount, delivery: Delivery, plan: DeliveryPlan | null = null): Delivery {
  const { events, endpoints } = account.store.tables;
  requireRoomForCopies(account, delivery.eventId, delivery.endpointId, plan);
  const [event, endpoint] = [events.get(delivery.eventId), endpoints.get(delivery.endpointId)];
  again(account, delivery, plan);
  if (event && endpoint) copies(account, event, endpoint, plan);
  return delivery;
}

/** @throws ServiceError `limit_reached`, before anything is changed */
function requireRoomForCopies(
  account: WebhookAccount,
  eventId: string,
  endpointId: string,
  plan: DeliveryPlan | null,
): void {
  if (!plan || plan.copies === 1) return;
  const what = `deliveries of event ${eventId} to one endpoint`;
  requireRoom(deliveriesTo(account, eventId, endpointId).length, maxCopies, what, 'Redeliver it without "duplicate".');
}

function deliveriesTo({ store }: WebhookAccount, eventId: string, endpointId: string): Delivery[] {
  return store.tables.deliveries.list('event', eventId).filter((delivery) => delivery.endpointId === endpointId);
}

function copies(account: WebhookAccount, event: Event, endpoint: Endpoint, plan: DeliveryPlan | null): Delivery[] {
  if (!plan || plan.copies === 1) return [];
  return [createDelivery(account, event, endpoint, { ...plan, copies: plan.copies - 1 })];
}

const askedAgain = 'Redelivered by a command.';

/** The explanation keeps the rule behind the first delivery, but not that it was held. */
function redelivered(earlier: Explain | undefined): Explain {
  if (earlier?.id === undefined) return byDefault(askedAgain);
  if (earlier.text.startsWith(askedAgain)) return earlier;
  return { ...earlier, text: `${askedAgain} Originally: ${earlier.text}` };
}

/** For a paused endpoint, the delivery stays held; for a removed one, nothing is sent. */
function again(account: WebhookAccount, delivery: Delivery, plan: DeliveryPlan | null): Delivery {
  const { events, endpoints, deliveries } = account.store.tables;
  const endpoint = endpoints.get(delivery.endpointId);
  const event = events.get(delivery.eventId);
  if (!endpoint) return delivery;
  if (endpoint.status === 'paused') {
    return deliveries.patch(delivery, { state: 'held', nextAttemptAtMs: null, explain: heldBecausePaused });
  }
  const holdUntil = plan && event ? waitOf(account.store, event, plan) : null;
  restart(account, delivery, 'redelivery', holdUntil ? null : account.clock.now() + (plan?.delayMs ?? 0), {
    holdUntil: holdUntil && { ...holdUntil, redelivery: true },
    // A fault of the first delivery does not apply again, unless it is requested.
    fault: plan?.fault ?? null,
    ...(plan && { faults: [...new Set([...(delivery.faults ?? []), ...faultsOfDelivery(plan)])] }),
    explain: plan?.explain ?? redelivered(delivery.explain),
  });
  endFailing(account, endpoint, delivery);
  return delivery;
}

/** Puts a delivery at the start of the retry schedule. @param dueMs null if it waits */
function restart(
  { store, scheduler }: Pick<WebhookAccount, 'store' | 'scheduler'>,
  delivery: Delivery,
  trigger: 'redelivery' | undefined,
  dueMs: number | null,
  more: Partial<Delivery>,
): void {
  const attemptsBefore = delivery.attemptCount;
  scheduler.cancelOf(delivery.id);
  const state = { state: 'pending', nextAttemptAtMs: dueMs, attemptsBefore, holdUntil: null, decided: null } as const;
  store.tables.deliveries.patch(delivery, { ...state, ...more });
  if (dueMs !== null) scheduler.schedule('delivery.attempt', delivery.id, dueMs, trigger);
}

const deliveredOnResume = byDefault('Held while the endpoint was paused; delivered when its URL was registered again.');

/** Delivers the held events of an endpoint, oldest first. */
export function deliverHeld(account: Pick<WebhookAccount, 'store' | 'scheduler' | 'clock'>, endpoint: Endpoint): void {
  const held = deliveriesIn(account, endpoint, 'held').filter(({ eventType }) => endpoint.events.includes(eventType));
  for (const delivery of held) {
    const trigger = delivery.attemptCount > 0 ? 'redelivery' : undefined;
    restart(account, delivery, trigger, account.clock.now(), { explain: deliveredOnResume });
  }
}
