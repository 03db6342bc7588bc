/** The forms of the values in the records of a snapshot, by field. Their types have already been checked. */
import { isInstant } from '../../domain/instant.js';
import { messageTypes } from '../../domain/message.js';
import { isPhone } from '../../domain/phone.js';
import { placeholderProblem, templateCategories, templateNameForm } from '../../domain/template.js';
import { traceparentForm } from '../../domain/trace.js';
import { isObject } from '../schema/check.js';
import type { TableName } from '../tables/account-data.js';

export interface FieldRule {
  readonly fits: (value: unknown) => boolean;
  /** To follow "must be". */
  readonly expected: string;
}

const form = (pattern: RegExp, expected: string): FieldRule => ({
  fits: (value) => typeof value === 'string' && pattern.test(value),
  expected,
});
const within = (least: number, most: number, expected: string): FieldRule => ({
  fits: (value) => typeof value === 'number' && value >= least && value <= most,
  expected,
});
const wordOf = (words: readonly string[]): FieldRule => ({
  fits: (value) => words.includes(value as string),
  expected: `one of ${words.join(', ')}`,
});

const uuid = form(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a UUID in lower case');
const eventId = form(/^evt_[A-Za-z0-9_-]+$/, 'an id such as evt_4kJ2');
const wamid = form(/^wamid\.[^\s]+$/, 'an id of the channel, which starts with "wamid."');
const numbered = (prefix: string): FieldRule => form(new RegExp(`^${prefix}_[0-9a-f]+$`), `an id such as ${prefix}_12`);
const phone: FieldRule = {
  fits: (value) => typeof value === 'string' && isPhone(value),
  expected: 'a phone number such as +12025550110',
};
const language = form(
  /^([A-Za-z]{2,8}|[XxIi][-_][A-Za-z0-9]{1,8})([-_][A-Za-z0-9]{1,8})*$/,
  'a BCP-47 language tag such as en or pt-BR',
);
const templateName = form(templateNameForm, 'a template name such as order_shipped');
const traceparent = form(traceparentForm, 'a traceparent of W3C Trace Context');
const oneLine = form(/^\P{Cc}+$/u, 'a text of one line');
const url = form(/^https?:\/\/[^\s/?#]+\S*$/i, 'an absolute URL');
const method = form(/^[A-Z-]+$/, 'an HTTP method');
const requestPath = form(/^\//, 'a path that starts with /');
const errorCode = form(/^[a-z][a-z0-9_]*$/, 'an error code such as not_found');
const httpStatus: FieldRule = {
  fits: (value) => Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599,
  expected: 'an HTTP status from 100 to 599',
};
const instant: FieldRule = { fits: isInstant, expected: 'milliseconds since 1970, in the years 0 to 9999' };
/** From 2^52 on, the account would soon exceed the exact whole numbers. */
const place = within(1, 2 ** 52, 'a whole number of at least 1');
const duration = within(0, Infinity, 'a number of milliseconds of at least 0');
const anObject: FieldRule = { fits: isObject, expected: 'an object' };

/** An event as sent: its text is parsed whenever it is shown. */
const eventBody: FieldRule = {
  fits: (value) => {
    try {
      const event: unknown = JSON.parse(value as string);
      return isObject(event) && isObject(event.data);
    } catch {
      return false;
    }
  },
  expected: 'the JSON text of an event, with its data',
};
const templateText: FieldRule = {
  fits: (value) => placeholderProblem(value as string) === null,
  expected: 'a text with placeholders {{1}}, {{2}} and so on, without gaps',
};
/** The content of a message with buttons, or the button that a customer tapped. */
const interactive: FieldRule = {
  fits: (value) => isObject(value) && (Array.isArray(value.buttons) ? isText(value.body) : isButton(value)),
  expected: 'an object with body and buttons, or with id and title',
};
const button: FieldRule = { fits: (value) => isButton(value), expected: 'an object with id and title' };
const judgement: FieldRule = {
  fits: (value) =>
    isObject(value) &&
    typeof value.passed === 'boolean' &&
    [value.at, value.that, value.expected, value.found].every(isText),
  expected: 'an object with passed, at, that, expected and found',
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isButton(value: unknown): boolean {
  return isObject(value) && isText(value.id) && isText(value.title);
}

const made = { seq: place, createdAtMs: instant };
const templateFields = { language, name: templateName };

/** By table, then by field: `history[].atMs` is a field of each item of a list. */
export const rowRules: Partial<Record<TableName, Readonly<Record<string, FieldRule>>>> = {
  messages: {
    ...made,
    id: uuid,
    wamid,
    customer: phone,
    type: wordOf(messageTypes),
    'content.interactive': interactive,
    'content.interactive.buttons[]': button,
    'content.template.id': uuid,
    'content.template.name': templateName,
    'content.template.language': language,
    'content.template.category': wordOf(templateCategories),
    'content.template.buttons[]': anObject,
    'error.code': errorCode,
    'history[].atMs': instant,
    batchId: uuid,
    otpId: uuid,
    traceparent,
  },
  templates: {
    ...made,
    ...templateFields,
    id: uuid,
    body: templateText,
    'buttons[]': anObject,
    'history[].atMs': instant,
    approvedSeq: place,
    traceparent,
  },
  otps: {
    ...made,
    id: uuid,
    to: phone,
    code: form(/^\d{4,8}$/, 'four to eight digits'),
    maxAttempts: place,
    expiresAtMs: instant,
    verifiedAtMs: instant,
    traceparent,
  },
  customers: { seq: place, id: phone, lastInboundAtMs: instant, windowClosesAtMs: instant },
  endpoints: {
    ...made,
    id: uuid,
    alias: oneLine,
    secret: form(/^whsec_[!-~]+$/, 'a secret that starts with "whsec_"'),
    updatedAtMs: instant,
    failingSinceMs: instant,
  },
  events: { ...made, id: eventId, body: eventBody, subject: oneLine },
  deliveries: {
    ...made,
    id: uuid,
    url,
    nextAttemptAtMs: instant,
    failingSinceMs: instant,
    'holdUntil.status': wordOf(['sent', 'delivered', 'read', 'failed']),
  },
  attempts: {
    seq: place,
    id: numbered('att'),
    number: place,
    atMs: instant,
    status: httpStatus,
    durationMs: duration,
    step: place,
    sentTo: url,
    'request.url': url,
  },
  jobs: { seq: place, id: numbered('job'), subject: oneLine, dueMs: instant },
  requests: {
    seq: place,
    id: numbered('req'),
    atMs: instant,
    method,
    // The target as received: a client of a proxy sends the whole URL.
    path: oneLine,
    status: httpStatus,
    durationMs: duration,
    error: errorCode,
  },
  scenarios: { seq: place, name: oneLine, activatedAtMs: instant, id: wordOf(['active']) },
  rules: { seq: place, id: oneLine, addedAtMs: instant },
  counters: { seq: place, id: oneLine },
  ruleHits: { seq: place, id: oneLine, hits: place, atMs: instant },
  judgements: { seq: place, id: form(/^expect\[\d+\]$/, 'an id such as expect[0]'), judgement },
  sinks: { seq: place, id: oneLine },
  sinkRequests: { seq: place, id: numbered('sink'), atMs: instant, method, path: requestPath, answered: httpStatus },
};

export const metaRules: Readonly<Record<string, FieldRule>> = {
  createdAtMs: instant,
  seq: within(0, 2 ** 52, 'a whole number of at least 0'),
  nowMs: instant,
  'clock.baseMs': instant,
  'clock.anchorMs': instant,
  'clock.scale': within(Number.MIN_VALUE, 1_000_000, 'above 0, at most 1000000'),
  'clock.quietMs': within(1, 60_000, 'a whole number from 1 to 60000'),
};
