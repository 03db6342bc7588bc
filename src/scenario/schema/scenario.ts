/** The scenario language: one description that validates files, types them and prints the JSON Schema. */
import { object, optional, required } from './mappings.js';
import { aboutIfKnown, zod, type JsonSchema, type Schema, type ValueOf } from './kit.js';
import { anyText, bool, choice, constant, integer, list, text } from './values.js';
import { oldWords } from './old-words.js';
import { parseInstant } from '../../domain/instant.js';
import { expectationSchema, type Expectation, type StateExpectation } from './expect.js';
import { statePath } from './application.js';
import { givenSchema, type Given, type GivenCustomer } from './given.js';
import { lifecycleSchema } from './lifecycle.js';
import { offset, plainDuration } from './durations.js';
import { ruleSchema, type LoadedRule } from './rule.js';
import { reviewSchema, windowSchema } from './actions.js';
import { timelineEntrySchema, type TimelineEntry } from './timeline.js';

/** `{ mode: frozen, start: X }` → `X` */
const startOf = (source: string) => /^\{.*\bstart: *(["']?[\d:.TZ-]+["']?).*\}$/.exec(source)?.[1];

const clock = text({
  allowed: 'the time at which it starts, in UTC, such as 2026-03-01T09:00:00Z; --clock sets how time passes',
  example: '"2026-03-01T09:00:00Z"',
  check: (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(value) && parseInstant(value) !== null
      ? undefined
      : { code: 'bad_instant', message: 'This is not a date and time in UTC.' },
  keywords: { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' },
  ofOther: startOf,
});

const defaults = object(
  {
    lifecycle: optional(lifecycleSchema, 'Statuses that the channel reports about a message. Default: happy.'),
    review: optional(reviewSchema, 'Decision of the platform owner on a template.'),
    window: optional(windowSchema, '24-hour window of a customer who never wrote. Default: closed.'),
  },
  { name: 'Defaults', allowed: 'what happens if no rule applies', example: '{ lifecycle: happy }' },
);

const scenarioName = text({
  allowed: 'a name of letters, digits, - and _',
  example: 'flaky-channel',
  pattern: /^[A-Za-z0-9][\w-]{0,99}$/,
  meant: (value) => value.trim().replace(/[^\w-]+/g, '-'),
});

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

const afterQuiet = object({ quiet: required(plainDuration, 'Account time in which nothing happened.') });
const ends = choice<string | ValueOf<typeof afterQuiet>>(
  [offset, afterQuiet],
  'an offset from activation such as +5m or +24h2m, or { quiet: 10s }',
);

/** The schema of a scenario file. */
export const scenarioSchema = object(
  {
    version: required(constant(1), 'Version of the scenario language.'),
    name: optional(scenarioName, 'Name of the scenario. Default: the name of the file.'),
    description: optional(
      anyText('The receiver is down for an hour.', { maxLength: 4000 }),
      'Purpose of the scenario.',
    ),
    extends: optional(
      list(fileName, { max: 20 }),
      'Scenarios to extend. Their rules come after the rules of this one; given is merged by name, phone and alias.',
    ),
    seed: optional(
      integer(0, 4_294_967_295, 42),
      'Seed of all random values in this scenario. Default: the seed of the server.',
    ),
    clock: optional(clock, 'Account time at activation. Default: the current time.'),
    defaults: optional(defaults, 'What happens if neither a rule nor a magic number applies.'),
    given: optional(givenSchema, 'Records that exist before the first call.'),
    rules: optional(
      list(ruleSchema, { max: 1000, unique: 'id' }),
      'Rules in order of precedence: each action is taken from the first rule that matches and has it.',
    ),
    timeline: optional(list(timelineEntrySchema, { max: 1000 }), 'What happens automatically, and when.'),
    expect: optional(
      list(expectationSchema, { max: 1000, unique: 'id' }),
      'What the application under test must do. GET /_sandbox/verdict evaluates it.',
    ),
    state: optional(
      list(statePath, { max: 50 }),
      'Paths of the application that show its state. explore compares them.',
    ),
    ends: optional(
      ends,
      'When "scenario run" ends: at an offset from activation, or when nothing has happened for a time. Default: when nothing is due and the application is idle.',
    ),
    expect_no_calls: optional(
      bool,
      'Whether the verdict may pass although the application made no call and no delivery was attempted. Default: false.',
    ),
  },
  {
    example: '{ version: 1, name: flaky-channel }',
    old: oldWords.scenario,
  },
);
/** A scenario file as written. */
export type Scenario = ValueOf<typeof scenarioSchema>;
export type Defaults = ValueOf<typeof defaults>;

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

/**
 * Returns the language as draft-07 JSON Schema, for editors and documentation. The loader checks more than a schema can
 * express.
 */
export function scenarioJsonSchema(): JsonSchema {
  const { $schema, ...root } = jsonSchemaOf(scenarioSchema());
  return { $schema, $id: schemaId, title: 'messaging-sandbox scenario', ...root };
}

/** Returns a schema as draft-07 JSON Schema, for editors and documentation. The loader checks more than it can express. */
function jsonSchemaOf(schema: Schema): JsonSchema {
  return zod().toJSONSchema(schema, {
    target: 'draft-7',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { json, keywords, object: options = {} } = aboutIfKnown(zodSchema as unknown as Schema) ?? {};
      if (json !== undefined) {
        for (const key of Object.keys(jsonSchema)) if (key !== 'description') Reflect.deleteProperty(jsonSchema, key);
      }
      const needs = (keys: readonly string[] | undefined) => keys?.map((key) => ({ required: [key] }));
      const isReference = '$ref' in jsonSchema || 'allOf' in jsonSchema;
      const [oneOf, anyOf] = [needs(options.exactlyOne), needs(options.atLeastOne)];
      if (!isReference)
        Object.assign(jsonSchema, json, oneOf && { oneOf }, anyOf && { anyOf }, options.keywords, keywords);
      if (jsonSchema.minItems === 0) delete jsonSchema.minItems;
      // In draft-07, nothing beside a reference counts.
      const { $ref, ...beside } = jsonSchema;
      if ($ref === undefined || Object.keys(beside).length === 0) return;
      delete jsonSchema.$ref;
      jsonSchema.allOf = [{ $ref }];
    },
  });
}
