/** express-openapi-validator, which words what is wrong with a request. */
import * as OpenApiValidator from 'express-openapi-validator';
import { pointer, type Schema } from './document-schema.js';
import type { OpenApiDocument } from '../api/route-table.js';
import type { Middleware } from '../api/request-context.js';

export interface ValidatorOptions {
  /** Refuse query parameters the document does not name; by default they are let through. */
  readonly strictQuery?: boolean;
}

/** @param document a `rejectionDocument` */
export function createValidator(document: OpenApiDocument, options: ValidatorOptions): Middleware[] {
  return OpenApiValidator.middleware({
    // The validator changes the document it is given; this one is a copy.
    apiSpec: withHead(withConditions(document, document) as OpenApiDocument) as never,
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: {
      allErrors: true,
      coerceTypes: false,
      allowUnknownQueryParameters: options.strictQuery !== true,
    },
    validateResponses: false,
    fileUploader: false,
    ignoreUndocumented: true,
  }) as Middleware[];
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

/** The validator knows the methods that a document names; a call with HEAD is to be judged as one with GET. */
function withHead(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    'get' in item ? { ...item, head: item['get'] } : item,
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenApiDocument['paths'] };
}
