/** The documents are large, so each is read on first use. */
import { createRequire } from 'node:module';
import { dialectDocument } from './dialect/document.js';
import type { Dialect } from './dialect/index.js';
import type { OpenApiDocument } from './http/operations.js';

export interface Documents {
  /** The document has the dialect of the sandbox. */
  readonly api: OpenApiDocument;
  readonly control: OpenApiDocument;
  /** By these, calls are routed and validated. */
  readonly requests: OpenApiDocument;
}

export function documentsOf(dialect: Dialect): Documents {
  let api: OpenApiDocument | null = null;
  return {
    get api() {
      return (api ??= dialectDocument(
        createRequire(import.meta.url)('./generated/api.json') as OpenApiDocument,
        dialect,
      ));
    },
    get requests() {
      return createRequire(import.meta.url)('./generated/requests.json') as OpenApiDocument;
    },
    get control() {
      return createRequire(import.meta.url)('./generated/control.json') as OpenApiDocument;
    },
  };
}
