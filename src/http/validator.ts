/**
 * express-openapi-validator, the judge of both planes: requests against the document, and our own answers too.
 */
import * as OpenApiValidator from 'express-openapi-validator';
import type { Schema } from './document-schema.js';
import type { OpenApiDocument } from './route-table.js';
import type { Step } from './exchange.js';

export interface ValidatorOptions {
  /** Refuse query parameters the document does not name; by default they are let through. */
  readonly strictQuery?: boolean;
}

export function createValidator(document: OpenApiDocument, options: ValidatorOptions): Step[] {
  return OpenApiValidator.middleware({
    // The validator changes the document it is given; this one is a copy.
    apiSpec: withHead(withConditions(document) as OpenApiDocument) as never,
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: {
      allErrors: true,
      coerceTypes: false,
      allowUnknownQueryParameters: options.strictQuery !== true,
    },
    validateResponses: {
      onError: (error, _body, request) => {
        throw new ContractBreach(
          `${request.method} ${request.originalUrl}: the answer breaks the document: ${error.message}`,
        );
      },
    },
    fileUploader: false,
    ignoreUndocumented: true,
  }) as Step[];
}

/**
 * A copy of a document in which each choice by a discriminator is one by conditions. Both mean the same, but the validator ends
 * at the first fault of a variant that a discriminator picks, and is to find all of them.
 */
function withConditions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withConditions);
  if (typeof value !== 'object' || value === null) return value;
  const { discriminator, ...rest } = value as Schema;
  const { propertyName = '', mapping } = discriminator ?? {};
  if (!mapping) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withConditions(inner)]));
  }
  const { oneOf: _variants, ...beside } = rest;
  const named = (type: object) => ({ required: [propertyName], properties: { [propertyName]: type } });
  return {
    ...beside,
    type: 'object',
    ...named({ enum: Object.keys(mapping) }),
    allOf: Object.entries(mapping).map(([name, $ref]) => ({ if: named({ const: name }), then: { $ref } })),
  };
}

/** The validator knows the methods that a document names; a call with HEAD is to be judged as one with GET. */
function withHead(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    'get' in item ? { ...item, head: item['get'] } : item,
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenApiDocument['paths'] };
}

/** Our answer does not fit our own document. */
export class ContractBreach extends Error {}
