import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import type { FaultReal } from '../../../src/scenario/schema/respond.js';
import type { World } from '../../support/client.js';
import { ManualHost } from '../../support/manual-host.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, stage } from '../../support/scenes.js';

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
