/** The scenario language: one description that validates files, types them and prints the JSON Schema. */
import type { Scenario } from '../language/scenario.js';
import type { YamlNode } from './yaml-node.js';
import { expectationShape } from './expect-schema.js';
import { clockShape, defaultsShape, givenShape } from './given-schema.js';
import { ruleShape } from './rule-schema.js';
import type { LoadedRule } from '../language/rules.js';
import { anyText, bool, constant, integer, text } from './scalars.js';
import type { Definitions, JsonSchema, Shape } from './shape.js';
import { list, object, optional, required } from './structures.js';
import { timelineEntryShape } from './timeline-schema.js';

const scenarioName = text({
  allowed: 'a name of letters, digits, - and _',
  example: 'flaky-channel',
  pattern: /^[A-Za-z0-9][\w-]{0,99}$/,
  meant: (value) => value.trim().replace(/[^\w-]+/g, '-'),
});

const fileName = text({
  allowed: 'the name of another scenario or its file beside this one',
  example: 'base.yaml',
  maxLength: 200,
  // Names are looked up in the scenario folder, because a path that leaves it could read any file.
  check: (value) =>
    /^[A-Za-z0-9_][\w.-]*$/.test(value) && !value.includes('..')
      ? undefined
      : { code: 'bad_file_name', message: 'Only scenarios in the same folder can be extended, by name.' },
  keywords: { pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*$' },
});

/** The shape of a scenario file. */
export const scenarioShape: Shape<Scenario> = object<Scenario>(
  {
    version: required(constant(1), 'Version of the scenario language.'),
    name: optional(scenarioName, 'Name of the scenario. Default: the name of the file.'),
    description: optional(anyText('What QA wants to see happen.', { maxLength: 4000 }), 'What the scenario is for.'),
    extends: optional(
      list(fileName, { max: 20, partly: true }),
      'Scenarios to extend. Their rules come after the rules of this one; given is merged by name, phone and alias.',
    ),
    seed: optional(
      integer(0, 4_294_967_295, 42),
      'Seed of all random values in this scenario. Default: the seed of the server.',
    ),
    clock: optional(clockShape, 'Clock of the account.'),
    defaults: optional(defaultsShape, 'What happens if neither a rule nor a magic number applies.'),
    given: optional(givenShape, 'Records that exist before the first call.'),
    rules: optional(
      list(ruleShape, { max: 1000, partly: true, unique: { key: 'id', of: ({ id }) => id } }),
      'Rules in order of precedence: each action is taken from the first rule that matches and has it.',
    ),
    timeline: optional(list(timelineEntryShape, { max: 1000, partly: true }), 'What happens automatically, and when.'),
    expect: optional(
      list(expectationShape, { max: 1000, partly: true, unique: { key: 'id', of: ({ id }) => id } }),
      'What the application under test must do. GET /_sandbox/verdict evaluates it.',
    ),
    expect_no_calls: optional(
      bool,
      'Whether the verdict may pass although the application made no call and no delivery was attempted. Default: false.',
    ),
  },
  { example: '{ version: 1, name: flaky-channel }', partly: true },
);

/** The permanent name of the schema: a file that refers to it keeps its meaning wherever a copy of the schema is. */
const schemaId =
  'https://raw.githubusercontent.com/messaging-sandbox/messaging-sandbox/main/scenarios/scenario.schema.json';

/**
 * Returns the language as draft-07 JSON Schema, for editors and documentation. The loader checks more than a schema can
 * express.
 */
export function scenarioJsonSchema(): JsonSchema {
  const definitions: Definitions = new Map();
  const root = scenarioShape.print(definitions);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: schemaId,
    title: 'messaging-sandbox scenario',
    ...root,
    definitions: Object.fromEntries(definitions),
  };
}

/** One file, with the parts of it that are valid. */
export interface LoadedFile {
  readonly file: string;
  readonly scenario: Scenario;
  readonly places: ReadonlyMap<string, YamlNode>;
  /** The place of an entry. */
  readonly placeOf: (entry: object) => YamlNode | undefined;
}

/** The rules that were read, with their places. */
export type RuleSources = ReadonlyMap<LoadedRule, YamlNode>;
