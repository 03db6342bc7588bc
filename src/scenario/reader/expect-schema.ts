/** What the application under test had to do. */
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
/** Only what happened at an instant comes before or after something. */
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
  allowed: 'an HTTP status or a class of them',
  example: '2xx',
  pattern: /^[1-5](?:\d\d|xx)$/,
});

export const expectationShape: Shape<Expectation> = named(
  'Expectation',
  'what the application had to do',
  '{ at: finish, that: requests, where: { operation: otp.verify }, max: 3 }',
  () =>
    object<Expectation>(
      {
        id: optional(alias, 'What other checks call it.'),
        at: required(when, 'When it is judged: at an offset from activation, or when the scenario is finished.'),
        that: required(
          oneOf(EXPECT_SUBJECTS),
          'What is looked at. messages holds both directions: name direction: outbound for what was sent, inbound for what customers wrote. One-time codes are otps.',
        ),
        where: optional(fields, 'Which of them: fields and conditions. Default all.'),
        after: optional(
          alias,
          'The id of another check: only those that came after the first record that it is about. When there is none, this fails.',
        ),
        before: optional(alias, 'The id of another check: only those that came before its first record.'),
        within: optional(duration, 'Only those that came within this time: of the other check, or of the activation.'),
        count: optional(amount, 'Exactly this many are found.'),
        min: optional(amount, 'At least this many are found.'),
        max: optional(amount, 'At most this many are found.'),
        has: optional(fields, 'Every one found meets these conditions, and there is one.'),
        in_order: optional(
          list(fields, { min: 1, max: 50 }),
          'Among those found, different ones meet these conditions one after the other.',
        ),
        answered: optional(
          byKind({ scalar: answer, list: list(answer, { min: 1, max: 20 }) }),
          'requests, attempts: every one found was answered like this, or like one of a list, and there is one.',
        ),
        duplicates: optional(amount, 'At most this many of those found repeat an earlier one.'),
        spacing: optional(
          object<Spacing>(
            {
              min: optional(
                spacingMin,
                'They are at least so far apart. retry_after, for requests: a repeated request comes no sooner than Retry-After said.',
              ),
              max: optional(duration, 'They are at most so far apart.'),
            },
            { atLeastOne: ['min', 'max'] },
          ),
          'The time from each one found to the next.',
        ),
        because: optional(
          anyText('A late code must not be tried again.', { maxLength: 1000 }),
          'What it means when this fails.',
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
            const message = `${value.that} are judged as they are, so there is no time to compare.`;
            placeOf(key).report({ code: 'misplaced_key', message, allowed: `that: ${TIMED_SUBJECTS.join(', ')}` });
          }
          if (value.spacing?.min === 'retry_after' && value.that !== 'requests') {
            const message = `Only requests are answered with Retry-After, not ${value.that}.`;
            placeOf('spacing').report({ code: 'misplaced_key', message, allowed: 'that: requests, or a duration' });
          }
          if (value.answered !== undefined && value.that !== 'requests' && value.that !== 'attempts') {
            const message = `Only requests and attempts are answered, not ${value.that}.`;
            placeOf('answered').report({
              code: 'misplaced_key',
              message,
              allowed: 'that: requests or that: attempts',
            });
          }
          if (value.min !== undefined && value.max !== undefined && value.min > value.max) {
            const message = 'This can never hold: min is above max.';
            placeOf('min').report({ code: 'out_of_range', message, allowed: `at most ${value.max}` });
          }
        },
      },
    ),
);

/** A condition on a field that no record has would pass or fail for the wrong reason. */
function checkFields(subject: ExpectSubject, place: YamlNode): void {
  const words = FIELDS_BY_SUBJECT[subject];
  for (const { key, keyPlace } of place.entries()) {
    if (words.includes(key.split('.')[0] ?? '')) continue;
    const message = `There is no field "${key.slice(0, 80)}" in ${subject}.`;
    keyPlace.report({ code: 'unknown_field', message, found: key.slice(0, 80), words });
  }
}
