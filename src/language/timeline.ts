import { z } from 'zod';
import { faultsOfData } from '../domain/event-data.js';
import { eventTypes, type EventType } from '../domain/words.js';
import type { Misfit } from './about.js';
import { webhookSchema, windowSchema } from './actions.js';
import { applicationActions } from './application.js';
import { awaitedOf } from './durations.js';
import { HOOKS } from './hooks.js';
import { anyText, choice, integer, jsonObject, object, optional, text } from './kit.js';
import { LIFECYCLE_STATUSES } from './lifecycle.js';
import {
  alias,
  channelErrorName,
  clockTime,
  offset,
  phone,
  plainDuration,
  templateName,
  url,
  webhookSecret,
  type ClockTime,
} from './texts.js';

/** `message.send`, `first message.send`, or the id of a rule. */
const awaited = text({
  allowed: 'first HOOK, such as first message.send, or the id of a rule',
  example: 'first message.send',
  check(value) {
    const words = HOOKS.filter((hook) => hook !== 'api.any');
    const known = awaitedOf(value);
    if ('hook' in known && known.hook === 'api.any') {
      return { code: 'unknown_word', message: 'A step cannot wait for api.any.', words };
    }
    if ('hook' in known || !/^first\s/.test(value)) return undefined;
    return { code: 'unknown_word', message: 'There is no hook of this name.', words };
  },
});

const afterCall = object({
  after: awaited.describe(
    'Event that the step waits for: the first call at a hook, such as `first message.send`, or the first time that the rule with this id applies.',
  ),
  by: optional(offset, 'Time after that event. Default: `0s`.'),
});

/**
 * An offset from activation, from the first call at a hook, or from the first time that a rule applies; or a time of
 * the day on the account's clock.
 */
const instant = choice<string | z.output<typeof afterCall> | ClockTime>([offset, afterCall, clockTime], {
  allowed:
    'an offset from activation such as +5m or +24h2m, { after: first message.send, by: 5m }, or { clock: "09:00" }',
});
export type Instant = z.output<typeof instant>;

const httpUrl = url(/^https?:\/\//, 'This is not an absolute http(s) URL.', {
  allowed: 'an absolute http(s) URL',
  example: '"https://example.com/a.png"',
});

const inbound = object(
  {
    phone: phone.describe('Number of the customer.'),
    type: optional(
      z.enum(['text', 'image', 'document', 'interactive']),
      'Type of the message. The default depends on the keys `button` and `url`.',
    ),
    text: optional(anyText('Hello?'), 'Text of the message, with variables such as `${code}`. Default: generated.'),
    url: optional(httpUrl, 'Only if the type is `image` or `document`: URL of the file.'),
    button: optional(
      anyText('Yes', 256),
      'Title or id of the button that the customer taps, in the latest message with this button.',
    ),
    message: optional(
      integer(1, 1000, 1),
      'Only with the key `button`: number of the message, if several messages have this button. `1`: the oldest message. Default: the latest message.',
    ),
    name: optional(anyText('Ada', 256), 'New profile name of the customer.'),
  },
  {
    name: 'InboundAction',
    check: ({ button, message }) =>
      button === undefined &&
      message !== undefined && {
        at: 'message',
        code: 'missing_key',
        message: '"message" needs "button".',
        allowed: 'button',
        example: 'button: Yes',
      },
  },
);
export type InboundAction = z.output<typeof inbound>;

const template = object(
  {
    name: templateName.describe('Name of the template.'),
    status: z.enum(['paused', 'approved', 'deleted', 'rejected']).describe('New status.'),
    because: optional(anyText('Reads like marketing.', 1000), 'Only if the status is `rejected`: the reason.'),
  },
  { name: 'TemplateAction' },
);

function dataFaults(type: EventType, data: object): Misfit<'data'>[] {
  return faultsOfData(type, data, true).map(({ kind, path, allowed, words }) => {
    const name = path.at(-1) ?? '';
    switch (kind) {
      case 'missing': {
        const message = `The key "${name}" is missing. It must be ${allowed}.`;
        return { at: ['data', ...path.slice(0, -1)], code: 'missing_key', message, allowed };
      }
      case 'unknown': {
        const message = `Unknown key "${name}".`;
        return { at: ['data', ...path], onKey: true, code: 'unknown_key', message, found: `"${name}"`, words };
      }
      case 'wrong': {
        const message = `In the data of ${type}, ${path.join('.')} must be ${allowed}.`;
        return { at: ['data', ...path], code: 'wrong_data', message, allowed, words };
      }
    }
  });
}

const emit = object(
  {
    type: z.enum(eventTypes).describe('Event type.'),
    data: optional(jsonObject, "Fields of the event's data. The sandbox generates the other fields."),
    alias: optional(alias, 'Alias of the endpoint that gets the event. Default: all subscribed endpoints.'),
    webhook: optional(webhookSchema, 'Faults of the delivery.'),
  },
  {
    name: 'EmitAction',
    short: ['type'],
    // An unknown event type is invalid on purpose, so its data is not checked.
    check: ({ type, data = {}, webhook }) => (webhook?.body === 'unknown_type' ? [] : dataFaults(type, data)),
  },
);
export type EmitAction = z.output<typeof emit>;

const message = object(
  {
    phone: phone.describe('Phone number of a customer. The status applies to the latest message to this number.'),
    status: z.enum(LIFECYCLE_STATUSES).describe('Status that the channel reports.'),
    error: optional(channelErrorName, 'Only if the status is `failed`: the name or number of the channel failure.'),
  },
  { name: 'MessageAction' },
);

const webhook = object(
  {
    alias: optional(alias, 'Alias of the endpoint. Default: all endpoints.'),
    status: optional(z.enum(['active', 'paused']), 'New status.'),
    secret: optional(webhookSecret, 'New signing secret.'),
  },
  { atLeastOne: ['status', 'secret'] },
);

const replay = object(
  {
    alias: optional(alias, 'Alias of the endpoint that gets the events. Default: all endpoints.'),
    duplicate: optional(integer(1, 10, 1), 'Extra copies of each delivery, with the same event id and bytes.'),
    shuffle: optional(z.boolean(), '`true`: random order, chosen by the seed. Default: the oldest event first.'),
  },
  { name: 'ReplayAction' },
);

const actions = {
  inbound: optional(inbound, 'A customer writes.'),
  template: optional(template, 'The platform owner changes a template.'),
  emit: optional(
    emit,
    'The sandbox sends an event to the endpoints. With the type `message.received`, a customer writes, so the session window opens.',
  ),
  message: optional(message, 'The channel reports the status of a message.'),
  window: optional(windowSchema, 'Only with the key `phone`: the session window opens or closes.'),
  webhook: optional(webhook, 'Endpoints are paused or resumed, or get another secret.'),
  replay: optional(replay, 'The sandbox delivers all events that wait for a retry or are held.'),
  ...applicationActions,
};
type ActionName = keyof typeof actions;

export const timelineEntrySchema = object(
  {
    at: instant.describe('Time of the step, such as `+5m`: five minutes after activation.'),
    id: optional(alias, 'Name of the step, for the keys `after` and `before` of a check.'),
    every: optional(plainDuration, 'Only with the key `count`: time between two runs of the step.'),
    count: optional(integer(1, 1000, 5), 'Only with the key `every`: total number of runs of the step.'),
    phone: optional(phone, 'Only with the key `window`: number of the customer.'),
    ...actions,
  },
  {
    name: 'TimelineEntry',
    exactlyOne: Object.keys(actions) as ActionName[],
    check: (entry) =>
      (
        [
          ['count', 'every', 'every: 1h'],
          ['every', 'count', 'count: 5'],
          ['window', 'phone', 'phone: "+12025550150"'],
          ['phone', 'window', 'window: open'],
        ] as const
      ).map(
        ([at, missing, example]) =>
          entry[at] !== undefined &&
          entry[missing] === undefined && {
            at,
            code: 'missing_key',
            message: `"${at}" needs "${missing}".`,
            allowed: missing,
            example,
          },
      ),
  },
);
/** Exactly one action. */
export type TimelineEntry = z.output<typeof timelineEntrySchema>;
export type Actions = Required<Pick<TimelineEntry, ActionName>>;
