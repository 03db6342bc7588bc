/** Deliveries with their attempts. */
import type { Account } from '../../account/account.js';
import type { Delivery } from '../../domain/delivery.js';
import { showDelivery } from '../../presenters/control/delivery.js';
import type { WebhookSlot } from '../../scenario/language/slots.js';
import { planOf } from '../../webhooks/delivery/faults.js';
import { redeliver } from '../../webhooks/delivery/redeliver.js';
import { deliveryList } from './filter-fields.js';
import { listRows } from './filters.js';
import { found } from './given-values.js';
import { byCaller, redeliveryEffect } from './webhook-slot.js';
import type { ControlHandlers } from './handler.js';
import { settled } from './settle.js';

export const deliveries: ControlHandlers = {
  listDeliveries: (context) => listRows(deliveryList, context, showDeliveryOf(context.account), 'deliveries'),

  getDelivery: ({ account, name: id }) => {
    return showDeliveryOf(account)(found(account.store.tables.deliveries.get(id), 'delivery', id));
  },

  redeliverDelivery: async (context) => {
    const delivery = await settled(context, ({ account, name: id, body }) => {
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
