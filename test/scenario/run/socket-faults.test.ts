/** Responses that a rule delays or spoils on the wire, in real time. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import type { FaultReal } from '../../../src/language/respond.js';
import type { World } from '../../support/client.js';
import { ManualHost } from '../../support/manual-host.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, ruleOf, stage, trySend } from '../../support/scenes.js';

const to = '+12025550110';
const host = new ManualHost();

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen }, { hostTime: host });
});
afterAll(async () => {
  const closed = sandbox.close();
  host.tick(10_000);
  await closed;
});

interface Wire {
  readonly bytes: string;
  /** The error the client's socket saw, such as ECONNRESET; null for a plain end. */
  readonly error: string | null;
}

/** Sends one call over a socket of its own and tells how the connection ended. */
function callOverWire(world: World, started?: () => void): Promise<Wire> {
  const template = { name: 'order_shipped', language: 'en', variables: ['42'] };
  const body = JSON.stringify({ to, type: 'template', template });
  const head = [
    'POST /v1/messages HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${world.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve) => {
    let bytes = '';
    let error: string | null = null;
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
      started?.();
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (bytes += chunk));
    socket.on('error', (cause: NodeJS.ErrnoException) => (error = cause.code ?? cause.message));
    socket.on('close', () => resolve({ bytes, error }));
  });
}

const striking = (fault_real: FaultReal, more: object = {}) =>
  stage(sandbox, [{ id: 'strike', when: 'message.send', then: { respond: { fault_real, ...more } } }]);

const sent = (world: World) => world.items('/_sandbox/messages');

describe('on the wire', () => {
  it('reset: the client sees ECONNRESET, and nothing was accepted', async () => {
    const world = await striking('reset');
    expect(await callOverWire(world)).toEqual({ bytes: '', error: 'ECONNRESET' });
    expect(await sent(world)).toEqual([]);
    expect(await latestCall(world)).toMatchObject({
      status: null,
      response: null,
      fault: 'reset',
      explain: { by: 'rule', id: 'strike' },
    });
  });

  it('empty: the connection ends without a byte', async () => {
    const world = await striking('empty');
    expect(await callOverWire(world)).toEqual({ bytes: '', error: null });
    expect(await sent(world)).toEqual([]);
    expect(await latestCall(world)).toMatchObject({ status: null, fault: 'empty' });
  });

  it('hang: no byte for 30 real seconds, on record at once', async () => {
    const world = await striking('hang');
    let ended = false;
    const call = callOverWire(world).finally(() => (ended = true));
    await host.armed();
    expect(host.nextInMs).toBe(30_000);
    expect(await latestCall(world)).toMatchObject({ status: null, fault: 'hang' });
    host.tick(29_999);
    await world.clock();
    expect(ended).toBe(false);
    host.tick(1);
    expect(await call).toMatchObject({ bytes: '' });
    expect(await sent(world)).toEqual([]);
  });

  it('hang: as long as latency_real says, and a client that gives up frees the timer', async () => {
    const world = await striking('hang', { latency_real: '4s' });
    const { hostname, port } = new URL(world.url);
    const controller = new AbortController();
    const call = fetch(`http://${hostname}:${port}/v1/messages`, {
      method: 'POST',
      signal: controller.signal,
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to, type: 'template', template: { name: 'order_shipped', language: 'en' } }),
    });
    await host.armed();
    expect(host.nextInMs).toBe(4000);
    controller.abort();
    await expect(call).rejects.toThrow();
    while (host.pending > 0) await world.clock();
    expect(host.nextInMs).toBeNull();
  });

  it('truncate: a head that promises more than comes; the message was accepted', async () => {
    const world = await striking('truncate');
    const { bytes, error } = await callOverWire(world);
    const [head = '', body = ''] = bytes.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(head).toContain('X-Sandbox-Rule: strike');
    const promised = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(body.length).toBe(Math.floor(promised / 2));
    expect(body).toMatch(/^\{"message_id":/);
    expect(error).toBeNull();
    expect(await sent(world)).toHaveLength(1);
    expect(await latestCall(world)).toMatchObject({ status: 200, fault: 'truncate' });
  });

  it('garbage: bytes that are no HTTP; the message was accepted', async () => {
    const world = await striking('garbage');
    const { bytes } = await callOverWire(world);
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes).not.toMatch(/^HTTP\//);
    expect(await sent(world)).toHaveLength(1);
    expect(await latestCall(world)).toMatchObject({ status: null, response: null, fault: 'garbage' });
  });
});

it('the magic number 43 is accepted, but never answered, for 30 real seconds', async () => {
  const world = await stage(sandbox);
  const failed = expect(trySend(world, '+12025550143')).rejects.toThrow('fetch failed');
  await host.armed();
  expect(host.nextInMs).toBe(30_000);
  expect(await sent(world)).toHaveLength(1);
  host.tick(30_000);
  await failed;
});

it('a fault after a wait strikes when the wait is over', async () => {
  const world = await striking('reset', { latency_real: '3s' });
  const call = callOverWire(world);
  await host.armed();
  expect(host.nextInMs).toBe(3000);
  host.tick(3000);
  expect(await call).toEqual({ bytes: '', error: 'ECONNRESET' });
});

it('truncates a scripted refusal too, and the next call on a new connection is whole', async () => {
  const world = await stage(sandbox, [
    { when: 'message.send', pick: { calls: 1 }, then: { respond: { fault_real: 'truncate', status: 503 } } },
  ]);
  const { bytes } = await callOverWire(world);
  expect(bytes).toMatch(/^HTTP\/1\.1 503 /);
  expect(await sent(world)).toEqual([]);
  expect((await world.send(to, 'order_shipped')).status).toBe('accepted');
});

it('holds the answer back in real time, while the operation has happened and the account goes on', async () => {
  const world = await stage(sandbox, [
    { id: 'slow', when: 'message.send', pick: { calls: 1 }, then: { respond: { latency_real: '2s' } } },
  ]);
  let answered = false;
  const slow = trySend(world, to).finally(() => (answered = true));
  await host.armed();
  expect(host.nextInMs).toBe(2000);
  expect(await world.items('/_sandbox/messages')).toHaveLength(1);
  expect((await trySend(world, to)).status).toBe(200);
  host.tick(1999);
  await world.clock();
  expect(answered).toBe(false);
  host.tick(1);
  const answer = await slow;
  expect([answer.status, ruleOf(answer)]).toEqual([200, 'slow']);
  // Its entry is in the journal with its change, before the response.
  expect(await world.items('/_sandbox/requests')).toMatchObject([
    { status: 200, duration_ms: 2000, fault: 'respond' },
    { status: 200, duration_ms: 0 },
  ]);
});

it('holds a refusal back as well, and then nothing was sent', async () => {
  const world = await stage(sandbox, [
    { when: 'message.send', then: { respond: { status: 503, latency_real: '1500ms' } } },
  ]);
  const slow = trySend(world, to);
  await host.armed();
  host.tick(1500);
  expect((await slow).status).toBe(503);
  expect(await world.items('/_sandbox/messages')).toEqual([]);
  expect(await latestCall(world)).toMatchObject({ status: 503, duration_ms: 1500 });
});

it('draws from a range by the seed: the same time for the same recipient and count', async () => {
  const drawn: (number | null)[] = [];
  for (const seed of [1, 1, 2]) {
    const rules = [{ when: 'message.send' as const, then: { respond: { latency_real: '1s..9s' } } }];
    const world = await stage(sandbox, rules, { seed });
    const slow = trySend(world, to);
    await host.armed();
    drawn.push(host.nextInMs);
    host.tick(9000);
    await slow;
  }
  const [first, again, other] = drawn;
  expect(first).toBeGreaterThanOrEqual(1000);
  expect(first).toBeLessThanOrEqual(9000);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});
