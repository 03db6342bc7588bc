/**
 * The least that is right, as a script: it retries what was not taken, and says "unknown" of what it does not know, though
 * it hears the events. FAULT plants one mistake.
 */
import { createHmac } from 'node:crypto';
import http from 'node:http';

const { MESSAGING_BASE_URL, MESSAGING_API_KEY, FAULT } = process.env;
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const state = {};
const ids = {};
const early = {};
const seen = {};
let secret;

async function api(path, body, retryAll = false) {
  let last;
  for (let i = 0; i < 6; i++) {
    try {
      const response = await fetch(MESSAGING_BASE_URL + path, {
        method: 'POST',
        headers: { Authorization: 'Bearer ' + MESSAGING_API_KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(6000),
      });
      if (response.status === 200 || response.status === 201) return await response.json();
      last = new Error('status ' + response.status);
      last.again = [429, 503].includes(response.status);
      last.after = Number(response.headers.get('retry-after')) || 0.5;
    } catch (error) {
      last = error;
    }
    if (!last.again && !retryAll) break;
    if (FAULT === 'no-retry') break;
    await wait(last.after ?? 0.5);
  }
  throw last;
}

function apply(id, status) {
  const order = Object.keys(ids).find((number) => ids[number] === id);
  if (!order) early[id] = status;
  else if (FAULT === 'backwards' || state[order] !== 'read') state[order] = status;
}

const server = http.createServer((req, res) => {
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => {
    const raw = Buffer.concat(parts);
    const mac = createHmac('sha256', secret ?? 'x')
      .update(raw)
      .digest('hex');
    if (req.headers['x-service-signature'] !== `sha256=${mac}` && FAULT !== 'no-signature') {
      res.statusCode = 400;
      return res.end('no');
    }
    const event = JSON.parse(raw);
    if (event.type !== 'message.status' && FAULT === 'crash') throw new Error('unknown event');
    if (!seen[event.id]) apply(event.data.message_id, event.data.status);
    seen[event.id] = true;
    res.end('ok');
  });
});
await new Promise((resolve) => server.listen(0, resolve));
const url = `https://localhost:${server.address().port}/`;
try {
  secret = (await api('/v1/webhooks', { url, events: ['message.status'] }, FAULT !== 'gives-up')).secret;
} catch (error) {
  if (FAULT !== 'gives-up') throw error;
}
for (const [number, to] of [
  ['7', '+12025550111'],
  ['8', '+12025550112'],
]) {
  try {
    const template = { name: 'order_update', language: 'en', variables: [number] };
    const { message_id } = await api('/v1/messages', { to, type: 'template', template });
    ids[number] = message_id;
    state[number] = early[message_id] ?? 'accepted';
  } catch (error) {
    state[number] = error.again ? 'gave up' : 'unknown';
  }
}
for (let i = 0; i < 60 && Object.values(state).some((one) => ['accepted', 'sent', 'delivered'].includes(one)); i++)
  await wait(0.1);
console.log(JSON.stringify({ orders: state, listening: secret !== undefined }));
process.exit(0);
