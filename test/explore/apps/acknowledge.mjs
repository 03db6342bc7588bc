/**
 * A shop as a server that responds 200 to an event first and works later, from a queue with backoff. It sends again what it
 * sees no sign of. FAULT plants one mistake; without it the application is right.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, PORT: port, FAULT: fault = '' } = process.env;
const outbox = []; // { id, body, state, message, tries }
const inbox = new Map(); // event id -> event
const signs = new Map(); // message id -> { to, status }
let secret;

class Later extends Error {
  constructor(seconds) {
    super('later');
    this.seconds = seconds;
  }
}

async function post(path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(2500);
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (response.status === 429 || response.status === 503)
    throw new Later(fault === 'hammer' ? 0 : Number(response.headers.get('retry-after') ?? 1));
  if (response.status >= 500) throw new Error(`${response.status}`);
  return { status: response.status, body: await response.json() };
}

function enqueue(id, body) {
  if (outbox.some((job) => job.id === id)) return;
  outbox.push({ id, body, state: 'new', message: null });
  void work(outbox.at(-1));
}

const again = (job, seconds) => void setTimeout(() => void work(job), seconds * 1000 + 50);

async function work(job) {
  try {
    const { status, body } = await post('/v1/messages', job.body);
    job.state = status === 200 ? 'sent' : 'refused';
    job.message = body.message_id ?? null;
  } catch (error) {
    if (fault === 'no-retry') job.state = 'lost';
    else if (error instanceof Later) again(job, error.seconds);
    else if (fault === 'blind-retry') again(job, 0.2);
    // Nobody knows whether it was taken: an event of a message that nobody claims is the sign.
    else setTimeout(() => claim(job), 1500);
  }
}

function claim(job) {
  const mine = new Set(outbox.map(({ message }) => message));
  const sign = [...signs].find(([id, { to }]) => to === job.body.to && !mine.has(id));
  if (!sign) return void work(job);
  job.message = sign[0];
  job.state = 'sent';
}

function take(event) {
  if (inbox.has(event.id) && fault !== 'no-dedupe') return;
  inbox.set(event.id, event);
  const { data, type } = event;
  if (type === 'message.status') {
    if (fault === 'crash' && !['sent', 'delivered', 'read'].includes(data.status)) throw new Error(data.status);
    signs.set(data.message_id, { to: data.to, status: data.status });
  }
  if (type === 'message.received') {
    const id = fault === 'no-dedupe' ? `reply ${outbox.length}` : `reply ${event.id}`;
    enqueue(id, { to: data.from, type: 'text', text: `You wrote: ${data.text}` });
  }
}

async function register() {
  try {
    const url = `https://localhost:${port}/hook`;
    const { body } = await post('/v1/webhooks', { url, events: ['message.received', 'message.status'] });
    secret = body.secret;
  } catch (error) {
    if (fault === 'no-registration-retry') return;
    setTimeout(register, 1000 * (error instanceof Later ? error.seconds : 1));
  }
}

createServer((request, response) => {
  let raw = '';
  request.setEncoding('utf8').on('data', (text) => (raw += text));
  request.on('end', () => {
    if (request.url === '/health') return response.end();
    if (request.url === '/jobs')
      return response.end(JSON.stringify(outbox.map(({ body, state }) => ({ to: body.to, state }))));
    if (request.url === '/ship') {
      const { order, phone } = JSON.parse(raw);
      const template = { name: 'order_shipped', language: 'en', variables: [order] };
      enqueue(`ship ${order}`, { to: phone, type: 'template', template });
      return response.writeHead(202).end();
    }
    const right = `sha256=${createHmac('sha256', secret ?? '')
      .update(raw)
      .digest('hex')}`;
    const isRight = secret !== undefined && request.headers['x-service-signature'] === right;
    if (!isRight && fault !== 'no-signature') return response.writeHead(403).end();
    response.end();
    setTimeout(() => take(JSON.parse(raw)), 20);
  });
}).listen(Number(port), () => void register());
