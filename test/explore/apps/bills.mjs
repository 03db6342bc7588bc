/**
 * Bills as a server without webhooks: a timer sends what is new, and looks up what became of the rest. FAULT plants one
 * mistake; without it the application is right.
 */
import { createServer } from 'node:http';

const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, PORT: port, FAULT: fault = '' } = process.env;
const bills = []; // { phone, sum, state, id, notBefore }

async function call(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(3000),
  });
  if (response.status === 429 || response.status === 503)
    throw Object.assign(new Error('busy'), { after: Number(response.headers.get('retry-after') ?? 1) });
  return { status: response.status, body: await response.json() };
}

async function send(bill) {
  if (Date.now() < bill.notBefore) return;
  const template = { name: 'bill_due', language: 'en', variables: [bill.sum] };
  try {
    const { status, body } = await call('POST', '/v1/messages', { to: bill.phone, type: 'template', template });
    bill.id = body.message_id;
    bill.state = status >= 500 ? 'unclear' : status === 200 ? 'accepted' : 'refused';
  } catch ({ after }) {
    if (after !== undefined) bill.notBefore = Date.now() + 1000 * after;
    // Nobody knows whether it was taken: a person decides.
    else if (fault !== 'blind-retry') bill.state = 'unclear';
  }
}

async function look(bill) {
  try {
    const { status, body } = await call('GET', `/v1/messages/${bill.id}`);
    if (status === 200) bill.state = body.status;
  } catch (error) {
    if (fault === 'stops-looking') bill.state = 'unclear';
    if (fault === 'crash') throw error;
  }
}

let isBusy = false;
setInterval(async () => {
  if (isBusy) return;
  isBusy = true;
  for (const bill of bills) {
    if (bill.state === 'new') await send(bill);
    else if (['accepted', 'sent', 'delivered'].includes(bill.state)) await look(bill);
  }
  isBusy = false;
}, 300);

createServer((request, response) => {
  let raw = '';
  request.on('data', (text) => (raw += text));
  request.on('end', () => {
    if (raw !== '') bills.push({ ...JSON.parse(raw), state: 'new', notBefore: 0 });
    response.end(JSON.stringify(bills.map(({ phone, state }) => ({ phone, state }))));
  });
}).listen(Number(port));
