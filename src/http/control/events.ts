/** The event log, signed events on demand, and deliveries with their attempts. */
import type { Account } from '../../account/account.js';
import type { Delivery, Event, Explain } from '../../domain/rows.js';
import { ServiceError } from '../../domain/errors.js';
import type { EventType } from '../../domain/words.js';
import { type DataFault, faultsOfData } from '../../domain/event.js';
import { nearestWord } from '../../domain/text.js';
import { webhookEffect, type WebhookEffect } from '../../scenario/engine/effects.js';
import type { WebhookSlot } from '../../scenario/schema/actions.js';
import { fakeEvent } from '../../simulation/fake-event.js';
import { DurationError } from '../../time/duration.js';
import { type DeliveryPlan, planOf } from '../../webhooks/faults.js';
import { redeliver, redeliverEvent } from '../../webhooks/redeliver.js';
import type { EventParts } from '../../webhooks/events.js';
import { shown } from '../validation/describe-schema.js';
import { found } from './given-values.js';
import type { ControlHandlers } from './handler.js';
import { settled } from './wait.js';
import { show } from './show.js';

interface EmitBody {
  readonly type: EventType;
  readonly data?: object;
  readonly webhook_id?: string;
  readonly webhook?: WebhookSlot;
}

export const events: ControlHandlers = {
  emitEvent: async (context) => {
    const { account } = context;
    const event = await settled(context, ({ body }) => {
      const { type, data, webhook_id: endpointId, webhook } = body as EmitBody;
      if (endpointId !== undefined) found(account, 'endpoints', endpointId);
      // An event with an unknown type may have any data.
      if (webhook?.body !== 'unknown_type') requireSoundData(type, data ?? {});
      const made = fakeEvent(account, type, data ?? {});
      return account.events.append(type, made.subject, made.data, {
        by: 'command',
        ...(endpointId !== undefined && { endpointId }),
        ...(webhook && { plan: planOf(effectOf(webhook), byCaller(webhook)) }),
      });
    });
    return sentTo(account, event, account.store.tables.deliveries.list('event', event.id));
  },

  redeliverEvent: async (context) => {
    const { account } = context;
    const { event, deliveries } = await settled(context, ({ name: id, body }) => {
      const { webhook_id: endpointId } = (body ?? {}) as Pick<EmitBody, 'webhook_id'>;
      const plan = redeliveryPlan(body);
      const known = found(account, 'events', id);
      const endpoint = endpointId === undefined ? null : found(account, 'endpoints', endpointId);
      return { event: known, deliveries: redeliverEvent(partsOf(account), known, endpoint, plan) };
    });
    return sentTo(account, event, deliveries);
  },

  redeliverDelivery: async (context) => {
    const delivery = await settled(context, ({ account, name: id, body }) => {
      const known = found(account, 'deliveries', id);
      found(account, 'endpoints', known.endpointId);
      return redeliver(partsOf(account), known, redeliveryPlan(body));
    });
    return show.delivery(delivery, context.account);
  },
};

function partsOf({ store, scheduler, ids, script, clock }: Account): EventParts {
  return { store, scheduler, ids, script, now: () => clock.now() };
}

function sentTo(account: Account, event: Event, deliveries: Iterable<Delivery>) {
  return { event: show.event(event), deliveries: [...deliveries].map((each) => show.delivery(each, account)) };
}

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

/** The plan of the delivery that the call asked for. */
function byCaller(slot: WebhookSlot): Explain {
  const wishes = Object.entries(slot).map(([name, value]) => `${name}: ${saidShortly(value)}`);
  const wanted = wishes.length === 0 ? 'as it is' : `with ${wishes.join(', ')}`;
  return { by: 'header', text: `The call that caused this delivery requested it ${wanted}.` };
}

/** The value as it would be in a scenario file. */
function saidShortly(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = Object.entries(value).map(([name, part]) => `${name}: ${saidShortly(part)}`);
  return `{ ${inner.join(', ')} }`;
}

/**
 * The `webhook` action of a redelivery, which cannot be dropped; null if the call has none.
 * @throws ServiceError `validation_error`
 */
function redeliveryPlan(body: unknown): DeliveryPlan | null {
  const { webhook } = (body ?? {}) as { webhook?: WebhookSlot };
  if (!webhook) return null;
  if (webhook.drop === true) {
    const message = 'A delivery cannot be requested and dropped in one call. Omit drop, or add a rule that drops it.';
    throw invalidWebhook('webhook.drop', message);
  }
  return planOf(effectOf(webhook), byCaller(webhook));
}

/** @throws ServiceError `validation_error` for an invalid delay */
function effectOf(slot: WebhookSlot): WebhookEffect {
  try {
    // Uses the middle of a range: a single call does not have its own seed.
    return webhookEffect(slot, () => 0.5);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw invalidWebhook('webhook.delay', error.message);
  }
}

function invalidWebhook(field: string, message: string): ServiceError {
  return new ServiceError('validation_error', `${field}: ${message}`, { details: [{ field, message }] });
}
