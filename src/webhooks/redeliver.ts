/** Call these functions only inside a write. */
import { limitReached } from '../domain/errors.js';
import { byDefault } from '../domain/explain.js';
import { maxCopies } from '../domain/limits.js';
import type { Delivery, Endpoint, Event, Explain } from '../domain/rows.js';
import { createDelivery, waitOf } from './events.js';
import { type DeliveryPlan, faultsOfDelivery } from './faults.js';
import { deliveriesIn, endFailing, heldBecausePaused, type WebhookAccount } from './outcome.js';

/**
 * Sends the same id and bytes to `endpoint`, or to every endpoint that is subscribed now; a missing delivery is
 * created.
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

/** Copies are separate deliveries. */
export function redeliver(account: WebhookAccount, delivery: Delivery, plan: DeliveryPlan | null = null): Delivery {
  const { events, endpoints } = account.store.tables;
  requireRoomForCopies(account, delivery.eventId, delivery.endpointId, plan);
  const [event, endpoint] = [events.get(delivery.eventId), endpoints.get(delivery.endpointId)];
  again(account, delivery, plan);
  if (event && endpoint) copies(account, event, endpoint, plan);
  return delivery;
}

function requireRoomForCopies(
  account: WebhookAccount,
  eventId: string,
  endpointId: string,
  plan: DeliveryPlan | null,
): void {
  if (!plan || plan.copies === 1) return;
  const { length } = deliveriesTo(account, eventId, endpointId);
  if (length < maxCopies) return;
  const what = `deliveries of event ${eventId} to one endpoint`;
  throw limitReached(length, what, 'Redeliver it without "duplicate".');
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

/** `dueMs` null: the delivery waits. */
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

export function deliverHeld(account: Pick<WebhookAccount, 'store' | 'scheduler' | 'clock'>, endpoint: Endpoint): void {
  const held = deliveriesIn(account, endpoint, 'held').filter(({ eventType }) => endpoint.events.includes(eventType));
  for (const delivery of held) {
    const trigger = delivery.attemptCount > 0 ? 'redelivery' : undefined;
    restart(account, delivery, trigger, account.clock.now(), { explain: deliveredOnResume });
  }
}
