/** The timeline: what happens automatically, and when. */
import type {
  EmitAction,
  InboundAction,
  Instant,
  MessageAction,
  ReplayAction,
  TemplateAction,
  TimelineEntry,
} from '../language/scenario.js';
import { HOOKS } from '../language/hooks.js';
import { awaitedOf } from '../engine/timeline.js';
import { jsonObject } from './json.js';
import { anyText, bool, integer, oneOf, text } from './scalars.js';
import { named, type Shape } from './shape.js';
import { webhookShape } from './slot-shapes.js';
import { object, optional, required } from './structures.js';
import { alias, channelErrorName, duration, offset, phone, templateName } from './texts.js';
import { LIFECYCLE_STATUSES } from '../language/slots.js';
import { eventTypes } from '../../domain/event.js';
import { checkEventData } from './event-fields.js';

/** Hooks at which a step of the timeline can wait for the first call. */
const AWAITED_HOOKS = HOOKS.filter((hook) => hook !== 'api.any');

const httpUrl = text({
  allowed: 'an absolute http(s) URL',
  example: '"https://example.com/a.png"',
  maxLength: 2048,
  check: (value) =>
    /^https?:\/\//.test(value) && URL.canParse(value)
      ? undefined
      : { code: 'bad_url', message: 'This is not an absolute http(s) URL.' },
  keywords: { pattern: '^https?://' },
});

const inboundAction: Shape<InboundAction> = named(
  'InboundAction',
  'a message of a customer',
  '{ from: "+12025550150", text: "Hello?" }',
  () =>
    object<InboundAction>(
      {
        from: required(phone, 'Number of the customer.'),
        type: optional(
          oneOf(['text', 'image', 'document', 'interactive']),
          'Default: interactive with a tapped button, image with a media_url, else text.',
        ),
        text: optional(anyText('Hello?'), 'Text of the message. Default: generated.'),
        media_url: optional(httpUrl, 'With type image or document.'),
        interactive: optional(
          object({
            id: required(anyText('yes', { maxLength: 256 }), 'Id of the button.'),
            title: required(anyText('Yes', { maxLength: 20 }), 'Title of the button.'),
          }),
          'With type interactive: the button that was tapped.',
        ),
        profile_name: optional(anyText('Ada', { maxLength: 256 }), 'New profile name of the customer.'),
      },
      {
        check(value, place) {
          if (value.type !== 'interactive' || value.interactive !== undefined) return;
          const message = 'A message of type interactive is a tapped button, so interactive is required.';
          const example = 'interactive: { id: yes, title: Yes }';
          place.report({ code: 'missing_key', message, allowed: 'interactive with id and title', example });
        },
        keywords: () => ({
          if: { required: ['type'], properties: { type: { const: 'interactive' } } },
          then: { required: ['interactive'] },
        }),
      },
    ),
);

const templateAction: Shape<TemplateAction> = named(
  'TemplateAction',
  'an action of the platform owner',
  '{ name: order_shipped, status: paused }',
  () =>
    object<TemplateAction>({
      name: required(templateName, 'Name of the template.'),
      status: required(
        oneOf(['paused', 'approved', 'deleted', 'rejected']),
        'New status. approved and rejected decide a pending review.',
      ),
      reason: optional(anyText('Reads like marketing.', { maxLength: 1000 }), 'With rejected: reason of the reviewer.'),
    }),
);

const emitAction: Shape<EmitAction> = named('EmitAction', 'an event', '{ type: message.status }', () =>
  object<EmitAction>(
    {
      type: required(oneOf(eventTypes), 'Event type.'),
      data: optional(jsonObject, 'Parts of its data. The rest is taken from existing records or generated.'),
      alias: optional(alias, 'Alias of the only endpoint to get it. Default: all subscribed endpoints.'),
      webhook: optional(webhookShape, 'Faults of its delivery.'),
    },
    {
      check({ type, data = {}, webhook }, _place, placeOf) {
        // An unknown event type is invalid on purpose, so its data is not checked.
        if (webhook?.body === 'unknown_type') return;
        checkEventData(type, data, placeOf('data'));
      },
    },
  ),
);

const messageAction: Shape<MessageAction> = named(
  'MessageAction',
  'a status report of the channel',
  '{ to: "+12025550150", status: read }',
  () =>
    object<MessageAction>({
      to: required(phone, 'Number of the customer. The report is about the latest message to it.'),
      status: required(oneOf(LIFECYCLE_STATUSES), 'Status that the channel reports.'),
      error: optional(channelErrorName, 'With failed: name or number of the channel failure.'),
    }),
);

const replayAction: Shape<ReplayAction> = named(
  'ReplayAction',
  'delivery of the events that receivers missed',
  '{ alias: app, duplicate: 1, shuffle: true }',
  () =>
    object<ReplayAction>({
      alias: optional(alias, 'Alias of the only endpoint to get them. Default: all endpoints.'),
      duplicate: optional(integer(1, 10, 1), 'Extra copies of each delivery, with the same event id and bytes.'),
      shuffle: optional(bool, 'Random order, chosen by seed. Default: the oldest first.'),
    }),
);

const afterShape: Shape<{ after: string; by?: string }> = object<{ after: string; by?: string }>({
  after: required(
    text({
      allowed: 'first HOOK, such as first message.send, or the id of a rule',
      example: 'first message.send',
      check: (value) =>
        /^first\s/.test(value) && !('hook' in awaitedOf(value))
          ? { code: 'unknown_word', message: 'There is no hook of this name.', words: AWAITED_HOOKS }
          : value.replace(/^first\s+/, '') === 'api.any'
            ? { code: 'unknown_word', message: 'A step cannot wait for api.any.', words: AWAITED_HOOKS }
            : undefined,
    }),
    'What the step waits for: the first call at a hook, or the first time that the rule with this id applies.',
  ),
  by: optional(offset, 'Time after that. Default: 0s.'),
});

const clockTime: Shape<{ clock: string; day?: number }> = object<{ clock: string; day?: number }>({
  clock: required(
    text({
      allowed: 'a time of the day in UTC such as "09:00"',
      example: '"09:00"',
      pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
      meant: (value) => (/^\d:[0-5]\d$/.test(value) ? `0${value}` : undefined),
    }),
    'Time on the clock of the account, in UTC.',
  ),
  day: optional(
    integer(1, 10_000, 1),
    'Day; 1 is the day of the activation. Default: the next time that the clock shows this time.',
  ),
});

const instantShape: Shape<Instant> = {
  allowed: `${offset.allowed}, { after: first message.send, by: 5m }, or { clock: "09:00", day: 1 }`,
  example: offset.example,
  read(place) {
    if (place.map() === undefined) return offset.read(place);
    return place.entries().some(({ key }) => key === 'clock' || key === 'day')
      ? clockTime.read(place)
      : afterShape.read(place);
  },
  print: (definitions) => ({
    anyOf: [offset, afterShape, clockTime].map((shape: Shape<unknown>) => shape.print(definitions)),
  }),
};

export const timelineEntryShape: Shape<TimelineEntry> = named(
  'TimelineEntry',
  'a step of the timeline',
  '{ at: +5m, inbound: { from: "+12025550150", text: "Hello?" } }',
  () =>
    object<TimelineEntry>(
      {
        at: required(
          instantShape,
          'Time of the step: an offset from activation; { after: first message.send, by: 5m }; or { clock: "09:00", day: 1 }.',
        ),
        every: optional(duration, 'With times: interval at which the step repeats.'),
        times: optional(integer(1, 1000, 5), 'With every: total number of times.'),
        inbound: optional(inboundAction, 'A customer writes.'),
        template: optional(templateAction, 'The platform owner changes a template.'),
        emit: optional(emitAction, 'An event is sent to the endpoints.'),
        message: optional(messageAction, 'The channel reports the status of a message.'),
        window: optional(
          object({
            phone: required(phone, 'Number of the customer.'),
            open: required(bool, 'Whether the window is open.'),
          }),
          'The 24-hour window of a customer opens or closes without a message.',
        ),
        webhook: optional(
          object({
            alias: required(alias, 'Alias of the endpoint.'),
            status: required(oneOf(['active', 'paused']), 'New status.'),
          }),
          'An endpoint is paused or resumed.',
        ),
        replay: optional(
          replayAction,
          'Events that wait for their next attempt or are held are delivered now, as after an outage.',
        ),
      },
      {
        exactlyOne: ['inbound', 'template', 'emit', 'message', 'window', 'webhook', 'replay'],
        check({ every, times }, _place, placeOf) {
          if ((every === undefined) === (times === undefined)) return;
          const [there, missing] = every === undefined ? (['times', 'every'] as const) : (['every', 'times'] as const);
          const example = missing === 'every' ? 'every: 1h' : 'times: 5';
          const message = `"${there}" needs "${missing}".`;
          placeOf(there).report({ code: 'missing_key', message, allowed: missing, example });
        },
      },
    ),
);
