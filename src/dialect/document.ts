/**
 * `openapi.yaml` describes the default dialect. This returns the same document for another dialect, with its statuses,
 * its shapes and its delivery headers. Changed parts have no examples.
 */
import { errorTable, type ErrorCode } from '../domain/errors.js';
import { defaultDialect } from './default.js';
import type { Dialect } from './description.js';
import { shapes } from './names.js';
import { schemaOf } from './template.js';
import { shapeSchemas, writesOtherwise } from './document-shapes.js';

type Json = Record<string, unknown>;

interface Response {
  readonly $ref?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, object>>;
  readonly 'x-error-codes'?: readonly ErrorCode[];
  readonly 'x-setting'?: string;
}

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, object>> };
  responses: Record<string, Response>;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, PathItem>>>>;
  parameters?: readonly { readonly $ref?: string }[] | undefined;
}

type PathItem = Readonly<Record<string, Operation>>;

interface ApiDocument {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<'schemas' | 'responses' | 'parameters', Record<string, Json>>>;
}

/** The default dialect gets the document itself, others a changed copy. */
export function dialectDocument<Document extends object>(document: Document, dialect: Dialect): Document {
  if (JSON.stringify(dialect) === JSON.stringify(defaultDialect)) return document;
  const copy = structuredClone(document) as Document & ApiDocument;
  const { schemas, responses } = copy.components;
  shapeSchemas(schemas, dialect);
  for (const operation of operationsOf(copy.paths)) operation.responses = responsesOf(operation, responses, dialect);
  for (const [name, response] of Object.entries(responses))
    if ('x-error-codes' in response) Reflect.deleteProperty(responses, name);
  if (writesOtherwise(dialect)) dropExamples(copy);
  if (!dialect.webhooks.extra_headers) dropHeaders(copy, () => true);
  else nameHeaders(copy, dialect.webhooks.headers);
  if (dialect.otp.lock === 'same_call') {
    // The wrong code that uses up the attempts is rejected, so no response has 0 attempts left.
    const { attempts_remaining: remaining } = (schemas['OtpVerification']?.['properties'] ?? {}) as Record<
      string,
      Json
    >;
    if (remaining) remaining['minimum'] = 1;
  }
  return copy;
}

function responsesOf({ responses }: Operation, shared: Record<string, Response>, { http, errors }: Dialect) {
  const all: Record<string, Response> = {};
  const byStatus = new Map<string, { codes: ErrorCode[]; headers: object }>();
  for (const [status, response] of Object.entries(responses)) {
    const whole = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
    const { 'x-error-codes': codes = [], headers = {} } = whole;
    if (codes.length === 0) Object.assign(all, successOf(status, whole, http));
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
    all[status] = {
      description,
      headers,
      content,
      'x-error-codes': own.map((code) => errors.codes[code] ?? code),
    } as Response;
  }
  return all;
}

function successOf(
  status: string,
  response: Response,
  { created, deleted }: Dialect['http'],
): Record<string, Response> {
  if (response['x-setting'] === 'http.created') return { [created]: response };
  if (response['x-setting']?.startsWith('http.deleted.') !== true) return { [status]: response };
  if (deleted.body === undefined) return { [deleted.status]: response };
  const schema = schemaOf(deleted.body, shapes['http.deleted.body'].names);
  return { [deleted.status]: { ...response, content: { 'application/json': { schema } } } };
}

const headersOf = {
  'X-Service-Event': 'event',
  'X-Service-Event-Id': 'id',
  'X-Service-Delivery': 'delivery',
  'X-Service-Attempt': 'attempt',
} as const;

function nameHeaders(document: ApiDocument, names: Dialect['webhooks']['headers']): void {
  for (const [standard, which] of Object.entries(headersOf)) {
    const parameter = document.components.parameters[standard];
    if (parameter && names[which] !== null) parameter['name'] = names[which];
  }
  dropHeaders(document, (name) => name in headersOf && names[headersOf[name as keyof typeof headersOf]] === null);
}

function dropHeaders(document: ApiDocument, isDropped: (name: string) => boolean): void {
  const { parameters } = document.components;
  const extra = Object.keys(parameters).filter(
    (name) => String(parameters[name]?.['x-setting']).startsWith('webhooks.') && isDropped(name),
  );
  for (const delivery of deliveriesOf(document))
    delivery.parameters = delivery.parameters?.filter(({ $ref = '' }) => !extra.includes($ref.split('/').at(-1) ?? ''));
  for (const name of extra) Reflect.deleteProperty(parameters, name);
}

function deliveriesOf({ paths, webhooks }: ApiDocument): Operation[] {
  const callbacks = operationsOf(paths).flatMap((operation) =>
    Object.values(operation.callbacks ?? {}).flatMap((items) => operationsOf(items)),
  );
  return [...operationsOf(webhooks), ...callbacks];
}

/** Examples are in the default forms. */
function dropExamples(document: ApiDocument): void {
  const bodies = [
    ...deliveriesOf(document).map(({ requestBody }) => requestBody),
    ...operationsOf(document.paths).flatMap(({ responses }) => Object.values(responses)),
    ...Object.values(document.components.responses),
  ];
  for (const body of bodies) {
    const media = (body?.content as Readonly<Record<string, object>> | undefined)?.['application/json'];
    if (media) Reflect.deleteProperty(media, 'examples');
  }
}

function operationsOf(items: Readonly<Record<string, PathItem>>): Operation[] {
  return Object.values(items).flatMap((item) => Object.values(item));
}
