/**
 * A copy of a document for rejected calls: with the texts for its messages, and in the form in which
 * express-openapi-validator finds all errors of a value (docs/decisions/009).
 */
import type { OpenApiDocument } from '../api/route-table.js';
import { pointer, type Schema, whole } from './document-schema.js';
import { patternWords, schemaWords } from './rejection-words.js';

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
