/** The timeline: what happens automatically, and when. */
import { eventTypes, type EventType } from '../../domain/event.js';
import { dataFields, faultsOfData, type DataFault } from '../../domain/event-data.js';
import { jsonObject } from './collections.js';
import { applicationActions } from './application.js';
import { HOOKS, type Hook } from './hooks.js';
import { LIFECYCLE_STATUSES } from './lifecycles.js';
import { joinPath } from './json-text.js';
import { object, optional, required } from './object.js';
import { anyText, bool, integer, oneOf, text } from './scalars.js';
import { oneOfShapes, type ValueOf } from './shape.js';
import { webhookShape } from './slots.js';
import { alias, channelErrorName, duration, offset, phone, templateName, webhookSecret } from './texts.js';
import type { YamlNode } from './yaml-node.js';

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

const button = object({
  id: required(anyText('yes', { maxLength: 256 }), 'Id of the button.'),
  title: required(anyText('Yes', { maxLength: 20 }), 'Title of the button.'),
});

const inbound = object(
  {
    from: required(phone, 'Number of the customer.'),
    type: optional(
      oneOf(['text', 'image', 'document', 'interactive']),
      'Default: interactive with a tapped button, image with a media_url, otherwise text.',
    ),
    text: optional(anyText('Hello?'), 'Text of the message. Default: generated.'),
    media_url: optional(httpUrl, 'With type image or document.'),
    interactive: optional(button, 'With type interactive: the button that was tapped.'),
    profile_name: optional(anyText('Ada', { maxLength: 256 }), 'New profile name of the customer.'),
  },
  {
    check: ({ type, interactive }) =>
      type === 'interactive' &&
      interactive === undefined && {
        code: 'missing_key',
        message: 'A message of type interactive is a tapped button, so interactive is required.',
        allowed: 'interactive with id and title',
        example: 'interactive: { id: yes, title: Yes }',
      },
    keywords: {
      if: { required: ['type'], properties: { type: { const: 'interactive' } } },
      then: { required: ['interactive'] },
    },
  },
).named('InboundAction', 'a message of a customer', '{ from: "+12025550150", text: "Hello?" }');
export type InboundAction = ValueOf<typeof inbound>;

const template = object({
  name: required(templateName, 'Name of the template.'),
  status: required(
    oneOf(['paused', 'approved', 'deleted', 'rejected']),
    'New status. approved and rejected decide a pending review.',
  ),
  reason: optional(anyText('Reads like marketing.', { maxLength: 1000 }), 'With rejected: reason of the reviewer.'),
}).named('TemplateAction', 'an action of the platform owner', '{ name: order_shipped, status: paused }');

const emit = object(
  {
    type: required(oneOf(eventTypes), 'Event type.'),
    data: optional(jsonObject, 'Parts of its data. The rest is taken from existing records or generated.'),
    alias: optional(alias, 'Alias of the only endpoint to get it. Default: all subscribed endpoints.'),
    webhook: optional(webhookShape, 'Faults of its delivery.'),
  },
  {
    check({ type, data = {}, webhook }, placeOf) {
      // An unknown event type is invalid on purpose, so its data is not checked.
      if (webhook?.body !== 'unknown_type') checkEventData(type, data, placeOf('data'));
      return false;
    },
  },
).named('EmitAction', 'an event', '{ type: message.status }');
export type EmitAction = ValueOf<typeof emit>;

const message = object({
  to: required(phone, 'Number of the customer. The report is about the latest message to it.'),
  status: required(oneOf(LIFECYCLE_STATUSES), 'Status that the channel reports.'),
  error: optional(channelErrorName, 'With failed: name or number of the channel failure.'),
}).named('MessageAction', 'a status report of the channel', '{ to: "+12025550150", status: read }');

const window = object({
  phone: required(phone, 'Number of the customer.'),
  open: required(bool, 'Whether the window is open.'),
});

const webhook = object(
  {
    alias: required(alias, 'Alias of the endpoint.'),
    status: optional(oneOf(['active', 'paused']), 'New status.'),
    secret: optional(webhookSecret, 'New signing secret: later deliveries are signed with it.'),
  },
  { atLeastOne: ['status', 'secret'] },
);

const replay = object({
  alias: optional(alias, 'Alias of the only endpoint to get them. Default: all endpoints.'),
  duplicate: optional(integer(1, 10, 1), 'Extra copies of each delivery, with the same event id and bytes.'),
  shuffle: optional(bool, 'Random order, chosen by seed. Default: the oldest first.'),
}).named('ReplayAction', 'delivery of the events that receivers missed', '{ alias: app, duplicate: 1, shuffle: true }');

/** `message.send`, `first message.send`, or the id of a rule. */
export function awaitedOf(text: string): { readonly hook: Hook } | { readonly rule: string } {
  const name = text.replace(/^first\s+/, '');
  const hook = HOOKS.find((one) => one === name);
  return hook === undefined ? { rule: name } : { hook };
}

/** Hooks at which a step of the timeline can wait for the first call. */
const AWAITED_HOOKS = HOOKS.filter((hook) => hook !== 'api.any');

const awaited = text({
  allowed: 'first HOOK, such as first message.send, or the id of a rule',
  example: 'first message.send',
  check(value) {
    const fault = (message: string) => ({ code: 'unknown_word', message, words: AWAITED_HOOKS });
    if (value.replace(/^first\s+/, '') === 'api.any') return fault('A step cannot wait for api.any.');
    return /^first\s/.test(value) && 'rule' in awaitedOf(value) ? fault('There is no hook of this name.') : undefined;
  },
});

const afterCall = object({
  after: required(
    awaited,
    'What the step waits for: the first call at a hook, or the first time that the rule with this id applies.',
  ),
  by: optional(offset, 'Time after that event. Default: 0s.'),
});

const clockTime = object({
  clock: required(
    text({
      allowed: 'a time of day in UTC such as "09:00"',
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

const instant = oneOfShapes<string | ValueOf<typeof afterCall> | ValueOf<typeof clockTime>>(
  [offset, afterCall, clockTime],
  (place) => {
    if (place.map() === undefined) return offset;
    return place.entries().some(({ key }) => key === 'clock' || key === 'day') ? clockTime : afterCall;
  },
  `${offset.allowed}, { after: first message.send, by: 5m }, or { clock: "09:00", day: 1 }`,
);
/**
 * An offset from activation; one from the first call at a hook or the first time that a rule applies; or when the account's
 * clock shows a time, on a day counted from 1, that of the activation.
 */
export type Instant = ValueOf<typeof instant>;

const actions = {
  inbound: optional(inbound, 'A customer writes.'),
  template: optional(template, 'The platform owner changes a template.'),
  emit: optional(emit, 'An event is sent to the endpoints.'),
  message: optional(message, 'The channel reports the status of a message.'),
  window: optional(window, 'The 24-hour window of a customer opens or closes without a message.'),
  webhook: optional(webhook, 'An endpoint is paused or resumed.'),
  replay: optional(
    replay,
    'Events that wait for their next attempt or are held are delivered now, as after an outage.',
  ),
  ...applicationActions,
};
export const ACTIONS = Object.keys(actions) as (keyof typeof actions)[];

export const timelineEntryShape = object(
  {
    at: required(
      instant,
      'Time of the step: an offset from activation; { after: first message.send, by: 5m }; or { clock: "09:00", day: 1 }.',
    ),
    every: optional(duration, 'With times: interval at which the step repeats.'),
    times: optional(integer(1, 1000, 5), 'With every: total number of times.'),
    ...actions,
  },
  {
    exactlyOne: ACTIONS,
    check({ every, times }) {
      if ((every === undefined) === (times === undefined)) return false;
      const [at, missing] = every === undefined ? (['times', 'every'] as const) : (['every', 'times'] as const);
      const example = missing === 'every' ? 'every: 1h' : 'times: 5';
      return { at, code: 'missing_key', message: `"${at}" needs "${missing}".`, allowed: missing, example };
    },
  },
).named('TimelineEntry', 'a step of the timeline', '{ at: +5m, inbound: { from: "+12025550150", text: "Hello?" } }');
/** Exactly one action. */
export type TimelineEntry = ValueOf<typeof timelineEntryShape>;
export type Actions = Required<Pick<TimelineEntry, keyof typeof actions>>;

/** Reports every invalid field of such an event. */
export function checkEventData(type: EventType, data: object, at: YamlNode): void {
  for (const fault of faultsOfData(type, data)) reportFault(type, fault, at);
}

function reportFault(type: EventType, { kind, path, allowed, words }: DataFault, at: YamlNode): void {
  const placeOf = (names: readonly string[]) => at.reading.places.get(names.reduce(joinPath, at.path)) ?? at;
  const [holder, name] = [placeOf(path.slice(0, -1)), path.at(-1) ?? ''];
  switch (kind) {
    case 'missing': {
      const message = `The key "${name}" is missing. It must be ${allowed}.`;
      holder.report({ code: 'missing_key', message, allowed });
      return;
    }
    case 'unknown': {
      const message = `Unknown key "${name}".`;
      keyOf(holder, name).report({ code: 'unknown_key', message, found: `"${name}"`, words });
      return;
    }
    case 'wrong': {
      const message = `In the data of ${type}, ${path.join('.')} must be ${allowed}.`;
      placeOf(path).report({ code: 'wrong_data', message, allowed, words });
    }
  }
}

/** Warns of fields that such an event does not have: they are allowed, but probably a mistake. */
export function lintEventData(type: EventType, data: object, at: YamlNode): void {
  const words = dataFields(type);
  for (const name of Object.keys(data)) {
    if (words.includes(name)) continue;
    const message = `The data of ${type} has no field "${name}"; it is sent anyway.`;
    keyOf(at, name).warn({ code: 'unknown_field', message, found: `"${name}"`, words });
  }
}

function keyOf(at: YamlNode, name: string): YamlNode {
  return at.entries().find(({ key }) => key === name)?.keyPlace ?? at;
}
