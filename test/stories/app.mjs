/**
 * An application for a story. Its code is the first argument: it may set `on.event` (a webhook event), `on.call` (a call of a
 * user, which returns the response body), and use `api`, `state` and `sleep`. GET /state shows its state. A process that loads `fetch` takes twice as long to start.
 */
import { createHmac } from 'node:crypto';
import { createServer, request as call } from 'node:http';
import { json } from 'node:stream/consumers';

const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, PORT } = process.env;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const on = { event: () => undefined, call: () => ({}), events: ['message.received', 'message.status'] };
const state = {};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const api = async (method, path, body) => {
  const response = await new Promise((resolve, reject) => {
    const sent = call(base + path, { method, headers })
      .on('response', resolve)
      .on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
  const after = Number(response.headers['retry-after'] ?? 0);
  return { status: response.statusCode, after, ...(await json(response)) };
};
const text = (to, words) => api('POST', '/v1/messages', { to, type: 'text', text: words });
const template = (to, name) =>
  api('POST', '/v1/messages', { to, type: 'template', template: { name, language: 'en', variables: [] } });
let secret = '';
const signed = (body, signature) => signature === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const run = new Function('on', 'state', 'sleep', 'api', 'text', 'template', process.argv[2] ?? '');
run(on, state, sleep, api, text, template);

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  const answer = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  try {
    if (request.url === '/state') answer(200, state);
    else if (request.url === '/hook') {
      const isGenuine = signed(body, request.headers['x-service-signature']);
      const status = (await on.event(JSON.parse(body), isGenuine)) ?? 200;
      answer(status, {});
    } else answer(200, (await on.call(request.url, body.length > 0 ? JSON.parse(body) : {})) ?? {});
  } catch (error) {
    answer(500, { error: String(error) });
  }
}).listen(Number(PORT), '127.0.0.1', async () => {
  ({ secret } = await api('POST', '/v1/webhooks', { url: `https://127.0.0.1:${PORT}/hook`, events: on.events }));
});
