/** The least that a JSON service on Express does: parse a body, send one. `node express.mjs PORT` */
import express from 'express';
import { message } from './answers.mjs';

const app = express();
app.use(express.json());
app.post('/v1/messages', (request, response) => response.json(request.body));
app.get('/v1/messages/:message_id', (request, response) => response.json(message));
app.listen(Number(process.argv[2]), '127.0.0.1');
