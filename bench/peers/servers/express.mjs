/** The least that a JSON service on Express does: parse a body, send one. `node express.mjs PORT` */
import express from 'express';

const message = {
  message_id: '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90',
  wamid: 'wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
  status: 'read',
  type: 'template',
  created_at: '2026-03-01T09:00:00.000Z',
  error: null,
};

const app = express();
app.use(express.json());
app.post('/v1/messages', (request, response) => response.json(request.body));
app.get('/v1/messages/:message_id', (request, response) => response.json(message));
app.listen(Number(process.argv[2]), '127.0.0.1');
