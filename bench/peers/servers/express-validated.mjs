/** Express with express-openapi-validator on both sides, and nothing behind it. `node express-validated.mjs PORT DOCUMENT` */
import { randomUUID } from 'node:crypto';
import express from 'express';
import { middleware } from 'express-openapi-validator';

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

const app = express();
app.use(express.json());
app.use(middleware({ apiSpec: process.argv[3], validateRequests: true, validateResponses: true }));
app.post('/v1/messages', ({ body: { to } }, response) =>
  response.json(Array.isArray(to) ? batch(to) : { message_id: randomUUID(), status: 'accepted' }),
);
app.get('/v1/messages/:message_id', (request, response) => response.json(message));
app.use((error, request, response, _next) => response.status(error.status ?? 500).json({ message: error.message }));
app.listen(Number(process.argv[2]), '127.0.0.1');
