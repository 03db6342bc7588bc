/** An event: one fact. The same bytes are signed, sent and shown. */
import { isoTime } from './instant.js';
import { isObject } from './json.js';
import type { Event, Message, MessageError, Otp, Template } from './rows.js';
import { type EventType, languageForm, type MessageStatus, templateNameForm } from './words.js';

/** Returns the JSON text that every attempt sends, byte for byte. */
export function eventBody({
  id,
  type,
  createdAtMs,
  data,
}: Pick<Event, 'id' | 'type' | 'createdAtMs' | 'data'>): string {
  return JSON.stringify({ id, type, created_at: isoTime(createdAtMs), data });
}

export function messageReceivedData(
  message: Pick<Message, 'id' | 'wamid' | 'customer' | 'type' | 'content'>,
  profileName: string | null,
  atMs: number,
): object {
  const { text, media_url, interactive } = message.content;
  return {
    message_id: message.id,
    wamid: message.wamid,
    from: message.customer,
    to: accountNumber,
    type: message.type,
    ...(text !== undefined && { text }),
    ...(media_url !== undefined && { media_url }),
    ...(interactive !== undefined && { interactive }),
    profile_name: profileName,
    timestamp: isoTime(atMs),
  };
}

export function messageStatusData(
  message: Pick<Message, 'id' | 'wamid' | 'customer' | 'type'>,
  status: MessageStatus,
  error: MessageError | null,
  atMs: number,
): object {
  return {
    message_id: message.id,
    wamid: message.wamid,
    to: message.customer,
    type: message.type,
    status,
    error,
    timestamp: isoTime(atMs),
  };
}

export function otpVerifiedData(otp: Pick<Otp, 'id' | 'to'>, atMs: number): object {
  return { otp_id: otp.id, to: otp.to, verified_at: isoTime(atMs) };
}

export function templateStatusData(
  template: Pick<Template, 'id' | 'name' | 'language' | 'category' | 'status' | 'rejectionReason'>,
  atMs: number,
): object {
  return {
    template_id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    status: template.status,
    rejection_reason: template.rejectionReason,
    timestamp: isoTime(atMs),
  };
}

/** The number that customers write to. An account has one; it is reserved for fiction. */
export const accountNumber = '+12015550100';

/**
 * One field in the data of events that a caller composes: on demand, or by a step of a timeline. It matches `webhooks` in
 * the document; a test compares them.
 */
interface Field {
  /** A text to follow "must be". */
  readonly allowed: string;
  readonly fits: (value: unknown) => boolean;
  /** The allowed words, if there are few. */
  readonly words?: readonly string[];
  /** For an object: its fields, all required. */
  readonly parts?: Fields;
  /** For an object: whether it may have other fields. */
  readonly closed?: boolean;
}

type Fields = Readonly<Record<string, Field>>;

/** An error in the data. */
export interface DataFault {
  /** The path from the data: `error`, `code`. */
  readonly path: readonly string[];
  readonly kind: 'missing' | 'unknown' | 'wrong';
  /** A text to follow "must be"; for an unknown field, the known fields. */
  readonly allowed: string;
  /** The values that the caller probably meant. */
  readonly words: readonly string[];
  readonly found: unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const text: Field = { allowed: 'a text', fits: isText };
const textOrNull: Field = { allowed: 'a text or null', fits: (value) => value === null || isText(value) };

function form(pattern: RegExp, allowed: string): Field {
  return { allowed, fits: (value) => isText(value) && pattern.test(value) };
}

function oneOf(...words: readonly string[]): Field {
  return { allowed: `one of ${words.join(', ')}`, words, fits: (value) => words.some((word) => word === value) };
}

const uuid = form(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'a UUID in its v4 form and lower case, such as 0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90',
);
const wamid = form(
  /^wamid\.[A-Za-z0-9+/]+={0,2}$/,
  'an id of wamid. and base64, such as wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
);
const timestamp = form(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  'an instant in UTC with milliseconds, such as 2026-03-01T09:00:00.000Z',
);
const phone = form(
  /^\+[1-9]\d{6,14}$/,
  'an E.164 number: a plus sign and 7 to 15 digits, the first not 0, such as +12025550101',
);
const templateName = form(
  templateNameForm,
  'a lower-case letter, then up to 511 lower-case letters, digits and underscores, such as order_shipped',
);
const language = form(languageForm, 'a BCP-47 language code such as en, pt-BR or zh-Hans-CN');

const button: Field = { allowed: 'an object with id and title', fits: isObject, parts: { id: text, title: text } };
const failure: Field = {
  allowed: 'an object with code, message and channel_code, or null',
  fits: (value) => value === null || isObject(value),
  closed: true,
  parts: {
    code: form(/^[a-z][a-z0-9_]*$/, 'a name in snake_case, such as undeliverable'),
    message: { allowed: 'a text of at least 1 character', fits: (value) => isText(value) && value !== '' },
    channel_code: {
      allowed: 'a whole number or null',
      fits: (value) => value === null || Number.isInteger(value),
    },
  },
};

const fieldsOf: Readonly<Record<EventType, Fields>> = {
  'message.received': {
    message_id: uuid,
    wamid,
    from: phone,
    to: text,
    type: oneOf('text', 'image', 'document', 'interactive'),
    text,
    media_url: text,
    interactive: button,
    profile_name: text,
    timestamp,
  },
  'message.status': {
    message_id: uuid,
    wamid,
    to: phone,
    type: oneOf('text', 'image', 'document', 'interactive', 'template'),
    status: oneOf('sent', 'delivered', 'read', 'failed'),
    error: failure,
    timestamp,
  },
  'otp.verified': { otp_id: uuid, to: phone, verified_at: timestamp },
  'template.status': {
    template_id: uuid,
    name: templateName,
    language,
    category: oneOf('marketing', 'utility', 'authentication'),
    status: oneOf('approved', 'rejected'),
    rejection_reason: textOrNull,
    timestamp,
  },
};

/** The fields in the data of a type. The data may have others, which receivers have to ignore. */
export function dataFields(type: EventType): readonly string[] {
  return Object.keys(fieldsOf[type]);
}

/** Returns every error in the given data of an event. Missing fields are generated, and valid. */
export function faultsOfData(type: EventType, given: object): DataFault[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const fields = fieldsOf[type];
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field ? faultsOf(field, value, [name]) : [];
  });
}

function faultsOf(
  { allowed, fits, words = [], parts, closed }: Field,
  found: unknown,
  path: readonly string[],
): DataFault[] {
  if (!fits(found)) return [{ path, kind: 'wrong', allowed, words, found }];
  if (parts === undefined || !isObject(found)) return [];
  const names = Object.keys(parts);
  const within = Object.entries(parts).flatMap(([name, part]): DataFault[] => {
    const here = [...path, name];
    if (Object.hasOwn(found, name)) return faultsOf(part, found[name], here);
    return [{ path: here, kind: 'missing', allowed: part.allowed, words: [], found: undefined }];
  });
  if (closed !== true) return within;
  const unknown = Object.keys(found).filter((name) => !names.includes(name));
  return [
    ...within,
    ...unknown.map((name) => {
      const kind = 'unknown' as const;
      return { path: [...path, name], kind, allowed: names.join(', '), words: names, found: found[name] };
    }),
  ];
}
