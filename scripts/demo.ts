/**
 * Plays a complete story: `npm run demo`. Starts the sandbox with a frozen clock, and a short receiver; then sends,
 * waits and verifies like an application. Nothing sleeps: commands move the clock, and an advance returns when
 * everything that it caused has finished. Exits with 0 only if every step has happened.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSandbox, SandboxError, verifySignature } from '../src/index.js';

interface ReceivedEvent {
  readonly type: string;
  readonly data: { readonly status?: string; readonly text?: string; readonly otp_id?: string };
}

// --- The sandbox, on a free port -----------------------------------------------------------------------------------
const sandbox = await createSandbox({ clock: 'frozen:2026-03-01T09:00:00Z', logLevel: 'silent' });
const customer = '+12025550123';
type Answer = Readonly<Record<string, unknown>>;
const post = (path: string, body: object) => sandbox.call<Answer>('POST', path, body);

// --- Your receiver: plain HTTP, and a signature check over the bytes as they came -----------------------------------
let secret = '';
const received: ReceivedEvent[] = [];
const receiver = createServer((request, response) => {
  void text(request).then((raw) => {
    const genuine = verifySignature(secret, raw, request.headers['x-service-signature']);
    response.writeHead(genuine ? 200 : 401).end();
    if (!genuine) return;
    const event = JSON.parse(raw) as ReceivedEvent;
    received.push(event);
    console.log(`     ← ${event.type.padEnd(16)} ${outline(event).padEnd(34)} signature ok`);
  });
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const receiverPort = (receiver.address() as AddressInfo).port;

function outline({ data }: ReceivedEvent): string {
  return data.status ?? data.text ?? data.otp_id ?? '';
}

/** Runs one step, then checks that it caused exactly these signed events, in this order. */
async function step<Result>(title: string, expected: string[], run: () => Promise<Result>): Promise<Result> {
  console.log(`\n${title}`);
  const before = received.length;
  const result = await run();
  assert.deepEqual(
    received.slice(before).map((event) => `${event.type} ${outline(event)}`.trim()),
    expected,
  );
  return result;
}

// --- The walk -------------------------------------------------------------------------------------------------------
try {
  await step('1. Register a receiver (an https URL; a local server may speak plain HTTP)', [], async () => {
    const events = ['message.received', 'message.status', 'otp.verified', 'template.status'];
    const endpoint = await post('/v1/webhooks', { url: `https://localhost:${receiverPort}/hook`, events });
    secret = String(endpoint['secret']);
    console.log(`     secret ${secret}`);
  });

  await step('2. Submit a template; a second later it is approved', ['template.status approved'], async () => {
    const body = 'Order {{1}} has left. It arrives {{2}}.';
    const template = { name: 'order_shipped', category: 'utility', language: 'en', body };
    assert.equal((await post('/v1/templates', template))['status'], 'pending_review');
    await sandbox.clock.advance('1s');
  });

  const progress = ['message.status sent', 'message.status delivered', 'message.status read'];
  await step('3. Send it: sent, delivered, read', progress, async () => {
    const template = { name: 'order_shipped', language: 'en', variables: ['A-17', 'on Tuesday'] };
    const sent = await post('/v1/messages', { to: customer, type: 'template', template });
    assert.equal(sent['status'], 'accepted');
    await sandbox.clock.advance('1m');
    const found = await sandbox.call<Answer>('GET', `/v1/messages/${String(sent['message_id'])}`);
    assert.equal(found['status'], 'read');
  });

  await step('4. The customer answers', ['message.received Thank you!'], async () => {
    await sandbox.customer(customer).says('Thank you!');
    await sandbox.clock.advance('0s');
  });

  const reply = { to: customer, type: 'text', text: 'You are welcome.' };
  await step('5. Inside the 24-hour window a free-form reply goes out', progress, async () => {
    assert.equal((await post('/v1/messages', reply))['status'], 'accepted');
    await sandbox.clock.advance('1m');
  });

  await step('6. A day later the window is closed, and the reply is refused', [], async () => {
    await sandbox.clock.advance('24h');
    const refused = await post('/v1/messages', reply).catch((error: unknown) => error);
    assert(refused instanceof SandboxError && refused.code === 'send_failed');
    console.log(`     ${refused.status} ${refused.code}: ${refused.message}`);
  });

  await step('7. One-time codes need an approved authentication template', ['template.status approved'], async () => {
    await post('/v1/templates', { name: 'login_code', category: 'authentication', language: 'en' });
    await sandbox.clock.advance('1s');
  });

  const otp = await step('8. Send a code, and try a wrong one', [], async () => {
    const sent = await post('/v1/otp/send', { to: customer });
    const { code } = await sandbox.otp(customer);
    const wrong = code === '000000' ? '111111' : '000000';
    const answer = await post('/v1/otp/verify', { otp_id: sent['otp_id'], code: wrong });
    assert.deepEqual([answer['valid'], answer['attempts_remaining']], [false, 4]);
    console.log(`     ${wrong} is wrong; attempts remaining: 4`);
    return { id: String(sent['otp_id']), code };
  });

  await step('9. The right one', [`otp.verified ${otp.id}`], async () => {
    assert.equal((await post('/v1/otp/verify', { otp_id: otp.id, code: otp.code }))['valid'], true);
    await sandbox.clock.advance('0s');
  });

  console.log(`\nAll of it happened: ${received.length} events, every signature checked.`);
} finally {
  receiver.close();
  await sandbox.close();
}
