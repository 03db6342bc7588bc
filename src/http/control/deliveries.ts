/** Deliveries with their attempts. */
import type { Account } from '../../account/account.js';
import type { Delivery } from '../../domain/delivery.js';
import { showDelivery } from '../../presenters/control/delivery.js';
import { pageDeliveries } from '../../store/tables/filters.js';
import type { WebhookSlot } from '../../scenario/language/slots.js';
import { planOf } from '../../webhooks/delivery/faults.js';
import { redeliver } from '../../webhooks/delivery/redeliver.js';
import { found } from './find.js';
import { byCaller, redeliveryEffect } from './webhook-slot.js';
import type { ControlHandlers } from './handler.js';
import { pageQuery, shownPage, text } from './listing.js';
import { settled } from './settle.js';

export const deliveries: ControlHandlers = {
  listDeliveries: ({ account, query }) => {
    const filter = {
      webhook_id: text(query, 'webhook_id'),
      event: text(query, 'event'),
      event_type: text(query, 'event_type'),
      state: text(query, 'state'),
    };
    return shownPage(pageDeliveries(account.store.tables, filter, pageQuery(query)), showDeliveryOf(account));
  },

  getDelivery: ({ account, params }) => {
    const id = params['id'] ?? '';
    return showDeliveryOf(account)(found(account.store.tables.deliveries.get(id), 'delivery', id));
  },

  redeliverDelivery: async (context) => {
    const delivery = await settled(context, ({ account, params, body }) => {
      const id = params['id'] ?? '';
      const { deliveries: all, endpoints } = account.store.tables;
      const known = found(all.get(id), 'delivery', id);
      found(endpoints.get(known.endpointId), 'webhook', known.endpointId);
      const { webhook } = (body ?? {}) as { webhook?: WebhookSlot };
      const plan = webhook ? planOf(redeliveryEffect(webhook), byCaller(webhook)) : null;
      const { store, scheduler, ids, script, clock } = account;
      return redeliver({ store, scheduler, ids, script, now: () => clock.now() }, known, plan);
    });
    return showDeliveryOf(context.account)(delivery);
  },
};

export function showDeliveryOf({ store }: Account) {
  const { attempts, events } = store.tables;
  return (delivery: Delivery) =>
    showDelivery(delivery, attempts.list('delivery', delivery.id), events.get(delivery.eventId));
}
