/** The scenario language as tables, from the JSON Schema that its shapes print. */
import { scenarioJsonSchema } from '../../src/language/scenario.js';
import { code, table } from './markdown.js';

interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Titles of the definitions in headings; definitions without a row keep their name. */
const headings: Readonly<Record<string, string>> = {
  Review: 'review',
  GivenTemplate: 'given.templates',
  GivenCustomer: 'given.customers',
  GivenWebhook: 'given.webhooks',
  Rule: 'rules',
  Respond: 'then.respond',
  Refusal: 'then.refuse',
  Otp: 'then.otp',
  WebhookSlot: 'then.webhook',
  InboundSlot: 'then.inbound',
  TimelineEntry: 'timeline',
  Expectation: 'expect, for records',
  StateExpectation: 'expect, for state',
};

/** Definitions that a hand-written section describes better than a table. */
const elsewhere: Readonly<Record<string, string>> = {
  Match: '[match](#hooks-fields-and-actions)',
  Conditions: '[matcher](#matchers)',
  Slots: '[actions](#hooks-fields-and-actions)',
  Times: 'times of the day',
  Given: '[templates](#giventemplates), [customers](#givencustomers), [webhooks](#givenwebhooks)',
  Matcher: '[matcher](#matchers)',
  UrlMatcher: '[matcher](#matchers)',
  Lifecycle: '[lifecycle](failures.md#lifecycles)',
  LifecycleStep: '[lifecycle](failures.md#lifecycles)',
};

/** Definitions that one key has: their keys follow that key in its table. */
const inlined = new Set([
  'Defaults',
  'Pick',
  'Active',
  'TemplateAction',
  'EmitAction',
  'MessageAction',
  'ReplayAction',
  'InboundAction',
  'HttpAction',
]);

/** A larger maximum is only a safeguard, and is not useful to an author. */
const loudMaximum = 1_000_000;

const root = scenarioJsonSchema() as unknown as Schema & { readonly definitions: Readonly<Record<string, Schema>> };

export function scenarioReference(): string {
  const parts = Object.entries(root.definitions).filter(
    ([name, schema]) => schema.properties !== undefined && elsewhere[name] === undefined && !inlined.has(name),
  );
  return [
    `### The file\n\n${properties(root)}`,
    ...parts.map(([name, schema]) => `### ${headingOf(name)}\n\n${partOf(name, schema)}`),
  ].join('\n\n');
}

/** Checks of state repeat some keys of checks of records: the page shows them once. */
function partOf(name: string, schema: Schema): string {
  const known = new Set(
    rows(name === 'StateExpectation' ? (root.definitions['Expectation'] ?? {}) : {}, '').map(String),
  );
  const [shown, shared] = [false, true].map((isShared) =>
    rows(schema, '').filter((row) => known.has(String(row)) === isShared),
  );
  const others = (shared ?? []).map(([key]) => key).join(', ');
  const note = others === '' ? '' : `In addition to ${others} as above:\n\n`;
  return `${note}${table(head, shown ?? [])}`;
}

function headingOf(name: string): string {
  return headings[name] ?? name;
}

const head = ['Key', 'Value', 'Meaning'];

function properties(schema: Schema): string {
  return table(head, rows(schema, ''));
}

function rows(schema: Schema, prefix: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    // Another table has the names of the fields.
    if (property.description === undefined) return [];
    const needed = schema.required?.includes(name) === true ? '**Required.** ' : '';
    const row = [code(prefix + name), holds(property), needed + property.description];
    const inner = property.items?.properties === undefined ? (inlinedAt(property) ?? property) : property.items;
    return [row, ...rows(inner, `${prefix}${name}${inner === property.items ? '[].' : '.'}`)];
  });
}

const definitionOf = ({ allOf: [extended] = [], $ref = extended?.$ref ?? '' }: Schema): string =>
  $ref.replace('#/definitions/', '');

function inlinedAt(schema: Schema): Schema | undefined {
  const name = definitionOf(schema);
  return inlined.has(name) ? root.definitions[name] : undefined;
}

function holds(schema: Schema): string {
  const definition = definitionOf(schema);
  if (definition !== '') return inlined.has(definition) ? 'mapping' : reference(definition);
  if (schema.type === 'object') return 'mapping';
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(holds))].join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return words(schema.enum);
  if (schema.items !== undefined) return `list of ${holds(schema.items)}`;
  switch (schema.type) {
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return 'boolean';
    case undefined:
      return 'any JSON';
    default:
      return text(schema.pattern ?? '');
  }
}

function reference(name: string): string {
  if (elsewhere[name] !== undefined) return elsewhere[name];
  const heading = headingOf(name);
  return `[${heading}](#${heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')})`;
}

/** Long lists of words that another table has, recognised by one of them. */
const lists: readonly (readonly [word: string, link: string])[] = [
  ['undeliverable', '[failure](failures.md#failures-of-the-channel), by name or number'],
  ['api.any', '[hook](#hooks-fields-and-actions)'],
  ['otps', '[kind of record](#fields-of-expectations)'],
];

function words(values: readonly unknown[]): string {
  return lists.find(([word]) => values.includes(word))?.[1] ?? values.map(code).join(', ');
}

function number({ type, minimum, maximum }: Schema): string {
  const kind = type === 'integer' ? 'integer' : 'number';
  if (minimum !== undefined && minimum < -loudMaximum) return kind;
  const shown = maximum === undefined || maximum > loudMaximum ? undefined : maximum;
  if (minimum !== undefined && shown !== undefined) return `${kind}, ${minimum}–${shown}`;
  return minimum === undefined ? kind : `${kind} from ${minimum}`;
}

/** Forms that a pattern stands for, recognised by a distinctive part. */
const forms: readonly (readonly [part: string, words: string])[] = [
  ['|^retry_after$', 'duration or `retry_after`'],
  ['^(?:open|closed|', '`open`, `closed`, or a time such as `-23h59m`'],
  ['\\d+ms)?)?$', 'duration or range'],
  ['\\d+ms)?$', 'duration'],
  ['[1-9][0-9]{6,14}', 'phone number'],
  ['\\d{4}-\\d\\d-\\d\\dT', 'instant, `2026-03-01T09:00:00Z`'],
  ['(ms|s|m|h|d)$', 'rate, `80/s`'],
  ['%$', 'percentage'],
  ['^[1-9][0-9]{0,8}(', '`2..5`, `4..`'],
  ['^https?://', 'http(s) URL'],
  ['^https://', 'https URL'],
];

function text(pattern: string): string {
  return forms.find(([part]) => pattern.includes(part))?.[1] ?? 'text';
}
