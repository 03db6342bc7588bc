/**
 * A copy of a document for rejected calls: with the texts for its messages, and in the form in which
 * express-openapi-validator finds all errors of a value (docs/decisions.md).
 */
import type { OpenApiDocument } from '../api/route-table.js';
import { pointer, type Schema, whole } from './document-schema.js';

/** Returns a copy of a published document; the original is unchanged. */
export function rejectionDocument(document: OpenApiDocument): OpenApiDocument {
  const copy = adapted(document, document) as OpenApiDocument & { components: { schemas: Record<string, Schema> } };
  const { schemas } = copy.components;
  for (const [name, { allowed, hints }] of Object.entries(schemaWords)) {
    const schema = schemas[name];
    if (schema)
      schemas[name] = { ...schema, ...(allowed && { 'x-allowed': allowed }), ...(hints && { 'x-hint': hints }) };
  }
  return copy;
}

function adapted(value: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(value)) return value.map((each) => adapted(each, document));
  if (typeof value !== 'object' || value === null) return value;
  const schema = byType(value, document) ?? value;
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(schema)) {
    // The validator turns values of some formats into objects such as Date. The patterns check the same.
    if (name === 'format' && typeof inner === 'string') continue;
    copy[name] = name === 'example' || name === 'examples' ? inner : adapted(inner, document);
  }
  const { pattern } = copy;
  const words = typeof pattern === 'string' ? patternWords.get(pattern) : undefined;
  return words === undefined ? copy : { ...copy, 'x-allowed': words };
}

/**
 * Replaces a choice between a text and an array by one schema with the keywords of both, each of which applies only to
 * its own type. The meaning is the same, but an error then refers to the variant that has the type of the value, and
 * not to the choice.
 */
function byType(schema: Schema, document: OpenApiDocument): Schema | undefined {
  const { oneOf, discriminator, ...beside } = schema;
  if (!oneOf || discriminator) return undefined;
  const variants = oneOf.map((variant) => whole(document, variant));
  const types = variants.map(({ type }) => type);
  if (types.some((type) => type !== 'string' && type !== 'array') || new Set(types).size < types.length)
    return undefined;
  return { ...(Object.assign({}, ...variants) as Schema), ...beside, type: types as string[] };
}

/** Returns a copy for express-openapi-validator, which changes its document. */
export function validatorDocument(document: OpenApiDocument): OpenApiDocument {
  return withHead(withConditions(document, document) as OpenApiDocument);
}

/**
 * Returns a copy of a document in which conditions replace each choice by a discriminator. The meaning is the same, but
 * with a discriminator the validator stops at the first error in the selected variant; with conditions it finds all of
 * them. If no variant is selected, it checks the properties that all variants have.
 */
function withConditions(value: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(value)) return value.map((each) => withConditions(each, document));
  if (typeof value !== 'object' || value === null) return value;
  const { discriminator, ...rest } = value as Schema;
  const { propertyName = '', mapping } = discriminator ?? {};
  if (!mapping) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withConditions(inner, document)]));
  }
  const { oneOf: _variants, ...beside } = rest;
  const named = (type: object) => ({ required: [propertyName], properties: { [propertyName]: type } });
  const known = { enum: Object.keys(mapping) };
  const variants = Object.values(mapping).map((ref) => pointer(document, ref) as Schema);
  return {
    ...beside,
    type: 'object',
    ...named(known),
    allOf: [
      ...Object.entries(mapping).map(([name, $ref]) => ({ if: named({ const: name }), then: { $ref } })),
      { if: named(known), else: common(variants, propertyName) },
    ],
  };
}

/**
 * The properties that every variant requires, except the discriminator, which must be present and have one of their
 * values.
 */
function common(variants: readonly Schema[], propertyName: string): Schema {
  const required = (variants[0]?.required ?? []).filter(
    (name) => name !== propertyName && variants.every((variant) => variant.required?.includes(name)),
  );
  const properties = required.map((name) => [
    name,
    { anyOf: variants.map((variant) => variant.properties?.[name] ?? {}) },
  ]);
  return { required, properties: Object.fromEntries(properties) as Record<string, Schema> };
}

/** The validator only supports the methods in a document; a HEAD call is validated as a GET. */
function withHead(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    'get' in item ? { ...item, head: item['get'] } : item,
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenApiDocument['paths'] };
}

// The texts below cannot come from a keyword of a schema. Only rejections need them, so the published documents do not
// have them.

const httpsAddress = 'an absolute https:// address (https://localhost:PORT also reaches a local server without TLS)';

/**
 * A description of the texts that match a pattern, to follow "must be". Both documents use their patterns through this
 * list.
 */
export const patternWords: ReadonlyMap<string, string> = new Map([
  [
    String.raw`^(?=\d)(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?(\d{1,12}ms)?$`,
    'a duration such as 250ms, 10s, 5m, 24h, 7d or 1h30m, the largest unit first',
  ],
  [
    String.raw`^(?=\d)(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?(\d{1,12}ms)?(\.\.(?=\d)(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?(\d{1,12}ms)?)?$`,
    'a duration such as 2s, or a range such as 2s..8s',
  ],
  [
    String.raw`^(evt_[A-Za-z0-9_-]+|message\.received|message\.status|otp\.verified|template\.status)$`,
    'an id such as evt_5f2b7c0e9d1a4c3b, or a type of event: message.received, message.status, otp.verified, template.status',
  ],
  [String.raw`^[+ ]?[1-9]\d{6,14}$`, 'an E.164 number such as +12025550101, its plus sign optional'],
  [
    '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    'a UUID in its v4 form and lower case, such as 0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90',
  ],
  [String.raw`^[1-5](\d\d|xx)$`, 'an HTTP status such as 404, or a class such as 4xx'],
  [
    '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$',
    '1 to 100 letters, digits, "_" or "-", starting with a letter or digit, such as slow-review',
  ],
  [
    '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    '1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit, such as after-onboarding',
  ],
  [
    String.raw`^([A-Za-z]{2,3}([-_][A-Za-z]{3}){0,3}|[A-Za-z]{4,8})([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|\d{3}))?([-_]([A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*([-_][0-9A-WYZa-wyz]([-_][A-Za-z0-9]{2,8})+)*([-_][Xx]([-_][A-Za-z0-9]{1,8})+)?$|^[XxIi]([-_][A-Za-z0-9]{1,8})+$`,
    'a BCP-47 language code such as en, pt-BR or zh-Hans-CN',
  ],
  [String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#]+\S*$`, 'an absolute http:// or https:// address'],
  [String.raw`^(all|.*\*)$`, 'a choice of accounts: all, or the beginning of their keys and *, such as ci-*'],
  [String.raw`^[a-z]+\.[a-z]+$`, 'a hook such as message.send, otp.verify or webhook.deliver'],
  ['^[!-~]+$', 'an API key of visible ASCII characters without spaces, such as test-7'],
  ['^[a-z][a-z0-9_]*$', 'a name in snake_case, such as undeliverable'],
  [
    '^[a-z][a-z0-9_]{0,511}$',
    'a lower-case letter, then up to 511 lower-case letters, digits and underscores, such as order_shipped',
  ],
  [String.raw`^\+?[1-9]\d{6,14}$`, 'an E.164 number such as +12025550101, its plus sign optional'],
  [
    String.raw`^\+[1-9]\d{6,14}$`,
    'an E.164 number: a plus sign and 7 to 15 digits, the first not 0, such as +12025550101',
  ],
  [
    String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$`,
    'an ISO 8601 instant with its offset, such as 2026-03-01T09:00:00Z',
  ],
  [
    String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
    'an instant in UTC with milliseconds, such as 2026-03-01T09:00:00.000Z',
  ],
  [
    String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
    'an instant in UTC with milliseconds, such as 2026-03-01T09:00:00.000Z',
  ],
  [String.raw`^https://[^\s/?#]+\S*$`, httpsAddress],
  [String.raw`^[Hh][Tt][Tt][Pp][Ss]://[^\s/?#]+\S*$`, httpsAddress],
  [
    String.raw`^wamid\.[A-Za-z0-9+/]+={0,2}$`,
    'an id of wamid. and base64, such as wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
  ],
  [String.raw`^whsec_[^\s]+$`, 'a secret that starts with whsec_ and contains no spaces'],
]);

interface SchemaWords {
  /** The allowed values, to follow "must be". */
  readonly allowed?: string;
  /** The hint for a violated keyword, by keyword. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** By the name of a schema. */
export const schemaWords: Readonly<Record<string, SchemaWords>> = {
  ConversationRecipient: { hints: { type: 'only a template message takes an array of numbers' } },
  InteractiveStyle: { allowed: 'button, or omitted: list-style interactive messages are not supported' },
  TemplateRecipients: {
    allowed: 'an E.164 number (a plus sign and 7 to 15 digits, such as +12025550101) or an array of 1 to 100 of them',
    hints: { maxItems: "larger audiences belong to the dashboard's broadcast tool" },
  },
  ScenarioInput: { hints: { minProperties: 'give the name of a known scenario, or a complete scenario' } },
  StartingScenario: { allowed: 'the name of a known scenario, or a complete scenario' },
  ScenarioYaml: { hints: { minLength: 'send a scenario file' } },
  RuleYaml: { hints: { minLength: 'send a rule' } },
  RuleThen: { hints: { minProperties: 'name an action, such as refuse, respond, limit or lifecycle' } },
};
