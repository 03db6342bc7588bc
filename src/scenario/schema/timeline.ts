/** The timeline: what happens automatically, and when. */
import { object, once, optional, part, required, type ValueOf } from './kit.js';
import { anyText, bool, integer, oneOf, text } from './scalars.js';
import { jsonObject } from './collections.js';
import { eventTypes } from '../../domain/words.js';
import { applicationActions } from './application.js';
import { eventDataFaults } from './event-data.js';
import { instant } from './instants.js';
import { LIFECYCLE_STATUSES } from './lifecycle.js';
import { webhookSchema, windowSchema } from './actions.js';
import { plainDuration } from './durations.js';
import { alias, channelErrorName, phone, templateName, webhookSecret } from './texts.js';

const httpUrl = once(() =>
  text({
    allowed: 'an absolute http(s) URL',
    example: '"https://example.com/a.png"',
    maxLength: 2048,
    check: (value) =>
      /^https?:\/\//.test(value) && URL.canParse(value)
        ? undefined
        : { code: 'bad_url', message: 'This is not an absolute http(s) URL.' },
    keywords: { pattern: '^https?://' },
  }),
);

const inbound = part('InboundAction', 'a message of a customer', '{ phone: "+12025550150", text: "Hello?" }', () =>
  object(
    {
      phone: required(phone(), 'Number of the customer.'),
      type: optional(
        oneOf(['text', 'image', 'document', 'interactive']),
        'Default: interactive with a button, image with a url, otherwise text.',
      ),
      text: optional(anyText('Hello?'), 'Text of the message. Default: generated.'),
      url: optional(httpUrl(), 'With type image or document: URL of the file.'),
      button: optional(
        anyText('Yes', { maxLength: 20 }),
        'Title of the button that the customer taps. Its id is that of the button of this title in the latest message to the customer.',
      ),
      name: optional(anyText('Ada', { maxLength: 256 }), 'New profile name of the customer.'),
    },
    {
      old: {
        from: 'phone',
        to: 'phone',
        media_url: 'url',
        profile_name: 'name',
        interactive(source) {
          const [, title] = /\btitle: *("[^"]*"|'[^']*'|[^,}]*[^,} ])/.exec(source) ?? [];
          return title === undefined ? undefined : [`button: ${title}`];
        },
      },
    },
  ),
);
export type InboundAction = ValueOf<typeof inbound>;

const template = part(
  'TemplateAction',
  'an action of the platform owner',
  '{ name: order_shipped, status: paused }',
  () =>
    object(
      {
        name: required(templateName(), 'Name of the template.'),
        status: required(
          oneOf(['paused', 'approved', 'deleted', 'rejected']),
          'New status. approved and rejected decide a pending review.',
        ),
        because: optional(
          anyText('Reads like marketing.', { maxLength: 1000 }),
          'With rejected: reason of the reviewer.',
        ),
      },
      { old: { reason: 'because' } },
    ),
);

const emit = part('EmitAction', 'an event', '{ type: message.status }', () =>
  object(
    {
      type: required(oneOf(eventTypes), 'Event type.'),
      data: optional(jsonObject(), 'Parts of its data. The rest is taken from existing records or generated.'),
      alias: optional(alias(), 'Alias of the only endpoint to get it. Default: all subscribed endpoints.'),
      webhook: optional(webhookSchema(), 'Faults of its delivery.'),
    },
    {
      // An unknown event type is invalid on purpose, so its data is not checked.
      check: ({ type, data = {}, webhook }) => (webhook?.body === 'unknown_type' ? [] : eventDataFaults(type, data)),
    },
  ),
);
export type EmitAction = ValueOf<typeof emit>;

const message = part('MessageAction', 'a status report of the channel', '{ phone: "+12025550150", status: read }', () =>
  object(
    {
      phone: required(phone(), 'Number of the customer. The report is about the latest message to it.'),
      status: required(oneOf(LIFECYCLE_STATUSES), 'Status that the channel reports.'),
      error: optional(channelErrorName(), 'With failed: name or number of the channel failure.'),
    },
    { old: { to: 'phone' } },
  ),
);

const webhook = once(() =>
  object(
    {
      alias: required(alias(), 'Alias of the endpoint.'),
      status: optional(oneOf(['active', 'paused']), 'New status.'),
      secret: optional(webhookSecret(), 'New signing secret: later deliveries are signed with it.'),
    },
    { atLeastOne: ['status', 'secret'] },
  ),
);

const replay = part(
  'ReplayAction',
  'delivery of the events that receivers missed',
  '{ alias: app, duplicate: 1, shuffle: true }',
  () =>
    object({
      alias: optional(alias(), 'Alias of the only endpoint to get them. Default: all endpoints.'),
      duplicate: optional(integer(1, 10, 1), 'Extra copies of each delivery, with the same event id and bytes.'),
      shuffle: optional(bool(), 'Random order, chosen by seed. Default: the oldest first.'),
    }),
);

const actions = once(() => ({
  inbound: optional(inbound(), 'A customer writes.'),
  template: optional(template(), 'The platform owner changes a template.'),
  emit: optional(emit(), 'An event is sent to the endpoints.'),
  message: optional(message(), 'The channel reports the status of a message.'),
  window: optional(windowSchema(), 'With phone: the 24-hour window of a customer opens or closes without a message.'),
  webhook: optional(webhook(), 'An endpoint is paused or resumed, or gets another secret.'),
  replay: optional(
    replay(),
    'Events that wait for their next attempt or are held are delivered now, as after an outage.',
  ),
  ...applicationActions(),
}));
type ActionName = keyof ReturnType<typeof actions>;
export const ACTIONS: readonly ActionName[] = [
  'inbound',
  'template',
  'emit',
  'message',
  'window',
  'webhook',
  'replay',
  'http',
  'restart',
  'wait',
  'until',
];

/** `'09:00'` → `at: { clock: "09:00" }`. */
function timeOfDay(source: string): string[] | undefined {
  const [, time] = /^["']?(\d{1,2}:\d\d)["']?$/.exec(source) ?? [];
  return time === undefined ? undefined : [`at: { clock: "${time.padStart(5, '0')}" }`];
}

/** `{ phone: X, open: true }` → `window: open`, `phone: X` */
function windowOf(source: string): string[] | undefined {
  const [, number] = /\bphone: *([^,} ]+)/.exec(source) ?? [];
  const [, open] = /\bopen: *(true|yes|open|false|no|closed)\b/.exec(source) ?? [];
  return number === undefined || open === undefined
    ? undefined
    : [`window: ${/^[tyo]/.test(open) ? 'open' : 'closed'}`, `phone: ${number}`];
}

export const timelineEntrySchema = part(
  'TimelineEntry',
  'a step of the timeline',
  '{ at: +5m, inbound: { phone: "+12025550150", text: "Hello?" } }',
  () =>
    object(
      {
        at: required(
          instant(),
          'Time of the step: an offset from activation; { after: first message.send, by: 5m }; or { clock: "09:00" }.',
        ),
        every: optional(plainDuration(), 'With count: interval at which the step repeats.'),
        count: optional(integer(1, 1000, 5), 'With every: total number of times.'),
        phone: optional(phone(), 'With window: number of the customer.'),
        ...actions(),
      },
      {
        old: {
          at: timeOfDay,
          window: windowOf,
          times: 'count',
          state: 'until',
        },
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
    ),
);
/** Exactly one action. */
export type TimelineEntry = ValueOf<typeof timelineEntrySchema>;
export type Actions = Required<Pick<TimelineEntry, ActionName>>;
