/** The names that a placeholder can have in each shape, and what of each shape the interface document names. */
import type { EventType } from '../domain/words.js';
import type { Name, Names } from './template.js';

const schema = (name: string): Name => ({ schema: { $ref: `#/components/schemas/${name}` } });
const text: Name = { schema: { type: 'string' } };
const time: Name = { ...schema('Timestamp'), isTime: true };
const orNull = (name: Name): Name => ({ ...name, canMiss: true });

const errorNames: Names = {
  error: schema('MessageError'),
  'error.code': text,
  'error.message': text,
  'error.channel_code': { schema: { type: 'integer' }, canMiss: true },
};

/** The names of an event itself, for an event whose data has no separate part. */
const ofTheEvent: Names = {
  'event.id': schema('EventId'),
  'event.type': schema('EventType'),
  'event.created_at': time,
};

const eventNames: Readonly<Record<EventType, Names>> = {
  'message.received': {
    message_id: schema('Uuid'),
    wamid: schema('Wamid'),
    from: schema('PhoneNumber'),
    to: text,
    type: { schema: { type: 'string', enum: ['text', 'image', 'document', 'interactive'] } },
    text: orNull(text),
    media_url: orNull(text),
    interactive: orNull(schema('InboundReply')),
    'interactive.id': orNull(text),
    'interactive.title': orNull(text),
    profile_name: text,
    timestamp: time,
    ...ofTheEvent,
  },
  'message.status': {
    message_id: schema('Uuid'),
    wamid: schema('Wamid'),
    to: schema('PhoneNumber'),
    type: schema('MessageType'),
    status: schema('LifecycleStatus'),
    ...Object.fromEntries(Object.entries(errorNames).map(([name, value]) => [name, orNull(value)])),
    timestamp: time,
    ...ofTheEvent,
  },
  'otp.verified': { otp_id: schema('Uuid'), to: schema('PhoneNumber'), verified_at: time, ...ofTheEvent },
  'template.status': {
    template_id: schema('Uuid'),
    name: schema('TemplateName'),
    language: schema('LanguageCode'),
    category: schema('TemplateCategory'),
    status: { schema: { type: 'string', enum: ['approved', 'rejected'] } },
    rejection_reason: orNull(text),
    timestamp: time,
    ...ofTheEvent,
  },
};

/** No shape can lose it. */
export interface Kept {
  readonly section: string;
  readonly name: string;
  /** The key that must have it, where the document names the key: at the top, or anywhere. */
  readonly key?: string;
  readonly anywhere?: true;
  /** A list or an object, which would be written out within a longer text. */
  readonly isWhole?: true;
  /** The word of the document for `name` and `or`, of which one is enough. */
  readonly called?: string;
  readonly or?: readonly string[];
}

export interface Shape {
  readonly names: Names;
  readonly kept: readonly Kept[];
  /** Keys that the document excludes, by the section. */
  readonly never?: Readonly<Record<string, string>>;
  /** Texts that the whole shape may be, where it is otherwise a mapping; null: it may be anything. */
  readonly whole: readonly string[] | null;
  readonly about: string;
}

const keptKeys = (section: string, ...keys: string[]): Kept[] => keys.map((key) => ({ section, name: key, key }));
const keptNames = (section: string, ...names: string[]): Kept[] => names.map((name) => ({ section, name }));

/** Keys are settings. */
export const shapes = {
  'http.deleted.body': {
    about: 'Body of the response to a removal',
    names: { id: schema('Uuid') },
    kept: [],
    whole: null,
  },
  'errors.shape': {
    about: 'Body of every error',
    names: {
      code: text,
      message: text,
      details: { schema: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } }, canMiss: true },
      status: { schema: { type: 'integer' } },
    },
    kept: [{ section: '7', name: 'message', key: 'message', anywhere: true }, ...keptNames('7', 'code')],
    whole: [],
  },
  'webhooks.shape': {
    about: 'Body of every event',
    names: { id: schema('EventId'), type: schema('EventType'), created_at: time, data: { schema: {} } },
    kept: [{ section: '6', name: 'data', isWhole: true }],
    whole: ['{data}'],
  },
  'events.message.received': {
    about: 'Data of the event `message.received`',
    names: eventNames['message.received'],
    kept: [],
    whole: [],
  },
  'events.message.status': {
    about: 'Data of the event `message.status`',
    names: eventNames['message.status'],
    kept: [...keptNames('4.1', 'message_id'), ...keptNames('3.1', 'status')],
    whole: [],
  },
  'events.otp.verified': {
    about: 'Data of the event `otp.verified`',
    names: eventNames['otp.verified'],
    kept: [],
    whole: [],
  },
  'events.template.status': {
    about: 'Data of the event `template.status`',
    names: eventNames['template.status'],
    kept: keptNames('6', 'status'),
    whole: [],
  },
  'shapes.message.error': {
    about: 'Error of a failed message',
    names: { code: text, message: text, channel_code: { schema: { type: 'integer' }, canMiss: true } },
    kept: [],
    whole: ['{message}', '{code}'],
  },
  'shapes.batch.failed': {
    about: 'Failed entry of a batch',
    names: { to: text, ok: { schema: { const: false } }, ...errorNames },
    kept: keptKeys('2.1', 'to', 'ok'),
    whole: [],
  },
  'shapes.webhooks.item': {
    about: 'Entry of the webhook list',
    names: {
      id: schema('Uuid'),
      url: { schema: { type: 'string', format: 'uri' } },
      events: { schema: { type: 'array', items: { $ref: '#/components/schemas/EventType' } } },
      status: schema('WebhookStatus'),
      pause_reason: orNull(text),
      created_at: time,
      updated_at: time,
    },
    kept: [
      ...keptKeys('4.10', 'id', 'url', 'events', 'status', 'pause_reason'),
      { section: '4.10', name: 'created_at', or: ['updated_at'], called: 'the timestamps' },
    ],
    never: { secret: '4.10' },
    whole: [],
  },
  'shapes.webhooks.list': {
    about: 'Response with the webhook list',
    names: {
      items: { schema: { type: 'array', items: { $ref: '#/components/schemas/Webhook' } } },
      count: { schema: { type: 'integer' } },
    },
    kept: [{ section: '4.10', name: 'items', isWhole: true }],
    never: { secret: '4.10' },
    whole: ['{items}'],
  },
} as const satisfies Readonly<Record<string, Shape>>;

export type ShapeKey = keyof typeof shapes;
