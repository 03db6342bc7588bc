/** What happens by itself, at offsets from activation. */
import type { InboundAction, TemplateAction, EmitAction, MessageAction, TimelineEntry } from '../language/scenario.js';
import { jsonObject } from './json.js';
import { anyText, bool, oneOf, text } from './scalars.js';
import { named, type Shape } from './shape.js';
import { webhookShape } from './slot-shapes.js';
import { object, optional, required } from './structures.js';
import { alias, channelErrorName, offset, phone, templateName } from './texts.js';
import { LIFECYCLE_STATUSES } from '../language/slots.js';
import type { FoundProblem } from './corrected-line.js';
import { type YamlNode } from './yaml-node.js';
import { joinPath } from './yaml-text.js';
import { eventTypes } from '../../domain/event.js';
import type { EventType } from '../../domain/event.js';
import { dataFields, faultsOfData, type DataFault } from '../../domain/event-data.js';

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

export const timelineEntryShape: Shape<TimelineEntry> = named(
  'TimelineEntry',
  'something that happens by itself',
  '{ at: +5m, inbound: { from: "+12025550150", text: "Hello?" } }',
  () =>
    object<TimelineEntry>(
      {
        at: required(offset, 'Offset from activation.'),
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
      },
      { exactlyOne: ['inbound', 'template', 'emit', 'message', 'window', 'webhook'] },
    ),
);

/** Complains about every field that cannot stand in such an event. */
export function checkEventData(type: EventType, data: object, at: YamlNode): void {
  for (const fault of faultsOfData(type, data)) complain(type, fault, at);
}

function complain(type: EventType, { kind, path, allowed, words }: DataFault, at: YamlNode): void {
  const placeOf = (names: readonly string[]) => at.reading.places.get(names.reduce(joinPath, at.path)) ?? at;
  const [holder, name] = [placeOf(path.slice(0, -1)), path.at(-1) ?? ''];
  switch (kind) {
    case 'missing': {
      const message = `The key "${name}" is missing: it must be ${allowed}.`;
      holder.report({ code: 'missing_key', message, allowed });
      return;
    }
    case 'unknown': {
      const message = `The key "${name}" is not known here.`;
      keyOf(holder, name).report({ code: 'unknown_key', message, found: `"${name}"`, words });
      return;
    }
    case 'wrong': {
      const message = `In the data of ${type}, ${path.join('.')} must be ${allowed}.`;
      placeOf(path).report({ code: 'wrong_data', message, allowed, words });
    }
  }
}

/** Warnings about fields that such an event does not have: it may hold them, and receivers ignore them; mostly that is a slip. */
export function strangeFields(type: EventType, data: object, at: YamlNode): FoundProblem[] {
  const words = dataFields(type);
  return Object.keys(data).flatMap((name) => {
    if (words.includes(name)) return [];
    const message = `The data of ${type} has no field "${name}"; it is sent all the same.`;
    return [keyOf(at, name).problem({ code: 'unknown_field', message, found: `"${name}"`, words })];
  });
}

/** Where a key of a mapping is written. */
function keyOf(at: YamlNode, name: string): YamlNode {
  return at.entries().find(({ key }) => key === name)?.keyPlace ?? at;
}
