/** node:http alone: reads the body, parses it, sends it back. `node node-http.mjs PORT` */
import { createServer } from 'node:http';
import { message } from './answers.mjs';

const text = JSON.stringify(message);

function answer(response, body) {
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

createServer((request, response) => {
  if (request.method === 'GET') {
    answer(response, text);
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
