/** The event log, and signed events on demand. */
import { madeUpEvent } from '../../simulation/fake-event.js';
import type { EventType } from '../../domain/event.js';
import { showEvent } from '../../presenters/control/records.js';
import type { WebhookSlot } from '../../scenario/language/slots.js';
import { planOf } from '../../webhooks/delivery/faults.js';
import { redeliverEvent } from '../../webhooks/delivery/redeliver.js';
import { requireSoundData } from '../validation/event-check.js';
import { showDeliveryOf } from './deliveries.js';
import { byCaller, redeliveryEffect, webhookEffect } from './webhook-slot.js';
import { eventList } from './filter-fields.js';
import { answerList } from './filters.js';
import { found } from './given-values.js';
import type { ControlHandlers } from './handler.js';
import { settled } from './settle.js';

interface EmitBody {
  readonly type: EventType;
  readonly data?: object;
  readonly webhook_id?: string;
  readonly webhook?: WebhookSlot;
}

export const events: ControlHandlers = {
  listEvents: (context) => answerList(eventList, context, showEvent, 'events'),

  getEvent: ({ account, params }) => {
    const id = params['id'] ?? '';
    return showEvent(found(account.store.tables.events.get(id), 'event', id));
  },

  emitEvent: async (context) => {
    const { account } = context;
    const event = await settled(context, ({ body }) => {
      const { type, data, webhook_id: endpointId, webhook } = body as EmitBody;
      if (endpointId !== undefined) found(account.store.tables.endpoints.get(endpointId), 'webhook', endpointId);
      // An event that is sent under an unknown type may have any data.
      if (webhook?.body !== 'unknown_type') requireSoundData(type, data ?? {});
      const made = madeUpEvent(account, type, data ?? {});
      return account.events.append(type, made.subject, made.data, {
        by: 'command',
        ...(endpointId !== undefined && { endpointId }),
        ...(webhook && { plan: planOf(webhookEffect(webhook), byCaller(webhook)) }),
      });
    });
    const deliveries = account.store.tables.deliveries.list('event', event.id);
    return { event: showEvent(event), deliveries: [...deliveries].map(showDeliveryOf(account)) };
  },

  redeliverEvent: async (context) => {
    const { account } = context;
    const { event, deliveries } = await settled(context, ({ params, body }) => {
      const id = params['id'] ?? '';
      const { webhook_id: endpointId, webhook } = (body ?? {}) as Pick<EmitBody, 'webhook_id' | 'webhook'>;
      const plan = webhook ? planOf(redeliveryEffect(webhook), byCaller(webhook)) : null;
      const { tables } = account.store;
      const known = found(tables.events.get(id), 'event', id);
      const endpoint = endpointId === undefined ? null : found(tables.endpoints.get(endpointId), 'webhook', endpointId);
      const { store, scheduler, ids, script, clock } = account;
      const parts = { store, scheduler, ids, script, now: () => clock.now() };
      return { event: known, deliveries: redeliverEvent(parts, known, endpoint, plan) };
    });
    return { event: showEvent(event), deliveries: deliveries.map(showDeliveryOf(account)) };
  },
};
