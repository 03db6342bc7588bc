/**
 * A help desk as a server: it registers its endpoint, confirms orders, and answers customers once. It works before it responds
 * to an event. FAULT in the environment plants one mistake; without it the application is right.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, PORT: port = '3000', FAULT: fault = '' } = process.env;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const orders = {};
const conversations = {};
const handled = new Set();
/** Statuses that came before the response to the send, by message. */
const early = {};
let secret = null;

/** Repeats what was certainly not taken; the rest is up to the caller. */
async function call(method, path, body, isSafe = false) {
  for (let wait = 200; ; wait = Math.min(2 * wait, 2000)) {
    try {
      const response = await fetch(base + path, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(5000),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      if (response.status === 429 && fault !== 'hammer')
        await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
      else if (fault === 'no-retry' || (response.status < 500 && response.status !== 429)) return null;
      else if (response.status === 503 || response.status === 429 || isSafe) await sleep(fault === 'hammer' ? 5 : wait);
      else return null;
    } catch {
      if (!isSafe && fault !== 'blind-retry') return null;
      await sleep(wait);
    }
  }
}

async function register() {
  const url = `https://127.0.0.1:${port}/events`;
  const endpoint = await call('POST', '/v1/webhooks', { url, events: ['message.status', 'message.received'] }, true);
  secret = endpoint?.secret ?? secret;
}

function isRight(raw, given = '') {
  if (fault === 'no-signature') return true;
  const wanted = `sha256=${createHmac('sha256', secret ?? '')
    .update(raw)
    .digest('hex')}`;
  return secret !== null && given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}

const rank = ['accepted', 'sent', 'delivered', 'read', 'failed'];

function reach(order, status) {
  if (fault === 'backwards' || rank.indexOf(status) > rank.indexOf(order.status)) order.status = status;
}

async function handle({ id, type, data }) {
  if (handled.has(id) && fault !== 'no-dedupe') return;
  handled.add(id);
  if (type === 'message.status') {
    const order = Object.values(orders).find(({ message }) => message === data.message_id);
    if (!order) early[data.message_id] = [...(early[data.message_id] ?? []), data.status];
    if (!order || (data.status === 'failed' && fault === 'failed-as-sent')) return;
    if (data.status === 'failed' && fault === 'crash') process.exit(1);
    reach(order, data.status);
    if (fault === 'forgets') delete order.asked;
  } else if (type === 'message.received') {
    const said = { text: data.text, answered: 'not yet' };
    for (const order of Object.values(orders)) if (order.phone === data.from) order.asked = true;
    conversations[data.from] = [...(conversations[data.from] ?? []), said];
    const reply = { to: data.from, type: 'text', text: 'Thank you, we will look into it.' };
    // Nobody knows whether a reply without a response was taken: a person decides.
    said.answered = (await call('POST', '/v1/messages', reply)) === null && fault !== 'silent' ? 'unknown' : 'yes';
  }
}

async function confirm(number, to) {
  orders[number] = { phone: to, status: 'accepted', message: null };
  const template = { name: 'order_shipped', language: 'en', variables: [number] };
  const sent = await call('POST', '/v1/messages', { to, type: 'template', template });
  if (sent === null) return void (orders[number].status = 'unknown');
  orders[number].message = sent.message_id;
  for (const status of early[sent.message_id] ?? []) reach(orders[number], status);
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const end = (status, body = {}) => response.writeHead(status).end(JSON.stringify(body));
  if (request.url === '/events') {
    if (!isRight(raw, request.headers['x-service-signature'])) return end(401);
    await handle(JSON.parse(raw));
    return end(200);
  }
  if (request.url === '/state') {
    return end(200, {
      orders: Object.fromEntries(
        Object.entries(orders).map(([n, o]) => [n, o.asked ? `${o.status}, asked` : o.status]),
      ),
      conversations,
    });
  }
  if (request.url === '/orders') {
    const { number, phone } = JSON.parse(raw);
    await confirm(number, phone);
    return end(202);
  }
  return end(request.url === '/livez' ? 200 : 404);
});
server.listen(Number(port), '127.0.0.1', register);
