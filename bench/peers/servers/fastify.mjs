/** Fastify with the schemas of the same document for request and answer. `node fastify.mjs PORT DOCUMENT` */
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { accepted, message } from './answers.mjs';

const { components } = JSON.parse(readFileSync(process.argv[3], 'utf8'));

/** A schema of the document on its own: references written out, and only the words that JSON Schema knows. */
function schema(value) {
  if (Array.isArray(value)) return value.map(schema);
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') return schema(components.schemas[value.$ref.split('/').at(-1)]);
  const known = Object.entries(value).filter(
    ([key]) => !key.startsWith('x-') && !['discriminator', 'example', 'examples', 'description'].includes(key),
  );
  return Object.fromEntries(known.map(([key, part]) => [key, schema(part)]));
}

const { SendMessageRequest, SendMessageResponse, Message } = components.schemas;

// Values are judged as they are, as in ours: nothing converted, nothing dropped.
const app = fastify({ ajv: { customOptions: { strict: false, coerceTypes: false, removeAdditional: false } } });
app.post(
  '/v1/messages',
  { schema: { body: schema(SendMessageRequest), response: { 200: schema(SendMessageResponse) } } },
  async ({ body }) => accepted(body),
);
app.get('/v1/messages/:message_id', { schema: { response: { 200: schema(Message) } } }, async () => message);
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
