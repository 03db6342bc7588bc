/**
 * express-openapi-validator, the judge of both planes: requests against the document, and our own answers too.
 */
import * as OpenApiValidator from 'express-openapi-validator';
import type { OpenApiDocument } from './route-table.js';
import type { Step } from './exchange.js';

export interface ValidatorOptions {
  /** Refuse query parameters the document does not name; by default they are let through. */
  readonly strictQuery?: boolean;
}

export function createValidator(document: OpenApiDocument, options: ValidatorOptions): Step[] {
  return OpenApiValidator.middleware({
    // The validator changes the document it is given.
    apiSpec: structuredClone(document) as never,
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

/** Our answer does not fit our own document. */
export class ContractBreach extends Error {}
