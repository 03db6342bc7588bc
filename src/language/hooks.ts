/** The hooks of rules and the records of expectations, with the names and values that conditions on them can have. */
import { channelErrors } from '../domain/errors.js';
import {
  deliveryStates,
  eventTypes,
  messageStatuses,
  messageTypes,
  templateCategories,
  templateStatuses,
} from '../domain/words.js';

/** A closed list of values: a condition that matches none of them never holds. */
export interface Words {
  readonly values: readonly (string | number)[];
  /** A short description, if a list of all values would be long. */
  readonly allowed?: string;
  /** The values to suggest. Default: all, unless `allowed` describes them. */
  readonly near?: readonly string[];
}

function numbers(from: number, to: number, allowed: string): Words {
  return { values: Array.from({ length: to - from + 1 }, (_, index) => from + index), allowed };
}

/** Operations have two names: the hook of the language (`message.send`), and the operationId. Callers may use either. */
const operationIdByHook: Readonly<Record<string, string>> = {
  'message.send': 'sendMessage',
  'message.get': 'getMessage',
  'otp.send': 'sendOtp',
  'otp.verify': 'verifyOtp',
  'template.create': 'createTemplate',
  'template.get': 'getTemplate',
  'template.list': 'listTemplates',
  'webhook.create': 'createWebhook',
  'webhook.list': 'listWebhooks',
  'webhook.delete': 'deleteWebhook',
};

/** Returns the operationId of a name; an unknown name is returned unchanged. */
export const operationIdOf = (name: string): string => operationIdByHook[name] ?? name;

/** Returns the dotted name of an operation; null if the call is not an operation. */
export function hookOf(operationId: string | null): string | null {
  return Object.keys(operationIdByHook).find((hook) => operationIdByHook[hook] === operationId) ?? operationId;
}

const WORDS: Readonly<Record<string, Words>> = {
  operations: { values: Object.keys(operationIdByHook) },
  methods: { values: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] },
  http: numbers(200, 599, 'an HTTP status from 200 to 599, or a class of them such as 4xx'),
  // Redeliveries can continue without end; a few hundred numbers suffice to find a condition that never holds.
  attempts: numbers(1, 300, 'a whole number of at least 1'),
  types: { values: messageTypes },
  statuses: { values: messageStatuses },
  reported: { values: [...messageStatuses, ...templateStatuses] },
  shown: { values: [...messageStatuses, 'received'] },
  categories: { values: templateCategories },
  // One-time codes are sent at otp.send.
  sendable: { values: ['marketing', 'utility'] },
  templates: { values: templateStatuses },
  events: { values: eventTypes },
  errors: { values: channelErrors.map(({ code }) => code) },
  deliveries: { values: deliveryStates },
  directions: { values: ['inbound', 'outbound'] },
  otps: { values: ['active', 'verified', 'locked', 'expired'] },
  endpoints: { values: ['active', 'paused'] },
};

type Names = ReadonlyMap<string, Words | undefined>;

/** Reads `NAME` or `NAME:WORDS`, where WORDS is one of the lists above. */
function namesOf(row: string): Names {
  return new Map(
    row.split(' ').map((one) => {
      const [name = '', list = ''] = one.split(':');
      return [name, WORDS[list]];
    }),
  );
}

export const SLOT_NAMES = [
  'respond',
  'refuse',
  'limit',
  'lifecycle',
  'review',
  'otp',
  'webhook',
  'inbound',
  'window',
] as const;
export type SlotName = (typeof SLOT_NAMES)[number];

const http = ['respond', 'limit'] as const;

/** Slots that have an effect at a hook; another one causes a warning. */
const SLOTS = {
  'api.any': http,
  'message.send': ['respond', 'refuse', 'limit', 'lifecycle', 'inbound', 'window'],
  'message.get': http,
  'otp.send': [...http, 'lifecycle', 'otp'],
  'otp.verify': http,
  'template.create': http,
  'template.get': http,
  'template.review': ['review'],
  'webhook.create': http,
  'webhook.deliver': ['webhook'],
} as const satisfies Readonly<Record<string, readonly SlotName[]>>;

export type Hook = keyof typeof SLOTS;
export const HOOKS = Object.keys(SLOTS) as Hook[];
export const SLOTS_BY_HOOK: Readonly<Record<Hook, readonly SlotName[]>> = SLOTS;

/** Facts that `match` can have at a hook; `not` is allowed at every hook. */
export const FACTS_BY_HOOK: Readonly<Record<Hook, Names>> = {
  'api.any': namesOf('method:methods url status:http'),
  'message.send': namesOf('phone type:types template language category:sendable text'),
  'message.get': namesOf('phone type:types template status:statuses'),
  'otp.send': namesOf('phone template'),
  'otp.verify': namesOf('phone template'),
  'template.create': namesOf('name category:categories language body'),
  'template.get': namesOf('name category:categories language body status:templates'),
  'template.review': namesOf('name category:categories language body'),
  'webhook.create': namesOf('url events:events'),
  'webhook.deliver': namesOf('event:events status:reported type:types url alias attempts:attempts phone'),
};

/** The fields of the records of each kind; a dotted name reaches into fields that are objects. */
export const FIELDS_BY_SUBJECT = {
  requests: namesOf(
    'operation:operations method:methods path status:http error rule to type:types template batch request response at',
  ),
  webhooks: namesOf('alias url events:events status:endpoints pause_reason id'),
  attempts: namesOf(
    'alias url event:events event_id delivery number status:http error rule to message_id message_status:reported at',
  ),
  deliveries: namesOf(
    'alias url event:events event_id state:deliveries attempts rule to message_id message_status:reported at',
  ),
  messages: namesOf(
    'direction:directions to type:types status:shown text template language variables media_url interactive error:errors rule message_id batch_id at',
  ),
  // The same messages by direction, so that checks need no condition on it.
  sent: namesOf(
    'to type:types status:statuses text template language variables media_url interactive error:errors rule message_id batch_id at',
  ),
  received: namesOf('from type:types text media_url interactive rule message_id at'),
  templates: namesOf('name category:categories language status:templates rejection_reason body'),
  otps: namesOf('to state:otps attempts_left template otp_id at'),
  events: namesOf('type:events id message_id to from status:reported template name data at'),
};
export type ExpectSubject = keyof typeof FIELDS_BY_SUBJECT;
export const SUBJECTS = Object.keys(FIELDS_BY_SUBJECT) as ExpectSubject[];
