/**
 * An application for a story. Its code is the first argument: it may set `on.event` (a webhook event), `on.call` (a call of a
 * user, which returns the response body), and use `api`, `state` and `sleep`. GET /state shows its state.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, PORT } = process.env;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const on = { event: () => undefined, call: () => ({}), events: ['message.received', 'message.status'] };
const state = {};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const api = async (method, path, body) => {
  const response = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, after: Number(response.headers.get('retry-after')), ...(await response.json()) };
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
