/**
 * Visits as a script with timers of its own, of which an hour lasts a second, for --clock x3600: it says after two hours what
 * became of each invitation. FAULT plants one mistake; without it the application is right.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, FAULT: fault = '' } = process.env;
const hour = 1000;
const statuses = new Map();
const rank = ['sent', 'delivered', 'read', 'failed'];
let secret;

async function post(path, body, isSafe = false) {
  for (let tries = 0; tries < 6; tries += 1) {
    try {
      const response = await fetch(base + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(4000),
      });
      const answer = await response.json();
      if (response.ok) return answer;
      const isBusy = response.status === 429 || response.status === 503;
      if (fault === 'no-retry' || (!isBusy && !(isSafe && response.status >= 500))) return null;
      if (isBusy) await sleep(1000 * Number(response.headers.get('retry-after') ?? 0.5));
    } catch {
      if (!isSafe && fault !== 'blind-retry') return null;
    }
    await sleep(100);
  }
  return null;
}

const server = createServer(async (request, response) => {
  let raw = '';
  for await (const chunk of request) raw += chunk;
  const right = `sha256=${createHmac('sha256', secret ?? '')
    .update(raw)
    .digest('hex')}`;
  if (secret === undefined || request.headers['x-service-signature'] !== right) return response.writeHead(401).end();
  response.end();
  const { data } = JSON.parse(raw);
  const known = statuses.get(data.message_id);
  if (fault === 'backwards' || rank.indexOf(data.status) > rank.indexOf(known))
    statuses.set(data.message_id, data.status);
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));

const url = `https://127.0.0.1:${server.address().port}/events`;
secret = (await post('/v1/webhooks', { url, events: ['message.status'] }, true))?.secret;
const visits = {};
const invite = async (name, to) => {
  const template = { name: 'visit', language: 'en', variables: [name] };
  const sent = await post('/v1/messages', { to, type: 'template', template });
  await sleep(2 * hour);
  visits[name] = sent === null ? 'unknown' : (statuses.get(sent.message_id) ?? 'not heard of');
};
await Promise.all([invite('Ada', '+12025550111'), invite('Bob', '+12025550112')]);
console.log(JSON.stringify({ visits, listening: secret !== undefined }));
process.exit(0);
