/** The event log of an account. An event and its deliveries are one write with the change that the event reports. */
import { maxDeliveries, maxEvents } from '../domain/limits.js';
import type { Event } from '../domain/rows.js';
import type { Actor, EventType } from '../domain/words.js';
import type { AccountStore } from '../store/account-store.js';
import { createDelivery, releaseWaiting } from './deliveries.js';
import type { DeliveryPlan } from './faults.js';
import type { WebhookAccount } from './outcome.js';

export interface AppendOptions {
  /** Only this endpoint, subscribed or not; by default, every endpoint that is subscribed to the type. */
  readonly endpointId?: string;
  /** The plan of its deliveries; by default, rules decide. */
  readonly plan?: DeliveryPlan;
  /** The source of the event, if it was not caused by a call or job. */
  readonly by?: Actor;
}

/**
 * Appends an event, and creates its deliveries.
 * @param data must not change afterwards: the bytes that are signed, sent, stored and shown are made from it
 */
export function appendEvent(
  account: WebhookAccount,
  type: EventType,
  subject: string,
  data: object,
  { endpointId, plan, by }: AppendOptions = {},
): Event {
  const { store, ids, clock } = account;
  return store.update(() => {
    const id = ids.eventId();
    const event = store.tables.events.insert({
      id,
      seq: store.nextSeq(),
      type,
      createdAtMs: clock.now(),
      data: data as Record<string, unknown>,
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

/**
 * Removes the oldest events beyond the limits, with their deliveries and attempts. An event stays while one of its
 * deliveries has an attempt to come.
 */
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
