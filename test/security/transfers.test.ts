/** Clients that send without end, or that do not read responses, share a small memory budget. */
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TransferBudget } from '../../src/http/transfer-budget.js';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld } from '../support/client.js';
import { ManualHost } from '../support/manual-host.js';
import { startTestSandbox } from '../support/sandbox.js';

const megabyte = 1024 * 1024;
const host = new ManualHost();
let sandbox: Sandbox;
beforeAll(async () => {
  const clock = { mode: 'frozen', scale: 1, startMs: null } as const;
  sandbox = await startTestSandbox({ clock }, { hostTime: host, transferBytes: megabyte });
});
afterAll(() => sandbox.close());

const open: Socket[] = [];
afterAll(() => {
  for (const socket of open) socket.destroy();
});

async function begin(method: string, path: string, headers: readonly string[] = []): Promise<Socket> {
  const { hostname, port } = new URL(sandbox.url);
  const socket = connect(Number(port), hostname);
  open.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer transfers', ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** Sends a part of a chunked body. */
async function uploadPart(path: string, bytes: number, method = 'POST'): Promise<Socket> {
  const socket = await begin(method, path, ['Content-Type: application/json', 'Transfer-Encoding: chunked']);
  socket.write(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`);
  return socket;
}

async function responseOf(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString();
}

/** Which of two incomplete bodies is rejected depends on whose bytes are read first. */
async function oneRefused(...sockets: readonly Socket[]): Promise<{ refusal: string; other: Socket | undefined }> {
  const ended = sockets.map(async (socket) => ({ socket, refusal: await responseOf(socket) }));
  const { socket, refusal } = await Promise.race(ended);
  return { refusal, other: sockets.find((each) => each !== socket) };
}

it('half-sent bodies beyond the limit are 429, small calls go on, and the room comes back', async () => {
  const first = await uploadPart('/v1/messages', 600_000);
  const { refusal, other } = await oneRefused(first, await uploadPart('/v1/messages', 600_000));
  expect(refusal).toMatch(/^HTTP\/1\.1 429 /);
  expect(refusal).toMatch(/^Retry-After: 1$/m);
  expect(refusal).toContain('"code":"limit_reached"');
  expect(refusal).toContain('transfer_bytes in GET /_sandbox/info');
  const world = newWorld(sandbox);
  expect((await world.call('POST', '/v1/templates', { name: 'a' })).status).toBe(400);
  other?.write('0\r\n\r\n');
  const third = await uploadPart('/v1/messages', 600_000);
  third.write('0\r\n\r\n');
  expect(await responseOf(third)).toMatch(/^HTTP\/1\.1 400 /);
});

it('one snapshot at a time may be larger than the limit', async () => {
  const world = newWorld(sandbox, 'transfers');
  const path = '/_sandbox/snapshots/large';
  const first = await uploadPart(path, 2 * megabyte, 'PUT');
  const { refusal, other } = await oneRefused(first, await uploadPart(path, 2 * megabyte, 'PUT'));
  expect(refusal).toMatch(/^HTTP\/1\.1 429 /);
  expect((await world.call('POST', '/_sandbox/sink/a', 'x'.repeat(900_000))).status).toBe(200);
  other?.destroy();
  const whole = await world.call('PUT', path, JSON.stringify({ version: 1, filler: 'x'.repeat(2 * megabyte) }));
  expect(whole.status).toBe(400);
});

it('of responses that nobody reads the longest-stalled is closed, once another read wants the room', async () => {
  const world = newWorld(sandbox, 'transfers');
  for (let n = 0; n < 24; n += 1) await world.call('POST', '/_sandbox/sink/full', 'x'.repeat(megabyte - 100));
  const stalled = await begin('GET', '/_sandbox/sink/full/received');
  await once(stalled, 'data');
  stalled.pause();
  const timers = host.pending;
  // A response that was read a moment ago is not closed: its client may be about to continue.
  const received = world.items('/_sandbox/sink/full/received?limit=2');
  await host.armed(timers + 1);
  expect((await world.call('GET', '/v1/templates')).status).toBe(200);
  host.tick(1_000);
  expect(await received).toHaveLength(2);
  const read = await new Promise<number>((resolve) => {
    let bytes = 0;
    stalled.on('data', (chunk) => (bytes += chunk.length));
    stalled.once('close', () => resolve(bytes));
    stalled.resume();
  });
  expect(read).toBeLessThan(20 * megabyte);
});

it('a client that reads slowly gets all of a response', async () => {
  const world = newWorld(sandbox, 'transfers');
  const slow = await begin('GET', '/_sandbox/sink/full/received', ['Connection: close']);
  let bytes = 0;
  let info: Promise<unknown> | null = null;
  for await (const chunk of slow as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    host.tick(10);
    info ??= world.get('/_sandbox/info');
  }
  expect(bytes).toBeGreaterThan(24 * (megabyte - 100));
  expect(await info).toMatchObject({ name: 'messaging-sandbox' });
});

it('reads that wait for room go on one at a time: the response of each is counted before the next', async () => {
  const budget = new TransferBudget(host, megabyte);
  const send = () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    budget.send(response, Buffer.alloc(2 * megabyte));
    return response;
  };
  const sent = [send()];
  for (let waiting = 0; waiting < 2; waiting += 1) void budget.room()?.then(() => sent.push(send()));
  for (const expected of [2, 3]) {
    sent.at(-1)?.emit('close');
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(sent).toHaveLength(expected);
  }
});
