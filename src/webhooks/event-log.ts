/**
 * The event log. An event is appended in the same write as the change it tells of (architecture: event log), and whoever
 * owes something because of it (the webhooks) joins that write.
 */
import type { DeliveryPlan } from '../domain/delivery.js';
import type { Event, EventType } from '../domain/event.js';
import { FreshEvent } from '../domain/lazy-event.js';
import type { Ids } from '../random/ids.js';
import type { AccountStore } from '../store/tables/account-store.js';

export interface AppendOptions {
  /** Only this endpoint, subscribed or not; otherwise every endpoint that subscribed to the type. */
  readonly endpointId?: string;
  /** What is done to its deliveries; otherwise rules decide. */
  readonly plan?: DeliveryPlan;
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

  /** @param data nobody changes it any more: of it the bytes are made that are signed, sent, stored and shown */
  append(type: EventType, subject: string, data: object, options: AppendOptions = {}): Event {
    return this.#store.update(() => {
      const id = this.#ids.eventId();
      const event = this.#store.tables.events.insert(
        new FreshEvent(id, this.#store.nextSeq(), type, this.#now(), data, subject),
      );
      for (const listener of this.#listeners) listener(event, options);
      return event;
    });
  }
}
