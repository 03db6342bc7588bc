/** What the application under test has to do, as a scenario writes it, and the fields that it may name. */
import type { Matcher } from './rules.js';
import type { DurationText } from './slots.js';

export const EXPECT_SUBJECTS = [
  'requests',
  'webhooks',
  'attempts',
  'deliveries',
  'messages',
  'templates',
  'otps',
  'events',
] as const;
export type ExpectSubject = (typeof EXPECT_SUBJECTS)[number];

/** At least one of the judgements stands; where several stand, all must hold. */
export interface Expectation {
  /** `finish`, or an offset from activation. */
  at: DurationText;
  that: ExpectSubject;
  /** Fields of the records and the conditions on them; a dotted name reaches inside (`error.code`). */
  where?: Record<string, Matcher>;
  count?: number;
  min?: number;
  max?: number;
  /** Conditions that every found record must meet; nothing found fails. */
  has?: Record<string, Matcher>;
  /** Conditions met by different records in this order. */
  in_order?: Record<string, Matcher>[];
  /** Every attempt or request found ended with this status, or one of these: `2xx`, `[401, 403]`. */
  answered?: string | string[];
  /** At most this many of the found records repeat an earlier one. */
  duplicates?: number;
  /** What a failure means, shown with the verdict. */
  because?: string;
}

/** The fields of the records of each kind; a dotted name may reach deeper into the ones that hold objects. */
export const FIELDS_BY_SUBJECT: Readonly<Record<ExpectSubject, readonly string[]>> = {
  requests: [
    'operation',
    'method',
    'path',
    'status',
    'error',
    'rule',
    'to',
    'type',
    'template',
    'batch',
    'request',
    'response',
    'at',
  ],
  webhooks: ['alias', 'url', 'events', 'status', 'pause_reason', 'id'],
  attempts: [
    'alias',
    'url',
    'event',
    'event_id',
    'delivery',
    'number',
    'status',
    'error',
    'rule',
    'to',
    'message_id',
    'message_status',
    'at',
  ],
  deliveries: ['alias', 'url', 'event', 'event_id', 'state', 'attempts', 'rule', 'to', 'message_id', 'message_status'],
  messages: [
    'direction',
    'to',
    'type',
    'status',
    'text',
    'template',
    'language',
    'variables',
    'media_url',
    'interactive',
    'error',
    'rule',
    'message_id',
    'batch_id',
    'at',
  ],
  templates: ['name', 'category', 'language', 'status', 'rejection_reason', 'body'],
  otps: ['to', 'state', 'attempts_left', 'template', 'otp_id'],
  events: ['type', 'id', 'message_id', 'to', 'from', 'status', 'template', 'name', 'data', 'at'],
};
