/**
 * `openapi.yaml` describes the default dialect. This returns the same document for another dialect, with its statuses,
 * its error envelope and its delivery headers. Its errors have no examples.
 */
import { errorTable, type ErrorCode } from '../domain/errors.js';
import { defaultDialect, type Dialect } from './index.js';

type Json = Record<string, unknown>;

interface Response {
  readonly $ref?: string;
  readonly headers?: object;
  readonly 'x-error-codes'?: readonly ErrorCode[];
  readonly 'x-setting'?: string;
}

interface Operation {
  responses: Record<string, Response>;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, PathItem>>>>;
  parameters?: readonly { readonly $ref?: string }[] | undefined;
}

type PathItem = Readonly<Record<string, Operation>>;

/** The parts of the API document that a dialect changes. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<'schemas' | 'responses' | 'parameters', Record<string, Json>>>;
}

/** Returns the document itself for the default dialect, otherwise a changed copy. */
export function dialectDocument<Document extends object>(document: Document, dialect: Dialect): Document {
  if (JSON.stringify(dialect) === JSON.stringify(defaultDialect)) return document;
  const copy = structuredClone(document) as Document & ApiDocument;
  const { schemas, responses } = copy.components;
  if (dialect.errors.envelope === 'flat') schemas['ErrorResponse'] = schemas['ErrorBody'] ?? {};
  for (const operation of operationsOf(copy.paths)) operation.responses = responsesOf(operation, responses, dialect);
  for (const [name, response] of Object.entries(responses))
    if ('x-error-codes' in response) Reflect.deleteProperty(responses, name);
  if (!dialect.webhooks.extra_headers) dropExtraHeaders(copy);
  if (dialect.otp.lock === 'same_call') {
    // The wrong code that uses the last attempt is rejected, so no response has 0 attempts left.
    const { attempts_remaining: remaining } = (schemas['OtpVerification']?.['properties'] ?? {}) as Record<
      string,
      Json
    >;
    if (remaining) remaining['minimum'] = 1;
  }
  return copy;
}

/** The responses of an operation with each error under the status of its code. */
function responsesOf({ responses }: Operation, shared: Record<string, Response>, { http, errors }: Dialect) {
  const all: Record<string, Response> = {};
  const byStatus = new Map<string, { codes: ErrorCode[]; headers: object }>();
  for (const [status, response] of Object.entries(responses)) {
    const whole = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
    const { 'x-error-codes': codes = [], headers = {} } = whole;
    if (codes.length === 0) all[whole['x-setting'] === 'http.created' ? http.created : status] = whole;
    for (const code of codes) {
      const moved = String(errors.status[code] ?? errorTable[code].status);
      const there = byStatus.get(moved);
      byStatus.set(moved, { codes: [...(there?.codes ?? []), code], headers: { ...there?.headers, ...headers } });
    }
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } };
  for (const [status, { codes, headers }] of byStatus) {
    const own = [...new Set(codes)];
    const description = own.map((code) => errorTable[code].title).join(' ');
    all[status] = { description, headers, content, 'x-error-codes': own } as Response;
  }
  return all;
}

function dropExtraHeaders({ components: { parameters }, paths, webhooks }: ApiDocument): void {
  const extra = Object.keys(parameters).filter((name) => parameters[name]?.['x-setting'] === 'webhooks.extra_headers');
  const callbacks = operationsOf(paths).flatMap((operation) =>
    Object.values(operation.callbacks ?? {}).flatMap((items) => operationsOf(items)),
  );
  for (const delivery of [...operationsOf(webhooks), ...callbacks])
    delivery.parameters = delivery.parameters?.filter(({ $ref = '' }) => !extra.includes($ref.split('/').at(-1) ?? ''));
  for (const name of extra) Reflect.deleteProperty(parameters, name);
}

function operationsOf(items: Readonly<Record<string, PathItem>>): Operation[] {
  return Object.values(items).flatMap((item) => Object.values(item));
}
