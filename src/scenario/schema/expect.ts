/** Expectations: what the application under test must do, and the fields of records that they can name. */
import { misplaced, object, optional, required, type Unchecked, record } from './mappings.js';
import { isPlain, type Misfit, type ValueOf } from './kit.js';
import { anyText, choice, integer, list, oneOf } from './values.js';
import { oldWords } from './old-words.js';
import { statesSchema } from './application.js';
import { channelErrors } from '../../domain/errors.js';
import { deliveryStates, messageStatuses } from '../../domain/words.js';
import { matcherSchema, urlSchema } from './match.js';
import {
  operationHooks,
  categories,
  events,
  httpStatuses,
  methods,
  reportedStatuses,
  statusesOfTemplates,
  types,
  words,
  type Words,
} from './hooks.js';
import { plainDuration, durationOrRetryAfter, judgementTime } from './durations.js';
import { alias } from './texts.js';

type Fields = Readonly<Record<string, Words | undefined>>;

/** @param words the possible values of those fields that have a list */
function fieldsOf(names: string, words: Readonly<Record<string, Words>>): Fields {
  return Object.fromEntries(names.split(' ').map((name) => [name, words[name]]));
}

/** The fields of the records of each kind; a dotted name reaches into fields that are objects. */
export const FIELDS_BY_SUBJECT = {
  requests: fieldsOf('operation method path status error rule to type template batch request response at', {
    operation: words(...operationHooks),
    method: methods,
    status: httpStatuses,
    type: types,
  }),
  webhooks: fieldsOf('alias url events status pause_reason id', { events, status: words('active', 'paused') }),
  attempts: fieldsOf('alias url event event_id delivery number status error rule to message_id message_status at', {
    event: events,
    status: httpStatuses,
    message_status: reportedStatuses,
  }),
  deliveries: fieldsOf('alias url event event_id state attempts rule to message_id message_status at', {
    event: events,
    state: words(...deliveryStates),
    message_status: reportedStatuses,
  }),
  messages: fieldsOf(
    'direction to type status text template language variables media_url interactive error rule message_id batch_id at',
    {
      direction: words('inbound', 'outbound'),
      type: types,
      status: words(...messageStatuses, 'received'),
      error: words(...channelErrors.map(({ code }) => code)),
    },
  ),
  templates: fieldsOf('name category language status rejection_reason body', {
    category: categories,
    status: statusesOfTemplates,
  }),
  otps: fieldsOf('to state attempts_left template otp_id at', {
    state: words('active', 'verified', 'locked', 'expired'),
  }),
  events: fieldsOf('type id message_id to from status template name data at', {
    type: events,
    status: reportedStatuses,
  }),
} as const;
export type ExpectSubject = keyof typeof FIELDS_BY_SUBJECT;

const SUBJECTS = Object.keys(FIELDS_BY_SUBJECT) as ExpectSubject[];
/** Records that have a time; the others have only a current state. */
const TIMED_SUBJECTS = SUBJECTS.filter((subject) => 'at' in FIELDS_BY_SUBJECT[subject]);

/** Returns the possible values of a field; undefined if there is no list. */
export function wordsOfField(subject: ExpectSubject, field: string): Words | undefined {
  const fields: Fields = FIELDS_BY_SUBJECT[subject];
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

const fields = record(matcherSchema, {
  max: 50,
  example: 'status',
  special: { path: urlSchema, url: urlSchema },
});
const amount = integer(0, 1_000_000_000, 1);
const spacing = object(
  {
    min: optional(
      durationOrRetryAfter,
      'Minimum time between two records. retry_after, for requests: a repeated request does not come before the end of Retry-After.',
    ),
    max: optional(plainDuration, 'Maximum time between two records.'),
  },
  { atLeastOne: ['min', 'max'] },
);
/** At least one of the two. `retry_after` is as long as the Retry-After header of the earlier response. */
export type Spacing = ValueOf<typeof spacing>;

const because = optional(
  anyText('A late code must not be tried again.', { maxLength: 1000 }),
  'What a failure means. Shown with the verdict.',
);

const stateExpectation = object(
  {
    id: optional(alias, 'Name of the check.'),
    at: required(judgementTime, 'When the state is read: an offset from activation, or finish.'),
    state: required(
      statesSchema,
      'Values that the application itself shows over HTTP, by path; each must be equal. null: no 2xx response.',
    ),
    because,
  },
  {
    name: 'StateExpectation',
    allowed: 'a state of the application',
    example: '{ at: finish, state: { "/orders/42#status": paid } }',
  },
);
/** A check of the application's own state. */
export type StateExpectation = ValueOf<typeof stateExpectation>;

/** Reports conditions on fields that no record has: they would pass or fail for the wrong reason. */
function fieldFaults({ that, where, has, in_order: order }: Unchecked): Misfit[] {
  const subject = SUBJECTS.find((name) => name === that);
  if (subject === undefined) return [];
  const words = Object.keys(FIELDS_BY_SUBJECT[subject]);
  const faultsIn = (set: unknown, at: readonly (string | number)[]): Misfit[] =>
    Object.keys(isPlain(set) ? set : {}).flatMap((key) => {
      if (words.includes(key.split('.')[0] ?? '')) return [];
      const found = key.slice(0, 80);
      const message = `${subject} have no field "${found}".`;
      return [{ at: [...at, key], onKey: true, code: 'unknown_field', message, found, words }];
    });
  const ordered = Array.isArray(order) ? order.flatMap((set, index) => faultsIn(set, ['in_order', index])) : [];
  return [...faultsIn(where, ['where']), ...faultsIn(has, ['has']), ...ordered];
}

const recordExpectation = object(
  {
    id: optional(alias, 'Name of the check, for other checks.'),
    at: required(judgementTime, 'When the check is evaluated: an offset from activation, or finish.'),
    that: required(
      oneOf(SUBJECTS),
      'Kind of record. messages has both directions: use direction: outbound for what was sent, inbound for what customers wrote. One-time codes are otps.',
    ),
    where: optional(fields, 'Conditions on fields of the records. Default: all records.'),
    after: optional(
      alias,
      'Id of another check: only records after the first record of that check. If it has none, this check fails.',
    ),
    before: optional(alias, 'Id of another check: only records before the first record of that check.'),
    by: optional(plainDuration, "Only records within this time of the other check's record, or of the activation."),
    count: optional(amount, 'Exactly this many records are found.'),
    min: optional(amount, 'At least this many records are found.'),
    max: optional(amount, 'At most this many records are found.'),
    has: optional(fields, 'Every record found meets these conditions, and there is at least one.'),
    in_order: optional(list(fields, { min: 1, max: 50 }), 'Different records meet these conditions in this order.'),
    duplicate: optional(amount, 'At most this many of the records found repeat an earlier one.'),
    spacing: optional(spacing, 'Time from each record found to the next.'),
    because,
  },
  {
    name: 'Expectation',
    allowed: 'what the application must do',
    example: '{ at: finish, that: requests, where: { operation: otp.verify }, max: 3 }',
    old: oldWords.expectation,
    atLeastOne: ['count', 'min', 'max', 'has', 'in_order', 'duplicate', 'spacing'],
    checkKeys: fieldFaults,
    keywords: {
      allOf: SUBJECTS.map((subject) => {
        const propertyNames = { pattern: `^(?:${Object.keys(FIELDS_BY_SUBJECT[subject]).join('|')})(?:\\..*)?$` };
        const properties = {
          where: { propertyNames },
          has: { propertyNames },
          in_order: { items: { propertyNames } },
        };
        return { if: { required: ['that'], properties: { that: { const: subject } } }, then: { properties } };
      }),
    },
    check: (value) => [
      ...(['after', 'before', 'by', 'spacing'] as const).map(
        (key) =>
          value[key] !== undefined &&
          !TIMED_SUBJECTS.includes(value.that) &&
          misplaced(
            key,
            `${value.that} are checked in their current state, so they have no time to compare.`,
            `that: ${TIMED_SUBJECTS.join(', ')}`,
          ),
      ),
      value.spacing?.min === 'retry_after' &&
        value.that !== 'requests' &&
        misplaced('spacing', `Only requests have Retry-After, not ${value.that}.`, 'that: requests, or a duration'),
      value.min !== undefined &&
        value.max !== undefined &&
        value.min > value.max && {
          at: 'min',
          code: 'out_of_range',
          message: 'min must not be greater than max.',
          allowed: `at most ${value.max}`,
        },
    ],
  },
);
/** A check of what the sandbox has recorded. */
export type Expectation = ValueOf<typeof recordExpectation>;

export const expectationSchema = choice<Expectation | StateExpectation>([recordExpectation, stateExpectation]);

/** Whether a check reads the application, not the records of the sandbox. */
export const readsApplication = (expectation: Expectation | StateExpectation): expectation is StateExpectation =>
  'state' in expectation;

/** Returns the checks of records. */
export function onRecords(checks: readonly (Expectation | StateExpectation)[]): Expectation[] {
  return checks.flatMap((check) => (readsApplication(check) ? [] : [check]));
}
