/** node:http alone: reads the body, parses it, sends it back. `node node-http.mjs PORT` */
import { createServer } from 'node:http';

const message = JSON.stringify({
  message_id: '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90',
  wamid: 'wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
  status: 'read',
  type: 'template',
  created_at: '2026-03-01T09:00:00.000Z',
  error: null,
});

function answer(response, text) {
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

createServer((request, response) => {
  if (request.method === 'GET') {
    answer(response, message);
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    try {
      answer(response, JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())));
    } catch {
      response.statusCode = 400;
      response.end();
    }
  });
}).listen(Number(process.argv[2]), '127.0.0.1');
