/** The event log of an account. An event is appended in the same write as the change that it reports, and its deliveries too. */
import type { DeliveryPlan } from '../domain/delivery.js';
import type { Event, EventType } from '../domain/event.js';
import type { Hand } from '../domain/explain.js';
import { FreshEvent } from '../domain/lazy-event.js';
import type { Ids } from '../random/ids.js';
import { maxEventBytes } from '../domain/limits.js';
import type { AccountStore } from '../store/tables/account-store.js';

export interface AppendOptions {
  /** Only this endpoint, subscribed or not; otherwise every endpoint that subscribed to the type. */
  readonly endpointId?: string;
  /** The plan of its deliveries; otherwise rules decide. */
  readonly plan?: DeliveryPlan;
  /** Who emits it, if nothing that happened does. */
  readonly by?: Hand;
}

export type AppendListener = (event: Event, options: AppendOptions) => void;

export class EventLog {
  readonly #store: AccountStore;
  readonly #ids: Ids;
  readonly #now: () => number;
  readonly #listeners: AppendListener[] = [];

  constructor(store: AccountStore, ids: Ids, now: () => number) {
    this.#store = store;
    this.#ids = ids;
    this.#now = now;
  }

  /** Calls `listener` within the write that appends. */
  onAppend(listener: AppendListener): void {
    this.#listeners.push(listener);
  }

  /** @param data must not change afterwards: the bytes that are signed, sent, stored and shown are made from it */
  append(type: EventType, subject: string, data: object, options: AppendOptions = {}): Event {
    return this.#store.update(() => {
      const id = this.#ids.eventId();
      const event = this.#store.tables.events.insert(
        new FreshEvent(id, this.#store.nextSeq(), type, this.#now(), data, subject, options.by),
      );
      for (const listener of this.#listeners) listener(event, options);
      return event;
    });
  }
}

/** The number of events that an account keeps, if their memory does not end earlier. */
export const maxEvents = 100_000;

/**
 * Removes the oldest events beyond the limit, with their deliveries and attempts. An event with a pending delivery stays, and
 * so do all newer ones. Only inside a write.
 */
export function trimEvents(store: AccountStore, most = maxEvents, mostBytes = maxEventBytes): void {
  const { events, deliveries, attempts } = store.tables;
  while (events.size > most || events.weight + deliveries.weight > mostBytes) {
    const oldest = events.all().at(0);
    if (!oldest) return;
    const own = [...deliveries.list('event', oldest.id)];
    if (own.some(({ state }) => state === 'pending' || state === 'retrying')) return;
    for (const delivery of own) {
      for (const attempt of [...attempts.list('delivery', delivery.id)]) attempts.delete(attempt);
      store.trim('deliveries', delivery);
    }
    store.trim('events', oldest);
  }
}
