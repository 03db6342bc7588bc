/** What happens by itself, at offsets from activation. */
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
      : { code: 'bad_url', message: 'This is no absolute URL.' },
  keywords: { pattern: '^https?://' },
});

const inboundAction: Shape<InboundAction> = named(
  'InboundAction',
  'a message of a customer',
  '{ from: "+12025550150", text: "Hello?" }',
  () =>
    object<InboundAction>(
      {
        from: required(phone, 'Who writes.'),
        type: optional(
          oneOf(['text', 'image', 'document', 'interactive']),
          'Default: interactive with a tapped button, image with a media_url, else text.',
        ),
        text: optional(anyText('Hello?'), 'What is written. Default: made up.'),
        media_url: optional(httpUrl, 'With type image or document.'),
        interactive: optional(
          object({
            id: required(anyText('yes', { maxLength: 256 }), 'Id of the button tapped.'),
            title: required(anyText('Yes', { maxLength: 20 }), 'Its title.'),
          }),
          'With type interactive: the button tapped.',
        ),
        profile_name: optional(anyText('Ada', { maxLength: 256 }), 'The name in the profile from now on.'),
      },
      {
        check(value, place) {
          if (value.type !== 'interactive' || value.interactive !== undefined) return;
          const message = 'A message of the type interactive is a tapped button, so it needs one.';
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
  'a move of the platform owner',
  '{ name: order_shipped, status: paused }',
  () =>
    object<TemplateAction>({
      name: required(templateName, 'Which template.'),
      status: required(
        oneOf(['paused', 'approved', 'deleted', 'rejected']),
        'Its state from now on. approved and rejected decide a pending review.',
      ),
      reason: optional(anyText('Reads like marketing.', { maxLength: 1000 }), 'With rejected: why.'),
    }),
);

const emitAction: Shape<EmitAction> = named('EmitAction', 'an event', '{ type: message.status }', () =>
  object<EmitAction>(
    {
      type: required(oneOf(eventTypes), 'The event kind.'),
      data: optional(jsonObject, 'Parts of its data; the rest is taken from real records or made up.'),
      alias: optional(alias, 'Only to this endpoint. Default: to all that subscribed.'),
      webhook: optional(webhookShape, 'What goes wrong with its delivery.'),
    },
    {
      check({ type, data = {}, webhook }, _place, placeOf) {
        // Of a type that nobody knows any data will do; it is nonsense on purpose.
        if (webhook?.body === 'unknown_type') return;
        checkEventData(type, data, placeOf('data'));
      },
    },
  ),
);

const messageAction: Shape<MessageAction> = named(
  'MessageAction',
  'a report of the channel',
  '{ to: "+12025550150", status: read }',
  () =>
    object<MessageAction>({
      to: required(phone, 'Whose message: the latest one sent to this number.'),
      status: required(oneOf(LIFECYCLE_STATUSES), 'What the channel reports.'),
      error: optional(channelErrorName, 'With failed: why.'),
    }),
);

const replayAction: Shape<ReplayAction> = named(
  'ReplayAction',
  'what receivers missed, delivered now',
  '{ alias: app, duplicate: 1, shuffle: true }',
  () =>
    object<ReplayAction>({
      alias: optional(alias, 'Only to this endpoint. Default: to all.'),
      duplicate: optional(integer(1, 10, 1), 'Extra copies of each delivery, with the same event id and bytes.'),
      shuffle: optional(bool, 'In an order drawn with the seed, instead of the oldest first.'),
    }),
);

const afterShape: Shape<{ after: string; by?: string }> = object<{ after: string; by?: string }>({
  after: required(
    text({
      allowed: 'first HOOK, such as first message.send, or the id of a rule',
      example: 'first message.send',
      check: (value) =>
        /^first\s/.test(value) && !('hook' in awaitedOf(value))
          ? { code: 'unknown_word', message: 'There is no such hook.', words: AWAITED_HOOKS }
          : value.replace(/^first\s+/, '') === 'api.any'
            ? { code: 'unknown_word', message: 'A step cannot wait for calls of any kind.', words: AWAITED_HOOKS }
            : undefined,
    }),
    'What comes before: the first call at a hook, or the first time that the rule of this id applies.',
  ),
  by: optional(offset, 'How long after that. Default 0s.'),
});

const clockTime: Shape<{ clock: string; day?: number }> = object<{ clock: string; day?: number }>({
  clock: required(
    text({
      allowed: 'a time of the day in UTC such as "09:00"',
      example: '"09:00"',
      pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
      meant: (value) => (/^\d:[0-5]\d$/.test(value) ? `0${value}` : undefined),
    }),
    "When the account's clock shows this time.",
  ),
  day: optional(
    integer(1, 10_000, 1),
    'On this day; 1 is the day of the activation. Default: the next time that it is so late.',
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
  'something that happens by itself',
  '{ at: +5m, inbound: { from: "+12025550150", text: "Hello?" } }',
  () =>
    object<TimelineEntry>(
      {
        at: required(
          instantShape,
          'When: an offset from activation; { after: first message.send, by: 5m }; or { clock: "09:00", day: 1 }.',
        ),
        every: optional(duration, 'With times: it happens again after this time.'),
        times: optional(integer(1, 1000, 5), 'With every: how often it happens in all.'),
        inbound: optional(inboundAction, 'A customer writes.'),
        template: optional(templateAction, 'The platform owner acts on a template.'),
        emit: optional(emitAction, 'An event is sent.'),
        message: optional(messageAction, 'The channel reports on a message.'),
        window: optional(
          object({ phone: required(phone, 'Whose window.'), open: required(bool, 'Open or closed.') }),
          'A window is opened or closed without an inbound event.',
        ),
        webhook: optional(
          object({
            alias: required(alias, 'Which endpoint.'),
            status: required(oneOf(['active', 'paused']), 'Its status from now on.'),
          }),
          'An endpoint is paused or resumed.',
        ),
        replay: optional(
          replayAction,
          'What is waiting for its next attempt, or was held, is delivered now, as after an outage.',
        ),
      },
      {
        exactlyOne: ['inbound', 'template', 'emit', 'message', 'window', 'webhook', 'replay'],
        check({ every, times }, _place, placeOf) {
          if ((every === undefined) === (times === undefined)) return;
          const [there, missing] = every === undefined ? (['times', 'every'] as const) : (['every', 'times'] as const);
          const example = missing === 'every' ? 'every: 1h' : 'times: 5';
          const message = `"${there}" needs "${missing}" beside it.`;
          placeOf(there).report({ code: 'missing_key', message, allowed: missing, example });
        },
      },
    ),
);
