/**
 * `openapi.yaml` describes the default dialect. This returns the same document for another dialect, with its statuses,
 * its error envelope and its delivery headers.
 */
import { errorTable, type ErrorCode } from '../domain/errors.js';
import { defaultDialect, type Dialect } from './model.js';
import { moveErrors } from './move-errors.js';
import { dropUnused, operationsOf, resolved, type ApiDocument, type Schema } from './document-parts.js';

/** Returns the document itself for the default dialect, otherwise a changed copy. */
export function dialectDocument<Document extends object>(document: Document, dialect: Dialect): Document {
  if (JSON.stringify(dialect) === JSON.stringify(defaultDialect)) return document;
  const copy = structuredClone(document) as Document & ApiDocument;
  const statusOf = (code: string) => dialect.errors.status[code as ErrorCode] ?? errorTable[code as ErrorCode].status;
  moveSuccesses(copy, dialect);
  // Called before the fields are moved, while every example is still in one place.
  if (dialect.errors.envelope === 'flat') flattenErrors(copy);
  moveErrors(copy, statusOf);
  if (dialect.templates.echo_buttons) showButtons(copy);
  if (dialect.otp.lock === 'same_call') countToOne(copy);
  if (!dialect.webhooks.extra_headers) dropExtraHeaders(copy);
  dropUnused(copy);
  return copy;
}

function moveSuccesses(document: ApiDocument, { http }: Dialect): void {
  for (const { responses } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      const setting = resolved(document, response)['x-setting'];
      const wanted = setting === 'http.created' ? http.created : setting === 'http.deleted' ? http.deleted : null;
      if (wanted === null || String(wanted) === status) continue;
      responses[wanted] = wanted === 200 ? { ...response, ...deleted } : response;
      Reflect.deleteProperty(responses, status);
    }
  }
  document.components.schemas['WebhookDeleted'] = webhookDeleted;
}

const deleted = {
  description: 'The endpoint was removed.',
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/WebhookDeleted' },
      examples: {
        deleted: {
          summary: 'The removed endpoint',
          value: { id: '2f6a1c3e-5b7d-4f90-8a1b-3c5d7e9f0a1b', deleted: true },
        },
      },
    },
  },
};

const webhookDeleted: Schema = {
  description: 'Endpoint that was removed.',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'deleted'],
  properties: {
    id: { $ref: '#/components/schemas/Uuid' },
    deleted: { description: 'Always true.', type: 'boolean', enum: [true] },
  },
};

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

function showButtons({ components }: ApiDocument): void {
  const { properties, ...template } = components.schemas['Template'] ?? {};
  const buttons = {
    description: 'Buttons as submitted; absent if the submission had none.',
    type: 'array',
    items: { $ref: '#/components/schemas/TemplateButton' },
  };
  components.schemas['Template'] = { ...template, properties: { ...properties, buttons } };
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
