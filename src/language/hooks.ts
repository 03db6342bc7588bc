/** The hooks of rules and the records of expectations, with the names and values that conditions on them can have. */
import { channelErrors } from '../domain/errors.js';
import {
  deliveryStates,
  eventTypes,
  messageStatuses,
  messageTypes,
  sendErrors,
  templateCategories,
  templateStatuses,
} from '../domain/words.js';

/** All possible values: a condition that matches none of them never holds. */
export interface Words {
  readonly values: readonly (string | number)[];
  /** The form of values that no list can have, as `globFitsForm` reads it. */
  readonly form?: string;
  readonly allowed?: string;
  readonly near?: readonly string[];
}

function numbers(from: number, to: number, allowed: string): Words {
  return { values: Array.from({ length: to - from + 1 }, (_, index) => from + index), allowed };
}

const formed = (form: string, allowed: string): Words => ({ values: [], form, allowed });

/**
 * Operations have two names: the hook of the language (`message.send`), and the operationId. Callers may use either.
 */
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

export const operationIdOf = (name: string): string => operationIdByHook[name] ?? name;

/** Null if the call is not an operation. */
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
  attemptErrors: { values: sendErrors },
  flags: { values: ['true', 'false'] },
  left: numbers(0, 20, 'a whole number from 0 to 20'),
  phones: formed(String.raw`\+[1-9]\d{6,14}`, 'a number such as +12025550101'),
  // Calls of other paths have no account.
  paths: formed('/v1/.*', 'a path of the API such as /v1/messages'),
  names: formed('[a-z][a-z0-9_]*', 'a lower-case letter, then lower-case letters, digits and underscores'),
  hooks: formed('https://.*', 'an https:// URL'),
  media: formed('https?://.*', 'an http(s) URL'),
  ids: formed('[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'a UUID, as the API returns it'),
  times: formed(
    String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`,
    'a range such as +1h..+2h, or a text such as 2026-03-01T09:*',
  ),
  objects: formed('{.*}', 'a field of it, with a dot'),
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
  'api.any': namesOf('method:methods url:paths status:http'),
  'message.send': namesOf('phone:phones type:types template:names language category:sendable text'),
  'message.get': namesOf('phone:phones type:types template:names status:statuses'),
  'otp.send': namesOf('phone:phones template:names'),
  'otp.verify': namesOf('phone:phones template:names'),
  'template.create': namesOf('name:names category:categories language body'),
  'template.get': namesOf('name:names category:categories language body status:templates'),
  'template.review': namesOf('name:names category:categories language body'),
  'webhook.create': namesOf('url:hooks events:events'),
  'webhook.deliver': namesOf('event:events status:reported type:types url:hooks alias attempts:attempts phone:phones'),
};

/** The fields of the records of each kind; a dotted name reaches into fields that are objects. */
export const FIELDS_BY_SUBJECT = {
  requests: namesOf(
    'operation:operations method:methods path:paths status:http error rule to:phones type:types template:names batch:flags request:objects response:objects at:times',
  ),
  webhooks: namesOf('alias url:hooks events:events status:endpoints pause_reason id:ids'),
  attempts: namesOf(
    'alias url:hooks event:events event_id:ids delivery:ids number:attempts status:http error:attemptErrors rule to:phones message_id:ids message_status:reported at:times',
  ),
  deliveries: namesOf(
    'alias url:hooks event:events event_id:ids state:deliveries attempts rule to:phones message_id:ids message_status:reported at:times',
  ),
  messages: namesOf(
    'direction:directions to:phones type:types status:shown text template:names language variables media_url:media interactive:objects error:errors rule message_id:ids batch_id:ids at:times',
  ),
  // The same messages by direction, so that checks need no condition on it.
  sent: namesOf(
    'to:phones type:types status:statuses text template:names language variables media_url:media interactive:objects error:errors rule message_id:ids batch_id:ids at:times',
  ),
  received: namesOf('from:phones type:types text media_url:media interactive:objects rule message_id:ids at:times'),
  templates: namesOf('name:names category:categories language status:templates rejection_reason body'),
  otps: namesOf('to:phones state:otps attempts_left:left template:names otp_id:ids at:times'),
  events: namesOf(
    'type:events id:ids message_id:ids to from:phones status:reported template:names name data:objects at:times',
  ),
};
export type ExpectSubject = keyof typeof FIELDS_BY_SUBJECT;
export const SUBJECTS = Object.keys(FIELDS_BY_SUBJECT) as ExpectSubject[];
