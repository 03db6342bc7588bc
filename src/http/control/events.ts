/** The event log, and signed events on demand. */
import { madeUpEvent } from '../../simulation/fake-event.js';
import { ServiceError } from '../../domain/errors.js';
import type { EventType } from '../../domain/event.js';
import { type DataFault, faultsOfData } from '../../domain/event-data.js';
import { nearestWord } from '../../domain/nearest-word.js';
import { showEvent } from '../../presenters/control/records.js';
import type { WebhookSlot } from '../../scenario/language/slots.js';
import { planOf } from '../../webhooks/delivery/faults.js';
import { redeliverEvent } from '../../webhooks/delivery/redeliver.js';
import { shown } from '../validation/format-value.js';
import { showDeliveryOf } from './deliveries.js';
import { byCaller, redeliveryEffect, webhookEffect } from './webhook-slot.js';
import { eventList } from './filter-fields.js';
import { listRows } from './filters.js';
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
  listEvents: (context) => listRows(eventList, context, showEvent, 'events'),

  getEvent: ({ account, name: id }) => {
    return showEvent(found(account.store.tables.events.get(id), 'event', id));
  },

  emitEvent: async (context) => {
    const { account } = context;
    const event = await settled(context, ({ body }) => {
      const { type, data, webhook_id: endpointId, webhook } = body as EmitBody;
      if (endpointId !== undefined) found(account.store.tables.endpoints.get(endpointId), 'webhook', endpointId);
      // An event with an unknown type may have any data.
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
    const { event, deliveries } = await settled(context, ({ name: id, body }) => {
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

/**
 * Validates data from a caller, so that receivers get only data that the document allows.
 * @throws ServiceError `validation_error` with every given field that is not allowed in such an event
 */
function requireSoundData(type: EventType, given: object): void {
  const details = faultsOfData(type, given).map((fault) => ({
    field: ['data', ...fault.path].join('.'),
    message: inWords(fault),
  }));
  const [first] = details;
  if (first) throw new ServiceError('validation_error', `${first.field} ${first.message}.`, { details });
}

function inWords({ kind, allowed, words, path, found }: DataFault): string {
  const meant = nearestWord((kind === 'unknown' ? path.at(-1) : undefined) ?? '', words);
  switch (kind) {
    case 'missing':
      return `is required; give ${allowed}`;
    case 'unknown':
      return `is unknown here; ${meant === undefined ? `allowed are ${allowed}` : `did you mean ${meant}?`}`;
    case 'wrong':
      return `must be ${allowed}; found ${shown(found)}`;
  }
}
