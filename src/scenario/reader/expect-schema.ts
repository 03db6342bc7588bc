/** Expectations: what the application under test must do. */
import {
  type Expectation,
  type Spacing,
  EXPECT_SUBJECTS,
  FIELDS_BY_SUBJECT,
  TIMED_SUBJECTS,
  type ExpectSubject,
} from '../language/expectations.js';
import { matcherShape, pathShape } from './match-schema.js';
import { stepsFault } from '../engine/regex.js';
import { expectationSteps } from '../engine/expectations.js';
import { parseOffset } from '../engine/ranges.js';
import type { YamlNode } from './yaml-node.js';
import { anyText, integer, oneOf, text } from './scalars.js';
import { byKind, named, type Shape } from './shape.js';
import { record } from './record.js';
import { list, object, optional, required } from './structures.js';
import { meantWords } from './synonyms.js';
import { alias, duration } from './texts.js';
import { meantDurations } from '../../time/meant-duration.js';
import { DurationError } from '../../time/duration.js';

const JUDGEMENTS = ['count', 'min', 'max', 'has', 'in_order', 'answered', 'duplicates', 'spacing'] as const;
/** Keys that compare the times of records. */
const TIMED = ['after', 'before', 'within', 'spacing'] as const;

const when = text({
  allowed: 'finish, or an offset from activation such as +24h2m',
  example: 'finish',
  meant: meantInstant,
  check(value) {
    if (value === 'finish') return undefined;
    try {
      parseOffset(value);
      return undefined;
    } catch (error) {
      if (!(error instanceof DurationError)) throw error;
      return { code: 'bad_duration', message: `This is neither finish nor an offset: ${error.reason}.` };
    }
  },
});

function meantInstant(value: string): string | undefined {
  return meantWords(value, ['finish'])[0] ?? meantDurations(value)[0];
}

const fields = record(matcherShape, {
  max: 50,
  example: 'status',
  check: () => true,
  shapeOf: (key) => (key === 'path' ? pathShape : matcherShape),
});
const amount = integer(0, 1_000_000_000, 1);
const spacingMin: Shape<string> = {
  allowed: `retry_after, or ${duration.allowed}`,
  example: 'retry_after',
  read: (place) => (place.scalarText() === 'retry_after' ? 'retry_after' : duration.read(place)),
  print: (definitions) => ({ anyOf: [{ const: 'retry_after' }, duration.print(definitions)] }),
};
const answer = text({
  allowed: 'an HTTP status, or a class such as 2xx',
  example: '2xx',
  pattern: /^[1-5](?:\d\d|xx)$/,
});

export const expectationShape: Shape<Expectation> = named(
  'Expectation',
  'what the application must do',
  '{ at: finish, that: requests, where: { operation: otp.verify }, max: 3 }',
  () =>
    object<Expectation>(
      {
        id: optional(alias, 'Name of the check, for other checks.'),
        at: required(when, 'When the check is evaluated: an offset from activation, or finish.'),
        that: required(
          oneOf(EXPECT_SUBJECTS),
          'Kind of record. messages has both directions: use direction: outbound for what was sent, inbound for what customers wrote. One-time codes are otps.',
        ),
        where: optional(fields, 'Conditions on fields of the records. Default: all records.'),
        after: optional(
          alias,
          'Id of another check: only records after the first record of that check. If it has none, this check fails.',
        ),
        before: optional(alias, 'Id of another check: only records before the first record of that check.'),
        within: optional(duration, "Only records within this time of the other check's record, or of the activation."),
        count: optional(amount, 'Exactly this many records are found.'),
        min: optional(amount, 'At least this many records are found.'),
        max: optional(amount, 'At most this many records are found.'),
        has: optional(fields, 'Every record found meets these conditions, and there is at least one.'),
        in_order: optional(list(fields, { min: 1, max: 50 }), 'Different records meet these conditions in this order.'),
        answered: optional(
          byKind({ scalar: answer, list: list(answer, { min: 1, max: 20 }) }),
          'requests, attempts: every record found has this response status, or one of a list, and there is at least one.',
        ),
        duplicates: optional(amount, 'At most this many of the records found repeat an earlier one.'),
        spacing: optional(
          object<Spacing>(
            {
              min: optional(
                spacingMin,
                'Least time between two records. retry_after, for requests: a repeated request comes no sooner than Retry-After said.',
              ),
              max: optional(duration, 'Longest time between two records.'),
            },
            { atLeastOne: ['min', 'max'] },
          ),
          'Time from each record found to the next.',
        ),
        because: optional(
          anyText('A late code must not be tried again.', { maxLength: 1000 }),
          'What a failure means. Shown with the verdict.',
        ),
      },
      {
        atLeastOne: JUDGEMENTS,
        checkKeys(placeOf) {
          const written = placeOf('that')?.scalarText();
          const subject = EXPECT_SUBJECTS.find((name) => name === written);
          if (subject === undefined) return;
          const steps = placeOf('in_order')?.items() ?? [];
          for (const place of [placeOf('where'), placeOf('has'), ...steps]) {
            if (place !== undefined) checkFields(subject, place);
          }
        },
        keywords: () => ({
          allOf: EXPECT_SUBJECTS.map((subject) => {
            const propertyNames = { pattern: `^(?:${FIELDS_BY_SUBJECT[subject].join('|')})(?:\\..*)?$` };
            return {
              if: { required: ['that'], properties: { that: { const: subject } } },
              then: {
                properties: {
                  where: { propertyNames },
                  has: { propertyNames },
                  in_order: { items: { propertyNames } },
                },
              },
            };
          }),
        }),
        check(value, place, placeOf) {
          const fault = stepsFault(expectationSteps(value), 'an expectation');
          if (fault) place.report(fault);
          for (const key of TIMED) {
            if (value[key] === undefined || TIMED_SUBJECTS.includes(value.that)) continue;
            const message = `${value.that} are checked in their current state, so they have no time to compare.`;
            placeOf(key).report({ code: 'misplaced_key', message, allowed: `that: ${TIMED_SUBJECTS.join(', ')}` });
          }
          if (value.spacing?.min === 'retry_after' && value.that !== 'requests') {
            const message = `Only requests have Retry-After, not ${value.that}.`;
            placeOf('spacing').report({ code: 'misplaced_key', message, allowed: 'that: requests, or a duration' });
          }
          if (value.answered !== undefined && value.that !== 'requests' && value.that !== 'attempts') {
            const message = `Only requests and attempts have a response, not ${value.that}.`;
            placeOf('answered').report({
              code: 'misplaced_key',
              message,
              allowed: 'that: requests or that: attempts',
            });
          }
          if (value.min !== undefined && value.max !== undefined && value.min > value.max) {
            const message = 'min must not be greater than max.';
            placeOf('min').report({ code: 'out_of_range', message, allowed: `at most ${value.max}` });
          }
        },
      },
    ),
);

/** Reports conditions on fields that no record has: they would pass or fail for the wrong reason. */
function checkFields(subject: ExpectSubject, place: YamlNode): void {
  const words = FIELDS_BY_SUBJECT[subject];
  for (const { key, keyPlace } of place.entries()) {
    if (words.includes(key.split('.')[0] ?? '')) continue;
    const message = `${subject} have no field "${key.slice(0, 80)}".`;
    keyPlace.report({ code: 'unknown_field', message, found: key.slice(0, 80), words });
  }
}
