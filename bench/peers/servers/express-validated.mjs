/** Express with express-openapi-validator on both sides, and nothing behind it. `node express-validated.mjs PORT DOCUMENT` */
import express from 'express';
import { middleware } from 'express-openapi-validator';
import { accepted, message } from './answers.mjs';

const app = express();
app.use(express.json());
app.use(middleware({ apiSpec: process.argv[3], validateRequests: true, validateResponses: true }));
app.post('/v1/messages', ({ body }, response) => response.json(accepted(body)));
app.get('/v1/messages/:message_id', (request, response) => response.json(message));
app.use((error, request, response, _next) => response.status(error.status ?? 500).json({ message: error.message }));
app.listen(Number(process.argv[2]), '127.0.0.1');
