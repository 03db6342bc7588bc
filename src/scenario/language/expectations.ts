/** Expectations as written in a scenario, and the fields that they can name. */
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

/** At least one of the two. */
export interface Spacing {
  /** A duration, or `retry_after`: as long as the Retry-After header of the earlier response. */
  min?: DurationText;
  max?: DurationText;
}

export interface Expectation {
  /** Name of the check, for other checks. */
  id?: string;
  /** `finish`, or an offset from activation. */
  at: DurationText;
  that: ExpectSubject;
  /** Fields of the records and the conditions on them; a dotted name reaches inside (`error.code`). */
  where?: Record<string, Matcher>;
  /** Id of another check: only records after the first one of that check. */
  after?: string;
  before?: string;
  /** Time after that record (before it, with `before` alone), or after the activation. */
  within?: DurationText;
  count?: number;
  min?: number;
  max?: number;
  /** Conditions that every found record must meet; fails if none is found. */
  has?: Record<string, Matcher>;
  /** Conditions that different records meet in this order. */
  in_order?: Record<string, Matcher>[];
  /** Response status of every attempt or request found: `2xx`, `[401, 403]`. */
  answered?: string | string[];
  /** At most this many of the found records repeat an earlier one. */
  duplicates?: number;
  spacing?: Spacing;
  /** What a failure means, shown with the verdict. */
  because?: string;
}

/** Records that have a time; the others have only a current state. */
export const TIMED_SUBJECTS: readonly ExpectSubject[] = [
  'requests',
  'attempts',
  'deliveries',
  'messages',
  'otps',
  'events',
];

/** The fields of the records of each kind; a dotted name reaches into fields that are objects. */
export const FIELDS_BY_SUBJECT: Readonly<Record<ExpectSubject, readonly string[]>> = {
  requests: 'operation method path status error rule to type template batch request response at'.split(' '),
  webhooks: 'alias url events status pause_reason id'.split(' '),
  attempts: 'alias url event event_id delivery number status error rule to message_id message_status at'.split(' '),
  deliveries: 'alias url event event_id state attempts rule to message_id message_status at'.split(' '),
  messages:
    'direction to type status text template language variables media_url interactive error rule message_id batch_id at'.split(
      ' ',
    ),
  templates: 'name category language status rejection_reason body'.split(' '),
  otps: 'to state attempts_left template otp_id at'.split(' '),
  events: 'type id message_id to from status template name data at'.split(' '),
};
