import { z } from 'zod';
import { isObject } from '../domain/json.js';
import type { Misfit, Unchecked } from './about.js';
import { statesSchema } from './application.js';
import { isOfCommand } from './calls.js';
import { FIELDS_BY_SUBJECT, SUBJECTS, type ExpectSubject } from './hooks.js';
import { anyText, choice, integer, list, misplaced, object, optional, record, text } from './kit.js';
import { matcherSchema, urlSchema, type Matcher } from './match.js';
import { DurationError } from '../time/duration.js';
import { offsetsIn } from './durations.js';
import {
  alias,
  clockTime,
  durationOrRetryAfter,
  judgementTime,
  length,
  plainDuration,
  type ClockTime,
} from './texts.js';

const DAYTIME = /^(?:[01]\d|2[0-3]):[0-5]\d\.\.(?:[01]\d|2[0-3]):[0-5]\d$/;
const reversed = { code: 'out_of_range', message: 'This range ends before it begins, so no record is in it.' };
const timeText = text({
  allowed: 'a range of offsets from activation such as +1h..+2h, or a text such as 2026-03-01T09:*',
  maxLength: 1024,
  check(value) {
    if (!/^\+|\.\./.test(value)) return undefined;
    try {
      const { fromMs, toMs } = offsetsIn(value) ?? {};
      if (fromMs !== undefined && toMs !== undefined) return toMs < fromMs ? reversed : undefined;
    } catch (error) {
      if (!(error instanceof DurationError)) throw error;
    }
    return { code: 'wrong_form', message: 'This is not a range of offsets.' };
  },
  meant: (value) => [
    value.replace('-', '..'),
    ...(/^\+[^.-]+$/.test(value) ? [`${value}..`] : []),
    value.replace(/^(.*)\.\.(.*)$/, (_range, from: string, to: string) => `+${to.replace('+', '')}..${from}`),
  ],
});
const emptyDaytime = { code: 'out_of_range', message: 'This range is empty, because its end is not included.' };

/** `9:00 - 5pm` → `09:00..17:00`; undefined without two times. */
function meantDaytime(value: string): string | undefined {
  const times = [...value.matchAll(/(\d{1,2})(?::(\d\d))?(?::\d\d)?\s*([ap]m)?/gi)].map(
    ([, hours, minutes = '00', half = '']) => {
      const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
      return `${String(hour).padStart(2, '0')}:${minutes}`;
    },
  );
  return times.length === 2 ? times.join('..') : undefined;
}

const times = object(
  {
    clock: optional(
      text({
        allowed: 'a range of the day in UTC such as "22:00..08:00"',
        pattern: DAYTIME,
        check: (value) => (new Set(value.split('..')).size === 1 ? emptyDaytime : undefined),
        meant: meantDaytime,
      }),
      'Range of times of the day, in UTC, such as `22:00..08:00`. The end is not included.',
    ),
    not: optional(timeText, 'The time is not in this range.'),
  },
  { name: 'Times', exactlyOne: ['clock', 'not'], example: '{ clock: "22:00..08:00" }' },
);
const time = choice<Matcher>([timeText, times, list(choice<Matcher>([timeText, times]), 1, 50)]);
const fields = record(matcherSchema, { max: 50, example: 'text' }, { path: urlSchema, url: urlSchema, at: time });
const evaluated = choice<string | ClockTime>([judgementTime, clockTime], {
  allowed: 'finish, an offset from activation such as +24h2m, or { clock: "09:00" }',
  example: 'finish',
});
/** Records that have a time; the others have only a current state. */
const TIMED_SUBJECTS = SUBJECTS.filter((subject) => FIELDS_BY_SUBJECT[subject].has('at'));

const nounsOf = (subject: ExpectSubject): string =>
  subject === 'sent' || subject === 'received' ? `${subject} messages` : subject;

const amount = integer(0, 1_000_000_000, 1);
const spacing = object(
  {
    min: optional(
      durationOrRetryAfter,
      'Minimum time between two consecutive records. `retry_after`: a request is repeated only after the time in the header `Retry-After` of the previous response.',
    ),
    max: optional(plainDuration, 'Maximum time between two consecutive records.'),
    per: optional(z.enum(['phone']), '`phone`: compares only records of the same number. Default: all records.'),
  },
  { atLeastOne: ['min', 'max'], short: ['min'] },
);
/** One of the two is required. `retry_after` is as long as the Retry-After header of the earlier response. */
export type Spacing = z.output<typeof spacing>;

const timeOfCheck =
  'Time of the check, such as `+5m` or `{ clock: "09:00" }`. `finish`: the time at which the verdict is requested.';
const because = optional(
  anyText('A late code must not be tried again.', 1000),
  'Explanation, shown if the check fails.',
);

const stateExpectation = object(
  {
    id: optional(alias, 'Name of the check, for other checks.'),
    at: evaluated.describe(timeOfCheck),
    state: statesSchema.describe(
      "Maps each path to its expected value. The path `/orders/42#status` is the field `status` of the JSON at `/orders/42`, and `/orders/42#lines.0.sku` is the field `sku` of the first entry of its list `lines`. The path `stdout#sent` is the field `sent` of the JSON that the command prints as its last line. The value `null` means that the field is missing, or that the response is not 2xx. The value `'*'` stands for any other value, and `{ not: paid }` for any but `paid` that is not missing.",
    ),
    max: optional(z.literal(0), '`0`: the application must return another value.'),
    because,
  },
  {
    name: 'StateExpectation',
    check: ({ at, state }) =>
      at !== 'finish' &&
      Object.keys(state).some(isOfCommand) &&
      misplaced('at', 'A command reports its state in its last line, so there is none before it ends.', 'finish'),
  },
);
export type StateExpectation = z.output<typeof stateExpectation>;

/** A condition on a field that no record has would pass or fail for the wrong reason. */
function fieldFaults({ that, where, has, in_order: order }: Unchecked): Misfit[] {
  const subject = SUBJECTS.find((name) => name === that);
  if (subject === undefined) return [];
  const words = [...FIELDS_BY_SUBJECT[subject].keys()];
  const faultsIn = (set: unknown, at: readonly (string | number)[]): Misfit[] =>
    Object.keys(isObject(set) ? set : {}).flatMap((key) => {
      if (words.includes(key.split('.')[0] ?? '')) return [];
      const found = key.slice(0, 80);
      const message = `${nounsOf(subject)} have no field "${found}".`;
      return [{ at: [...at, key], onKey: true, code: 'unknown_field', message, found, words }];
    });
  const ordered = Array.isArray(order) ? order.flatMap((set, index) => faultsIn(set, ['in_order', index])) : [];
  return [...faultsIn(where, ['where']), ...faultsIn(has, ['has']), ...ordered];
}

const recordExpectation = object(
  {
    id: optional(alias, 'Name of the check, for other checks.'),
    at: evaluated.describe(timeOfCheck),
    that: z
      .enum(SUBJECTS)
      .describe(
        'Kind of record to check. `sent`: messages of the application. `received`: messages of customers. `messages`: both. `otps`: one-time codes.',
      ),
    where: optional(
      fields,
      'Conditions on fields that select records. The field `at` can have a range, such as `+1h..+2h` or `{ clock: "22:00..08:00" }`. Default: all records.',
    ),
    after: optional(
      alias,
      'Id of a step or of another check. With a step: only records after the step began. With a check: only records after the first record that the other check selects. If the step has not begun, or the other check selects no record, the check with `after` fails.',
    ),
    before: optional(
      alias,
      'Id of a step or of another check. With a step: only records before the step began. With a check: only records before the first record that the other check selects. If the step has not begun, or the other check selects no record, the check with `before` fails.',
    ),
    by: optional(
      length,
      'Time limit. With `after`: only records within this time after the step or check. With `before`, but without `after`: only records within this time before the step or check. With neither: only records within this time after activation.',
    ),
    count: optional(amount, 'Exact number of records.'),
    // Every number is at least 0.
    min: optional(integer(1, 1_000_000_000, 1), 'Minimum number of records.'),
    max: optional(amount, 'Maximum number of records.'),
    has: optional(fields, 'Conditions that every record must meet. At least one record must exist.'),
    in_order: optional(
      list(fields, 1, 1000),
      'List of conditions. The check passes if different records meet them, in this order.',
    ),
    duplicate: optional(
      amount,
      'Maximum number of records that repeat an earlier record. `0`: no record repeats another.',
    ),
    spacing: optional(spacing, 'Time between consecutive records.'),
    because,
  },
  {
    name: 'Expectation',
    example: '{ at: finish, that: requests, where: { operation: otp.verify }, max: 3 }',
    atLeastOne: ['count', 'min', 'max', 'has', 'in_order', 'duplicate', 'spacing'],
    checkKeys: fieldFaults,
    keywords: {
      allOf: SUBJECTS.map((subject) => {
        const propertyNames = { pattern: `^(?:${[...FIELDS_BY_SUBJECT[subject].keys()].join('|')})(?:\\..*)?$` };
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
            `${nounsOf(value.that)} are checked in their current state, so they have no time to compare.`,
            `that: ${TIMED_SUBJECTS.join(', ')}`,
          ),
      ),
      value.spacing?.min === 'retry_after' &&
        value.that !== 'requests' &&
        misplaced(
          'spacing',
          `Only requests have Retry-After, not ${nounsOf(value.that)}.`,
          'that: requests, or a duration',
        ),
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
export type Expectation = z.output<typeof recordExpectation>;

export const expectationSchema = choice<Expectation | StateExpectation>([recordExpectation, stateExpectation]);
