/**
 * `openapi.yaml` describes the default dialect. This returns the same document for another dialect, with its statuses,
 * its error envelope and its delivery headers.
 */
import { errorTable, type ErrorCode } from '../domain/errors.js';
import { defaultDialect, type Dialect } from './model.js';

/** The parts of the API document that a dialect changes. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly responses: Record<string, Response>;
    readonly parameters: Record<string, Schema>;
    readonly headers: Record<string, Schema>;
  };
}

interface Operation {
  readonly responses: Record<string, Response>;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Operation>>>>>>;
  parameters?: readonly { readonly $ref?: string }[];
}

interface Response {
  readonly $ref?: string;
  description?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, Media>>;
  readonly 'x-error-codes'?: readonly string[];
  readonly 'x-setting'?: string;
}

interface Media {
  readonly schema?: { readonly $ref?: string };
  readonly examples?: Readonly<Record<string, { value: unknown }>>;
}

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Record<string, unknown>>>;
}

/** Returns the document itself for the default dialect, otherwise a changed copy. */
export function dialectDocument<Document extends object>(document: Document, dialect: Dialect): Document {
  if (JSON.stringify(dialect) === JSON.stringify(defaultDialect)) return document;
  const copy = structuredClone(document) as Document & ApiDocument;
  const statusOf = (code: string) => dialect.errors.status[code as ErrorCode] ?? errorTable[code as ErrorCode].status;
  moveSuccesses(copy, dialect);
  // Called before the fields are moved, while every example is still in one place.
  if (dialect.errors.envelope === 'flat') flattenErrors(copy);
  moveErrors(copy, statusOf);
  if (dialect.otp.lock === 'same_call') countToOne(copy);
  if (!dialect.webhooks.extra_headers) dropExtraHeaders(copy);
  dropUnused(copy);
  return copy;
}

function moveSuccesses(document: ApiDocument, { http }: Dialect): void {
  for (const { responses } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      const isCreation = resolved(document, response)['x-setting'] === 'http.created';
      if (!isCreation || String(http.created) === status) continue;
      responses[http.created] = response;
      Reflect.deleteProperty(responses, status);
    }
  }
}

/** Moves the fields of an error to the top level of the response, in the schema and in all examples. */
function flattenErrors(document: ApiDocument): void {
  const { schemas, responses } = document.components;
  const { description } = schemas['ErrorResponse'] ?? {};
  schemas['ErrorResponse'] = { ...schemas['ErrorBody'], ...(description !== undefined && { description }) };
  for (const { content } of Object.values(responses)) {
    const { schema, examples = {} } = content?.['application/json'] ?? {};
    if (schema?.$ref !== '#/components/schemas/ErrorResponse') continue;
    for (const example of Object.values(examples)) example.value = (example.value as { error: unknown }).error;
  }
}

/** The wrong code that uses the last attempt is rejected, so no response has 0 attempts left. */
function countToOne({ components, paths }: ApiDocument): void {
  const remaining = components.schemas['OtpVerification']?.properties?.['attempts_remaining'];
  if (remaining) remaining['minimum'] = 1;
  const verified = paths['/v1/otp/verify']?.['post']?.responses['200'];
  if (verified)
    verified.description =
      'The code was compared. A wrong code is not an error: `attempts_remaining` counts down from 4 to 1. ' +
      'The wrong code that uses up the last attempt is rejected.\n';
}

function dropExtraHeaders(document: ApiDocument): void {
  const { parameters } = document.components;
  const extra = Object.keys(parameters).filter((name) => parameters[name]?.['x-setting'] === 'webhooks.extra_headers');
  const refs = new Set(extra.map((name) => `#/components/parameters/${name}`));
  const deliveries = [
    ...Object.values(document.webhooks).flatMap((item) => Object.values(item)),
    ...operationsOf(document).flatMap(({ callbacks = {} }) =>
      Object.values(callbacks).flatMap((targets) => Object.values(targets).flatMap((item) => Object.values(item))),
    ),
  ];
  for (const delivery of deliveries)
    delivery.parameters = (delivery.parameters ?? []).filter(({ $ref = '' }) => !refs.has($ref));
}

/** Moves each error to the status that a dialect gives its code. */
function moveErrors(document: ApiDocument, statusOf: (code: string) => number): void {
  for (const { responses } of operationsOf(document)) {
    const before = Object.entries(responses).map(([status, response]) => {
      const { 'x-error-codes': codes = [] } = resolved(document, response);
      return { status, response, codes };
    });
    const sources = before.filter(({ codes }) => codes.length > 0);
    const statuses = new Set(sources.flatMap(({ codes }) => codes.map((code) => String(statusOf(code)))));
    for (const { status } of sources) Reflect.deleteProperty(responses, status);
    for (const status of statuses) {
      const parts = sources.flatMap(({ response, codes }) => {
        const here = codes.filter((code) => String(statusOf(code)) === status);
        return here.length === 0 ? [] : [{ response, here, isWhole: here.length === codes.length }];
      });
      const [only] = parts;
      responses[status] =
        parts.length === 1 && only?.isWhole === true
          ? only.response
          : joined(parts.map(({ response, here }) => part(resolved(document, response), here)));
    }
  }
}

/** Returns a response with only some of its codes. */
function part(response: Response, codes: readonly string[]): Response {
  const media = response.content?.['application/json'];
  const examples = Object.entries(media?.examples ?? {}).filter(([name]) => codes.includes(name));
  return {
    ...response,
    description: codes.map((code) => errorTable[code as ErrorCode].title).join(' '),
    'x-error-codes': codes,
    content: { 'application/json': { ...media, examples: Object.fromEntries(examples) } },
  };
}

function joined(parts: readonly Response[]): Response {
  const examples = parts.map(({ content }) => content?.['application/json']?.examples);
  const response: Response = Object.assign({}, ...parts) as Response;
  return {
    ...response,
    description: parts.map(({ description }) => description).join(' '),
    headers: Object.assign({}, ...parts.map(({ headers }) => headers)) as object,
    'x-error-codes': [...new Set(parts.flatMap((each) => each['x-error-codes'] ?? []))],
    content: {
      'application/json': {
        ...response.content?.['application/json'],
        examples: Object.assign({}, ...examples) as Record<string, { value: unknown }>,
      },
    },
  };
}

function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

/** Returns a response, whether it is inline or a reference. */
function resolved({ components }: ApiDocument, response: Response): Response {
  return components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response;
}

/** Removes the components that are no longer referenced. */
function dropUnused(document: ApiDocument): void {
  const text = JSON.stringify(document);
  let dropped = false;
  for (const [kind, named] of Object.entries(document.components)) {
    for (const name of kind === 'securitySchemes' ? [] : Object.keys(named)) {
      if (text.includes(`"#/components/${kind}/${name}"`)) continue;
      Reflect.deleteProperty(named, name);
      dropped = true;
    }
  }
  if (dropped) dropUnused(document);
}
