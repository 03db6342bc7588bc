/**
 * A document as the rejection of a call needs it: with the words for its messages, and in the shape in which
 * express-openapi-validator finds all errors of a value (docs/decisions/009).
 */
import type { OpenApiDocument } from '../api/route-table.js';
import { pointer, type Schema, whole } from './document-schema.js';
import { patternWords, schemaWords } from './rejection-words.js';

/** Returns a copy of a published document; the original stays as it is. */
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
 * A choice between a text and an array as one schema with the keywords of both, each of which applies to its own type. It means
 * the same, but an error is then one of the variant that the value is of, and not of the choice.
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

/** Returns a copy for express-openapi-validator, which changes the document that it is given. */
export function validatorDocument(document: OpenApiDocument): OpenApiDocument {
  return withHead(withConditions(document, document) as OpenApiDocument);
}

/**
 * A copy of a document in which each choice by a discriminator is one by conditions. Both mean the same, but the validator ends
 * at the first fault of a variant that a discriminator picks, and is to find all of them; and where none is picked, it is to
 * look at what every variant has.
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

/** What every variant requires, but for the property that tells them apart: there, and as one of them wants it. */
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

/** The validator knows the methods that a document names; a call with HEAD is validated as one with GET. */
function withHead(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    'get' in item ? { ...item, head: item['get'] } : item,
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenApiDocument['paths'] };
}
