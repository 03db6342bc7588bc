/** The two OpenAPI documents. They are large, so each is read when it is first asked for. */
import { createRequire } from 'node:module';
import type { OpenApiDocument } from './http/api/route-table.js';

export interface Documents {
  /** Of the emulated service, `/v1`. */
  readonly api: OpenApiDocument;
  /** Of the sandbox's own calls, `/_sandbox`. */
  readonly control: OpenApiDocument;
}

export const documents: Documents = {
  get api() {
    return createRequire(import.meta.url)('./generated/api.json') as OpenApiDocument;
  },
  get control() {
    return createRequire(import.meta.url)('./generated/control.json') as OpenApiDocument;
  },
};
