/**
 * The data of events that a caller composes: on demand, or by a step of a timeline. It matches `webhooks` in the
 * document; a test compares them. Each message continues "must be".
 */
import { z } from 'zod';
import { type EventType, languageForm, templateNameForm } from './words.js';

export interface DataFault {
  readonly path: readonly string[];
  readonly kind: 'missing' | 'unknown' | 'wrong';
  /** A text to follow "must be"; for an unknown field, the known fields. */
  readonly allowed: string;
  readonly words: readonly string[];
  readonly found: unknown;
}

const text = z.string('a text');
const form = (pattern: RegExp, allowed: string) => z.string(allowed).regex(pattern, allowed);
const oneOf = (...words: string[]) => z.enum(words, `one of ${words.join(', ')}`);

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

const failure = z.strictObject(
  {
    code: form(/^[a-z][a-z0-9_]*$/, 'a name in snake_case, such as undeliverable'),
    message: z.string('a text of at least 1 character').min(1, 'a text of at least 1 character'),
    channel_code: z.number('a whole number or null').refine(Number.isInteger, 'a whole number or null').nullable(),
  },
  'an object with code, message and channel_code, or null',
);

const fieldsOf = {
  'message.received': {
    message_id: uuid,
    wamid,
    from: phone,
    to: text,
    type: oneOf('text', 'image', 'document', 'interactive'),
    text,
    media_url: text,
    interactive: z.looseObject({ id: text, title: text }, 'an object with id and title'),
    profile_name: text,
    timestamp,
  },
  'message.status': {
    message_id: uuid,
    wamid,
    to: phone,
    type: oneOf('text', 'image', 'document', 'interactive', 'template'),
    status: oneOf('sent', 'delivered', 'read', 'failed'),
    error: failure.nullable(),
    timestamp,
  },
  'otp.verified': { otp_id: uuid, to: phone, verified_at: timestamp },
  'template.status': {
    template_id: uuid,
    name: templateName,
    language: form(languageForm, 'a BCP-47 language code such as en, pt-BR or zh-Hans-CN'),
    category: oneOf('marketing', 'utility', 'authentication'),
    status: oneOf('approved', 'rejected'),
    rejection_reason: z.string('a text or null').nullable(),
    timestamp,
  },
} satisfies Record<EventType, Record<string, z.ZodType>>;

export function dataFields(type: EventType): readonly string[] {
  return Object.keys(fieldsOf[type]);
}

/** Missing fields are generated, and valid. */
export function faultsOfData(type: EventType, given: object, allowsUnknown: boolean): DataFault[] {
  const fields: Readonly<Record<string, z.ZodType>> = fieldsOf[type];
  const words = Object.keys(fields);
  return Object.entries(given).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined && !allowsUnknown) {
      return [{ path: [name], kind: 'unknown' as const, allowed: words.join(', '), words, found: value }];
    }
    return (field?.safeParse(value).error?.issues ?? []).flatMap((issue) => faultsOf(issue, name, value));
  });
}

function faultsOf(issue: z.core.$ZodIssue, name: string, value: unknown): DataFault[] {
  const path = [name, ...issue.path.map(String)];
  const found = issue.path.reduce((at, part) => (at as Record<PropertyKey, unknown>)[part], value);
  if (issue.code !== 'unrecognized_keys') {
    const words = issue.code === 'invalid_value' ? issue.values.map(String) : [];
    return [{ path, kind: found === undefined ? 'missing' : 'wrong', allowed: issue.message, words, found }];
  }
  const words = Object.keys(failure.shape);
  return issue.keys.map((key) => ({
    path: [...path, key],
    kind: 'unknown',
    allowed: words.join(', '),
    words,
    found: (found as Record<string, unknown>)[key],
  }));
}
