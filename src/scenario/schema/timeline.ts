/** The timeline: what happens automatically, and when. */
import { object, optional, required } from './mappings.js';
import { type Misfit, type ValueOf } from './kit.js';
import { anyText, bool, integer, jsonObject, oneOf } from './values.js';
import { faultsOfData } from '../../domain/event.js';
import { eventTypes, type EventType } from '../../domain/words.js';
import { oldWords } from './old-words.js';
import { applicationActions } from './application.js';
import { LIFECYCLE_STATUSES } from './lifecycle.js';
import { webhookSchema, windowSchema } from './actions.js';
import { instant, plainDuration } from './durations.js';
import { alias, channelErrorName, phone, templateName, url, webhookSecret } from './texts.js';

const httpUrl = url(/^https?:\/\//, {
  allowed: 'an absolute http(s) URL',
  example: '"https://example.com/a.png"',
  message: 'This is not an absolute http(s) URL.',
});

const inbound = object(
  {
    phone: required(phone, 'Number of the customer.'),
    type: optional(
      oneOf(['text', 'image', 'document', 'interactive']),
      'Default: interactive with a button, image with a url, otherwise text.',
    ),
    text: optional(anyText('Hello?'), 'Text of the message. Default: generated.'),
    url: optional(httpUrl, 'With type image or document: URL of the file.'),
    button: optional(
      anyText('Yes', { maxLength: 20 }),
      'Title of the button that the customer taps. Its id is that of the button of this title in the latest message to the customer.',
    ),
    name: optional(anyText('Ada', { maxLength: 256 }), 'New profile name of the customer.'),
  },
  {
    name: 'InboundAction',
    allowed: 'a message of a customer',
    example: '{ phone: "+12025550150", text: "Hello?" }',
    old: oldWords.inbound,
  },
);
export type InboundAction = ValueOf<typeof inbound>;

const template = object(
  {
    name: required(templateName, 'Name of the template.'),
    status: required(
      oneOf(['paused', 'approved', 'deleted', 'rejected']),
      'New status. approved and rejected decide a pending review.',
    ),
    because: optional(anyText('Reads like marketing.', { maxLength: 1000 }), 'With rejected: reason of the reviewer.'),
  },
  {
    name: 'TemplateAction',
    allowed: 'an action of the platform owner',
    example: '{ name: order_shipped, status: paused }',
    old: oldWords.templateAction,
  },
);

/** Returns every invalid field in the data of such an event. */
function dataFaults(type: EventType, data: object): Misfit<'data'>[] {
  return faultsOfData(type, data).map(({ kind, path, allowed, words }) => {
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
    type: required(oneOf(eventTypes), 'Event type.'),
    data: optional(jsonObject, 'Parts of its data. The rest is taken from existing records or generated.'),
    alias: optional(alias, 'Alias of the only endpoint to get it. Default: all subscribed endpoints.'),
    webhook: optional(webhookSchema, 'Faults of its delivery.'),
  },
  {
    name: 'EmitAction',
    allowed: 'an event',
    example: '{ type: message.status }',
    // An unknown event type is invalid on purpose, so its data is not checked.
    check: ({ type, data = {}, webhook }) => (webhook?.body === 'unknown_type' ? [] : dataFaults(type, data)),
  },
);
export type EmitAction = ValueOf<typeof emit>;

const message = object(
  {
    phone: required(phone, 'Number of the customer. The report is about the latest message to it.'),
    status: required(oneOf(LIFECYCLE_STATUSES), 'Status that the channel reports.'),
    error: optional(channelErrorName, 'With failed: name or number of the channel failure.'),
  },
  {
    name: 'MessageAction',
    allowed: 'a status report of the channel',
    example: '{ phone: "+12025550150", status: read }',
    old: oldWords.messageAction,
  },
);

const webhook = object(
  {
    alias: required(alias, 'Alias of the endpoint.'),
    status: optional(oneOf(['active', 'paused']), 'New status.'),
    secret: optional(webhookSecret, 'New signing secret: later deliveries are signed with it.'),
  },
  { atLeastOne: ['status', 'secret'] },
);

const replay = object(
  {
    alias: optional(alias, 'Alias of the only endpoint to get them. Default: all endpoints.'),
    duplicate: optional(integer(1, 10, 1), 'Extra copies of each delivery, with the same event id and bytes.'),
    shuffle: optional(bool, 'Random order, chosen by seed. Default: the oldest first.'),
  },
  {
    name: 'ReplayAction',
    allowed: 'delivery of the events that receivers missed',
    example: '{ alias: app, duplicate: 1, shuffle: true }',
  },
);

const actions = {
  inbound: optional(inbound, 'A customer writes.'),
  template: optional(template, 'The platform owner changes a template.'),
  emit: optional(emit, 'An event is sent to the endpoints.'),
  message: optional(message, 'The channel reports the status of a message.'),
  window: optional(windowSchema, 'With phone: the 24-hour window of a customer opens or closes without a message.'),
  webhook: optional(webhook, 'An endpoint is paused or resumed, or gets another secret.'),
  replay: optional(
    replay,
    'Events that wait for their next attempt or are held are delivered now, as after an outage.',
  ),
  ...applicationActions,
};
type ActionName = keyof typeof actions;
export const ACTIONS = Object.keys(actions) as ActionName[];

export const timelineEntrySchema = object(
  {
    at: required(
      instant,
      'Time of the step: an offset from activation; { after: first message.send, by: 5m }; or { clock: "09:00" }.',
    ),
    every: optional(plainDuration, 'With count: interval at which the step repeats.'),
    count: optional(integer(1, 1000, 5), 'With every: total number of times.'),
    phone: optional(phone, 'With window: number of the customer.'),
    ...actions,
  },
  {
    name: 'TimelineEntry',
    allowed: 'a step of the timeline',
    example: '{ at: +5m, inbound: { phone: "+12025550150", text: "Hello?" } }',
    old: oldWords.step,
    exactlyOne: ACTIONS,
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
export type TimelineEntry = ValueOf<typeof timelineEntrySchema>;
export type Actions = Required<Pick<TimelineEntry, ActionName>>;
