/**
 * Plays a complete story: `npm run demo`. Starts the sandbox with a frozen clock, and a short receiver; then sends,
 * waits and verifies like an application. Nothing sleeps: commands move the clock, and an advance returns when
 * everything that it caused has finished. Exits with 0 only if every step has happened.
 */
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolveConfig } from '../src/config/index.js';
import { silentLog } from '../src/log.js';
import { startSandbox } from '../src/sandbox.js';

type Json = Record<string, unknown>;
interface ReceivedEvent {
  readonly type: string;
  readonly data: Json;
}

// --- The sandbox, on a free port -----------------------------------------------------------------------------------
const config = resolveConfig({ flags: { port: '0', clock: 'frozen:2026-03-01T09:00:00Z' } });
const sandbox = await startSandbox(config, { log: silentLog });
const customer = '+12025550123';

async function call(method: string, path: string, body?: Json): Promise<Json & { httpStatus: number }> {
  const answer = await fetch(sandbox.url + path, {
    method,
    headers: { Authorization: 'Bearer test_default', 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { ...((await answer.json()) as Json), httpStatus: answer.status };
}
const advance = (by: string): Promise<Json> => call('POST', '/_sandbox/clock/advance', { by });

// --- Your receiver: plain HTTP, and a signature check over the bytes as they came -----------------------------------
let secret = '';
const received: ReceivedEvent[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const raw = Buffer.concat(chunks);
    const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
    const given = Buffer.from(String(request.headers['x-service-signature']));
    const genuine = given.length === expected.length && timingSafeEqual(given, expected);
    response.writeHead(genuine ? 200 : 401).end();
    if (!genuine) return;
    const event = JSON.parse(raw.toString()) as ReceivedEvent;
    received.push(event);
    console.log(`     ← ${event.type.padEnd(16)} ${outline(event.data).padEnd(34)} signature ok`);
  });
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const receiverPort = (receiver.address() as AddressInfo).port;

function outline(data: Json): string {
  const told = data['status'] ?? data['text'] ?? data['otp_id'];
  return typeof told === 'string' ? told : '';
}

/** Runs one step, then checks that it caused exactly these signed events, in this order. */
async function step<Result>(title: string, expected: string[], run: () => Promise<Result>): Promise<Result> {
  console.log(`\n${title}`);
  const before = received.length;
  const result = await run();
  assert.deepEqual(
    received.slice(before).map((event) => `${event.type} ${outline(event.data)}`.trim()),
    expected,
  );
  return result;
}

// --- The walk -------------------------------------------------------------------------------------------------------
try {
  await step('1. Register a receiver (an https URL; a local server may speak plain HTTP)', [], async () => {
    const events = ['message.received', 'message.status', 'otp.verified', 'template.status'];
    const endpoint = await call('POST', '/v1/webhooks', { url: `https://localhost:${receiverPort}/hook`, events });
    assert.equal(endpoint.httpStatus, 200);
    secret = String(endpoint['secret']);
    console.log(`     secret ${secret}`);
  });

  await step('2. Submit a template; a second later it is approved', ['template.status approved'], async () => {
    const body = 'Order {{1}} has left. It arrives {{2}}.';
    const template = { name: 'order_shipped', category: 'utility', language: 'en', body };
    assert.equal((await call('POST', '/v1/templates', template))['status'], 'pending_review');
    await advance('1s');
  });

  const progress = ['message.status sent', 'message.status delivered', 'message.status read'];
  await step('3. Send it: sent, delivered, read', progress, async () => {
    const template = { name: 'order_shipped', language: 'en', variables: ['A-17', 'on Tuesday'] };
    const sent = await call('POST', '/v1/messages', { to: customer, type: 'template', template });
    assert.equal(sent['status'], 'accepted');
    await advance('1m');
    assert.equal((await call('GET', `/v1/messages/${String(sent['message_id'])}`))['status'], 'read');
  });

  await step('4. The customer answers', ['message.received Thank you!'], async () => {
    await call('POST', '/_sandbox/inbound', { from: customer, text: 'Thank you!' });
    await advance('0s');
  });

  const reply = { to: customer, type: 'text', text: 'You are welcome.' };
  await step('5. Inside the 24-hour window a free-form reply goes out', progress, async () => {
    assert.equal((await call('POST', '/v1/messages', reply))['status'], 'accepted');
    await advance('1m');
  });

  await step('6. A day later the window is closed, and the reply is refused', [], async () => {
    await advance('24h');
    const refused = await call('POST', '/v1/messages', reply);
    const error = refused['error'] as Json;
    assert.equal(error['code'], 'send_failed');
    console.log(`     ${refused.httpStatus} ${error['code']}: ${String(error['message'])}`);
  });

  await step('7. One-time codes need an approved authentication template', ['template.status approved'], async () => {
    await call('POST', '/v1/templates', { name: 'login_code', category: 'authentication', language: 'en' });
    await advance('1s');
  });

  const otp = await step('8. Send a code, and try a wrong one', [], async () => {
    const sent = await call('POST', '/v1/otp/send', { to: customer });
    const { code } = await call('GET', `/_sandbox/otps/${String(sent['otp_id'])}`);
    const wrong = code === '000000' ? '111111' : '000000';
    const answer = await call('POST', '/v1/otp/verify', { otp_id: sent['otp_id'], code: wrong });
    assert.deepEqual([answer['valid'], answer['attempts_remaining']], [false, 4]);
    console.log(`     ${wrong} is wrong; attempts remaining: 4`);
    return { id: String(sent['otp_id']), code: String(code) };
  });

  await step('9. The right one', [`otp.verified ${otp.id}`], async () => {
    const answer = await call('POST', '/v1/otp/verify', { otp_id: otp.id, code: otp.code });
    assert.equal(answer['valid'], true);
    await advance('0s');
  });

  console.log(`\nAll of it happened: ${received.length} events, every signature checked.`);
} finally {
  receiver.close();
  await sandbox.close();
}
