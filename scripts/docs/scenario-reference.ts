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
  Defaults: 'defaults',
  LifecycleStep: 'lifecycle: one step',
  Review: 'review',
  Given: 'given',
  GivenTemplate: 'given.templates: one entry',
  GivenCustomer: 'given.customers: one entry',
  GivenWebhook: 'given.webhooks: one entry',
  Rule: 'rules: one rule',
  Match: 'match',
  Conditions: 'match: conditions on a field',
  Pick: 'pick',
  Active: 'active',
  Slots: 'then',
  Respond: 'then.respond',
  Refusal: 'then.refuse',
  Otp: 'then.otp',
  WebhookSlot: 'then.webhook',
  InboundSlot: 'then.inbound',
  TimelineEntry: 'timeline: one entry',
  InboundAction: 'timeline: inbound',
  TemplateAction: 'timeline: template',
  EmitAction: 'timeline: emit',
  MessageAction: 'timeline: message',
  ReplayAction: 'timeline: replay',
  Expectation: 'expect: one expectation',
};

/** A larger maximum is only a safeguard, and is not useful to an author. */
const loudMaximum = 1_000_000;

export function scenarioReference(): string {
  const root = scenarioJsonSchema() as unknown as Schema & { readonly definitions: Readonly<Record<string, Schema>> };
  const parts = Object.entries(root.definitions).filter(([, schema]) => schema.properties !== undefined);
  return [
    `### The file\n\n${properties(root)}`,
    ...parts.map(([name, schema]) => `### ${headingOf(name)}\n\n${properties(schema)}`),
  ].join('\n\n');
}

function headingOf(name: string): string {
  return headings[name] ?? name;
}

function properties(schema: Schema): string {
  return table(['Key', 'Holds', 'Means'], rows(schema, ''));
}

function rows(schema: Schema, prefix: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    // The matchers of fields, whose names have a table of their own.
    if (property.description === undefined) return [];
    const needed = schema.required?.includes(name) === true ? '**Required.** ' : '';
    const row = [code(prefix + name), holds(property), needed + property.description];
    const inner = property.items?.properties === undefined ? property : property.items;
    return [row, ...rows(inner, `${prefix}${name}${inner === property ? '.' : '[].'}`)];
  });
}

function holds(schema: Schema): string {
  const [extended] = schema.allOf ?? [];
  if (extended !== undefined) return holds(extended);
  if (schema.$ref !== undefined) return reference(schema.$ref);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(holds))].join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return words(schema.enum);
  if (schema.items !== undefined) return `list of ${holds(schema.items)}`;
  switch (schema.type) {
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return '`true` or `false`';
    case 'object':
      return 'mapping';
    case undefined:
      return 'any JSON';
    default:
      return text(schema.pattern ?? '');
  }
}

/** Matchers and lifecycles have separate chapters; every other part has a table. */
function reference(ref: string): string {
  const name = ref.replace('#/definitions/', '');
  if (name === 'Lifecycle') return '[lifecycle](failures.md#lifecycles)';
  if (name === 'Matcher' || name === 'UrlMatcher') return '[matcher](#matchers)';
  const heading = headingOf(name);
  return `[${heading}](#${heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')})`;
}

function words(values: readonly unknown[]): string {
  const failures = values.includes('undeliverable');
  return failures ? '[failure](failures.md#failures-of-the-channel), by name or number' : values.map(code).join(', ');
}

function number({ type, minimum, maximum }: Schema): string {
  const kind = type === 'integer' ? 'whole number' : 'number';
  if (minimum !== undefined && minimum < -loudMaximum) return kind;
  const shown = maximum === undefined || maximum > loudMaximum ? undefined : maximum;
  if (minimum !== undefined && shown !== undefined) return `${kind}, ${minimum} to ${shown}`;
  return minimum === undefined ? kind : `${kind} from ${minimum}`;
}

/** Forms that a pattern stands for, recognised by a distinctive part. */
const forms: readonly (readonly [part: string, words: string])[] = [
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
