import type { Account } from '../../account/account.js';
import { faultsOfData } from '../../domain/event-data.js';
import { ServiceError } from '../../domain/errors.js';
import type { Delivery, Event, Explain } from '../../domain/rows.js';
import { nearestWord } from '../../domain/text.js';
import type { EventType } from '../../domain/words.js';
import { webhookEffect } from '../../rules/effects.js';
import type { WebhookSlot } from '../../language/actions.js';
import { emitEvent } from '../../simulation/fake-event.js';
import { DurationError } from '../../time/duration.js';
import { type DeliveryPlan, planOf } from '../../webhooks/faults.js';
import { redeliver, redeliverEvent } from '../../webhooks/redeliver.js';
import { mustBe } from '../../domain/must-be.js';
import type { ControlHandlers } from './handler.js';
import { lists } from './lists.js';
import { show } from './show.js';
import { found, rowOf } from './values.js';
import { settled } from './wait.js';

interface EmitBody {
  readonly type: EventType;
  readonly data?: object;
  readonly webhook_id?: string;
  readonly webhook?: WebhookSlot;
  readonly allow_unknown?: boolean;
}

/** The data of an event is kept whole, and sent again with each attempt. */
const mostDataBytes = 64 * 1024;

export const events: ControlHandlers = {
  getEvent: rowOf('events', show.event),

  countDeliveries: (context) => {
    const { items } = lists.listDeliveries.find(context);
    const byState = { pending: 0, delivered: 0, retrying: 0, held: 0, dropped: 0, failed: 0 };
    for (const { state } of items) byState[state] += 1;
    return { count: items.length, by_state: byState };
  },

  emitEvent: async (context) => {
    const { account, body } = context;
    const { type, data = {}, allow_unknown: allowsUnknown = false, webhook_id: endpointId, webhook } = body as EmitBody;
    if (Buffer.byteLength(JSON.stringify(data)) > mostDataBytes) {
      throw new ServiceError(
        'payload_too_large',
        `data has more than ${mostDataBytes / 1024} KiB. A receiver gets no larger event.`,
      );
    }
    const event = await settled(context, () => {
      account.store.requireRoom();
      if (endpointId !== undefined) found(account, 'endpoints', endpointId);
      // An event with an unknown type may have any data.
      if (webhook?.body !== 'unknown_type') requireSoundData(type, data, allowsUnknown);
      return emitEvent(account, type, data, {
        by: 'command',
        ...(endpointId !== undefined && { endpointId }),
        ...(webhook && { plan: planOfCall(webhook) }),
      });
    });
    return sentTo(account, event, account.store.tables.deliveries.list('event', event.id));
  },

  redeliverEvent: async (context) => {
    const { account, name: id, body } = context;
    const { webhook_id: endpointId, webhook } = (body ?? {}) as Partial<EmitBody>;
    const { event, deliveries } = await settled(context, () => {
      const plan = redeliveryPlan(webhook);
      const event = found(account, 'events', id);
      const endpoint = endpointId === undefined ? null : found(account, 'endpoints', endpointId);
      return { event, deliveries: redeliverEvent(account, event, endpoint, plan) };
    });
    return sentTo(account, event, deliveries);
  },

  getDelivery: rowOf('deliveries', show.delivery),

  redeliverDelivery: async (context) => {
    const { account, name: id, body } = context;
    const { webhook } = (body ?? {}) as Partial<EmitBody>;
    const delivery = await settled(context, () => {
      const known = found(account, 'deliveries', id);
      found(account, 'endpoints', known.endpointId);
      return redeliver(account, known, redeliveryPlan(webhook));
    });
    return show.delivery(delivery, account);
  },
};

function sentTo(account: Account, event: Event, deliveries: Iterable<Delivery>) {
  return { event: show.event(event), deliveries: Array.from(deliveries, (each) => show.delivery(each, account)) };
}

/** Receivers get only data that the document allows. */
function requireSoundData(type: EventType, given: object, allowsUnknown: boolean): void {
  const details = faultsOfData(type, given, allowsUnknown).map(({ kind, path, allowed, words, found: value }) => {
    const meant = nearestWord(path.at(-1) ?? '', words);
    const message = {
      missing: `is required; give ${allowed}`,
      unknown: `is unknown here; ${meant === undefined ? `allowed are ${allowed}` : `did you mean ${meant}?`}`,
      wrong: mustBe(allowed, value),
    }[kind];
    return { field: ['data', ...path].join('.'), message };
  });
  const [first] = details;
  if (first) throw new ServiceError('validation_error', `${first.field} ${first.message}.`, { details });
}

/** A range gives its middle, because a single call does not have its own seed. */
export function planOfCall(slot: WebhookSlot): DeliveryPlan {
  const wanted = Object.keys(slot).length === 0 ? 'as it is' : `with ${saidShortly(slot)}`;
  const explain: Explain = { by: 'header', text: `The call that caused this delivery requested it ${wanted}.` };
  try {
    return planOf(
      webhookEffect(slot, () => 0.5),
      explain,
    );
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw invalidWebhook('webhook.delay', error.message);
  }
}

function saidShortly(fields: object): string {
  const said = (value: unknown) =>
    typeof value === 'object' && value !== null ? `{ ${saidShortly(value)} }` : String(value);
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${said(value)}`)
    .join(', ');
}

/** A redelivery cannot be dropped. Null if the call has no plan. */
function redeliveryPlan(slot: WebhookSlot | undefined): DeliveryPlan | null {
  if (!slot) return null;
  if (slot.drop !== true) return planOfCall(slot);
  const message = 'A delivery cannot be requested and dropped in one call. Omit drop, or add a rule that drops it.';
  throw invalidWebhook('webhook.drop', message);
}

function invalidWebhook(field: string, message: string): ServiceError {
  return new ServiceError('validation_error', `${field}: ${message}`, { details: [{ field, message }] });
}
