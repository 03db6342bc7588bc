/** Fastify with the schemas of the same document for request and answer. `node fastify.mjs PORT DOCUMENT` */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

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
const message = {
  message_id: '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90',
  wamid: 'wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
  status: 'read',
  type: 'template',
  created_at: '2026-03-01T09:00:00.000Z',
  error: null,
};

function batch(to) {
  const results = to.map((number) => ({ to: number, ok: true, message_id: randomUUID() }));
  return { batch_id: randomUUID(), recipient_count: to.length, failed_count: 0, status: 'queued', results };
}

// Values are judged as they are, as in ours: nothing converted, nothing dropped.
const app = fastify({ ajv: { customOptions: { strict: false, coerceTypes: false, removeAdditional: false } } });
app.post(
  '/v1/messages',
  { schema: { body: schema(SendMessageRequest), response: { 200: schema(SendMessageResponse) } } },
  async ({ body: { to } }) => (Array.isArray(to) ? batch(to) : { message_id: randomUUID(), status: 'accepted' }),
);
app.get('/v1/messages/:message_id', { schema: { response: { 200: schema(Message) } } }, async () => message);
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
