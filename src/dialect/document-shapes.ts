import { eventTypes } from '../domain/words.js';
import { apiCodes, timestampForms } from './words.js';
import type { Dialect } from './description.js';
import { shapes, type ShapeKey } from './names.js';
import { type Json, placeholderIn, schemaOf } from './template.js';

type Schema = Record<string, unknown>;
type Schemas = Record<string, Schema>;

/** True if the bodies of a dialect differ from the examples in `openapi.yaml`. */
export function writesOtherwise({ errors, webhooks, events, shapes: own }: Dialect): boolean {
  const { 'ids.timestamp': form, ...others } = own;
  const templates = [errors.shape, webhooks.shape, ...Object.values(events), ...Object.values(others)];
  return (
    form !== timestampForms[0] || Object.keys(errors.codes).length > 0 || templates.some((each) => each !== undefined)
  );
}

export function shapeSchemas(schemas: Schemas, { errors, webhooks, events, shapes: own }: Dialect): void {
  const put = (name: string, key: ShapeKey, template: Json | undefined) => {
    if (template === undefined) return;
    const { description, title } = schemas[name] ?? {};
    schemas[name] = { ...(title !== undefined && { title }), description, ...schemaOf(template, shapes[key].names) };
  };
  renameCodes(schemas, errors.codes);
  if (errors.envelope === 'flat') schemas['ErrorResponse'] = schemas['ErrorBody'] ?? {};
  put('ErrorResponse', 'errors.shape', errors.shape);
  put('MessageError', 'shapes.message.error', own['message.error']);
  put('Webhook', 'shapes.webhooks.item', own['webhooks.item']);
  put('WebhookList', 'shapes.webhooks.list', own['webhooks.list']);
  shapeEntry(schemas, own['batch.failed']);
  for (const type of eventTypes) put(`${wordOf(type)}Data`, `events.${type}`, events[type]);
  if (webhooks.shape !== undefined) shapeEvents(schemas, webhooks.shape);
  if (own['ids.timestamp'] !== timestampForms[0]) shapeTimestamp(schemas, own['ids.timestamp']);
}

/** `message.status` → `MessageStatus`. */
function wordOf(type: string): string {
  return type.replace(/(?:^|\.)([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

function renameCodes(schemas: Schemas, codes: Dialect['errors']['codes']): void {
  if (Object.keys(codes).length === 0) return;
  const code = (schemas['ErrorBody']?.['properties'] as Schemas | undefined)?.['code'];
  if (!code) return;
  Reflect.deleteProperty(code, 'pattern');
  code['x-extensible-enum'] = [...new Set(apiCodes.map((each) => codes[each] ?? each))];
  // The error of an entry that the service itself rejected has such a code as well.
  const failure = (schemas['MessageError']?.['properties'] as Schemas | undefined)?.['code'];
  if (failure) Reflect.deleteProperty(failure, 'pattern');
}

/** An entry of a batch is accepted or failed. */
function shapeEntry(schemas: Schemas, template: Json | undefined): void {
  if (template === undefined) return;
  const uuid = { $ref: '#/components/schemas/Uuid' };
  schemas['BatchEntry'] = {
    description: 'Result for one recipient.',
    anyOf: [
      {
        type: 'object',
        required: ['to', 'ok', 'message_id'],
        properties: { to: { type: 'string' }, ok: { type: 'boolean', enum: [true] }, message_id: uuid },
      },
      schemaOf(template, shapes['shapes.batch.failed'].names),
    ],
  };
}

function shapeEvents(schemas: Schemas, template: Json): void {
  const names = shapes['webhooks.shape'].names;
  for (const type of eventTypes) {
    const word = wordOf(type);
    const { title, description } = schemas[`${word}Event`] ?? {};
    const own = {
      ...names,
      type: { schema: { type: 'string', enum: [type] } },
      data: { schema: { $ref: `#/components/schemas/${word}Data` } },
    };
    schemas[`${word}Event`] = { title, description, ...schemaOf(template, own) };
  }
  const any = schemas['WebhookEvent'] ?? {};
  const field = Object.entries(typeof template === 'object' && template !== null ? template : {}).find(
    ([, value]) => placeholderIn(value)?.name === 'type',
  )?.[0];
  const { mapping } = (any['discriminator'] ?? {}) as { mapping?: object };
  const { oneOf, discriminator: _discriminator, ...rest } = any;
  // Without a property that tells them apart, an event may fit more than one.
  schemas['WebhookEvent'] =
    field === undefined
      ? { ...rest, anyOf: oneOf }
      : { ...rest, oneOf, discriminator: { propertyName: field, mapping } };
}

function shapeTimestamp(schemas: Schemas, form: string): void {
  const pattern = form.replace(/[.+]/g, '\\$&').replace(/[YMDHms]+/g, (letters) => `\\d{${letters.length}}`);
  const { description: _description, 'x-allowed': _allowed, examples: _examples, ...rest } = schemas['Timestamp'] ?? {};
  schemas['Timestamp'] = { description: `ISO 8601 instant in UTC: ${form}.`, ...rest, pattern: `^${pattern}$` };
}
