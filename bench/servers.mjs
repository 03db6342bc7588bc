/** Two Express servers to compare with: `node servers.mjs echo PORT`, `node servers.mjs validated PORT DOCUMENT`. */
import { randomUUID } from 'node:crypto';
import express from 'express';

const [kind, port, document] = process.argv.slice(2);
const message = {
  message_id: '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90',
  wamid: 'wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
  status: 'read',
  type: 'template',
  created_at: '2026-03-01T09:00:00.000Z',
  error: null,
};

/** One recipient, or a list of them. */
function accepted({ to }) {
  if (!Array.isArray(to)) return { message_id: randomUUID(), status: 'accepted' };
  const results = to.map((number) => ({ to: number, ok: true, message_id: randomUUID() }));
  return { batch_id: randomUUID(), recipient_count: to.length, failed_count: 0, status: 'queued', results };
}

const app = express();
app.use(express.json());
if (kind === 'validated') {
  const { middleware } = await import('express-openapi-validator');
  app.use(middleware({ apiSpec: document, validateRequests: true, validateResponses: true }));
}
app.post('/v1/messages', ({ body }, response) => response.json(kind === 'validated' ? accepted(body) : body));
app.get('/v1/messages/:message_id', (request, response) => response.json(message));
app.use((error, request, response, _next) => response.status(error.status ?? 500).json({ message: error.message }));
app.listen(Number(port), '127.0.0.1');
