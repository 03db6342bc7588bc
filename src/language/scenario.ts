/** The scenario language: one description that validates files, types them and prints the JSON Schema. */
import { z } from 'zod';
import { parseInstant } from '../domain/instant.js';
import { aboutOf, type JsonSchema, type Schema } from './about.js';
import { lifecycleSchema, reviewSchema, windowSchema } from './actions.js';
import { stateRead } from './application.js';
import { expectationSchema, type Expectation, type StateExpectation } from './expect.js';
import { givenSchema, type Given, type GivenCustomer } from './given.js';
import { anyText, choice, integer, list, object, optional, text } from './kit.js';
import { ruleSchema, type LoadedRule } from './rule.js';
import { offset, plainDuration, scenarioName } from './texts.js';
import { timelineEntrySchema, type TimelineEntry } from './timeline.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const clock = text({
  allowed: 'the time at which it starts, in UTC, such as 2026-03-01T09:00:00Z; --clock sets how time passes',
  check: (value) =>
    INSTANT.test(value) && parseInstant(value) !== null
      ? undefined
      : { code: 'bad_instant', message: 'This is not a date and time in UTC.' },
  // A time keeps its hour, and a date its day.
  meant(value) {
    const [, date, time = '00:00', seconds = ':00'] =
      /^(\d{4}-\d\d-\d\d)?[T ]?(\d\d:\d\d)?(:\d\d)?/.exec(value.trim()) ?? [];
    return date === undefined && !/\d/.test(time.replace('00:00', ''))
      ? undefined
      : `${date ?? '2026-03-01'}T${time}${seconds}Z`;
  },
  keywords: { pattern: INSTANT.source },
});

const defaults = object(
  {
    lifecycle: optional(lifecycleSchema, 'Statuses that the channel reports about a message. Default: `happy`.'),
    review: optional(
      reviewSchema,
      'Decision of the platform owner on a template. Default: `approved` after one second.',
    ),
    window: optional(windowSchema, 'Session window of customers who have never written. Default: `closed`.'),
  },
  { name: 'Defaults' },
);

const fileName = text({
  allowed: 'the name of another scenario, or of its file in the same folder',
  example: 'base.yaml',
  maxLength: 200,
  // Names are looked up in the scenario folder, because a path that leaves it could read any file.
  check: (value) =>
    /^[A-Za-z0-9_][\w.-]*$/.test(value) && !value.includes('..')
      ? undefined
      : { code: 'bad_file_name', message: 'Only scenarios in the same folder can be extended, by name.' },
  keywords: { pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*$' },
});

const afterQuiet = object({ quiet: plainDuration.describe('Account time in which nothing happened.') });
const ends = choice<string | z.output<typeof afterQuiet>>([offset, afterQuiet], {
  allowed: 'an offset from activation such as +5m or +24h2m, or { quiet: 10s }',
});

export const scenarioSchema = object({
  version: z.literal(1).describe('Version of the scenario language.'),
  name: optional(scenarioName, 'Title in reports. Default: the name of the file.'),
  description: optional(anyText('The receiver is down for an hour.', 4000), 'Purpose of the scenario.'),
  extends: optional(
    list(fileName, 0, 20),
    'Names of scenarios in the same folder. Their entries are added after the entries of this file.',
  ),
  seed: optional(
    integer(0, 4_294_967_295, 42),
    'Seed of all random values in this scenario. Default: the seed of the server.',
  ),
  clock: optional(clock, 'Account time at activation. Default: the current time.'),
  defaults: optional(defaults, 'Behaviour if neither a rule nor a magic number applies.'),
  given: optional(givenSchema, 'Records that exist before the first call.'),
  rules: optional(list(ruleSchema, 0, 1000, 'id'), 'Rules, in order of precedence.'),
  timeline: optional(list(timelineEntrySchema, 0, 1000, 'id'), 'Actions of customers and others, each with its time.'),
  expect: optional(list(expectationSchema, 0, 1000, 'id'), 'Checks of your application.'),
  state: optional(
    list(stateRead, 0, 50),
    'Paths of the application, such as `/orders`. With `{ url: /orders, not: [attempts] }`, the fields `attempts` are left out. The command `explore` compares their responses with the responses of a run without faults.',
  ),
  ends: optional(
    ends,
    'End of `scenario run`: a time after activation, such as `+3h`, or `{ quiet: 10s }` (after 10 s without activity). Default: when the application is idle and nothing is due.',
  ),
  expect_no_calls: optional(z.boolean(), '`true`: the verdict can pass without calls and deliveries.'),
});
export type Scenario = z.output<typeof scenarioSchema>;
export type Defaults = z.output<typeof defaults>;

export type LoadedCustomer = Omit<GivenCustomer, 'count' | 'phone'> & { phone: string };

/** A scenario ready for use: `extends` resolved, ids and lists filled in. Plain JSON, so that it can be stored. */
export interface LoadedScenario extends Omit<Scenario, 'name' | 'extends'> {
  name: string;
  defaults: Defaults;
  given: Omit<Required<Given>, 'customers'> & { customers: LoadedCustomer[] };
  rules: LoadedRule[];
  timeline: TimelineEntry[];
  expect: (Expectation | StateExpectation)[];
  /** The file itself first, then what it extends, in the order of their rules. */
  files: string[];
}

/** The permanent name of the schema: a file that refers to it keeps its meaning wherever a copy of the schema is. */
const schemaId =
  'https://raw.githubusercontent.com/messaging-sandbox/messaging-sandbox/main/scenarios/scenario.schema.json';

/** The loader checks more than a schema can express. */
export function scenarioJsonSchema(): JsonSchema {
  const { $schema, ...root } = z.toJSONSchema(scenarioSchema, {
    target: 'draft-7',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // In draft-07, nothing beside a reference counts.
      const { $ref, ...beside } = jsonSchema;
      if ($ref !== undefined || 'allOf' in jsonSchema) {
        if ($ref === undefined || Object.keys(beside).length === 0) return;
        delete jsonSchema.$ref;
        jsonSchema.allOf = [{ $ref }];
        return;
      }
      if ('enum' in jsonSchema || 'const' in jsonSchema) delete jsonSchema.type;
      if (jsonSchema.minItems === 0) delete jsonSchema.minItems;
      Object.assign(jsonSchema, aboutOf(zodSchema as unknown as Schema).keywords);
    },
  });
  const $comment = 'Generated by messaging-sandbox from src/language; do not edit.';
  return { $comment, $schema, $id: schemaId, title: 'messaging-sandbox scenario', ...root };
}
