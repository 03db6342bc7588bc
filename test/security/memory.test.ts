/** A process with a heap of 512 MB survives, whatever an account is filled with. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/store/tables/memory-budget.js';
import { memoryShelf } from '../../src/store/snapshots/snapshot-shelf.js';
import { newWorld, type Answer, type Refusal, type World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

const megabyte = 1024 * 1024;
const program = join(import.meta.dirname, '..', 'fixtures', 'small-heap.ts');
const tsx = join(createRequire(import.meta.url).resolve('tsx/package.json'), '..', 'dist', 'esm', 'index.mjs');

const child = spawn(process.execPath, ['--max-old-space-size=512', '--import', tsx, program], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let url = '';
beforeAll(async () => {
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  url = line.toString().trim();
}, 60_000);
afterAll(() => void child.kill('SIGKILL'));

const world = (): World => newWorld({ url });
const isUp = async (): Promise<boolean> => child.exitCode === null && (await fetch(`${url}/readyz`)).status === 200;

/** Small objects, which take twenty times the memory of their text after parsing. */
const objects = `{"to":"nobody","filler":[${'{},'.repeat(megabyte / 3 - 100)}{}]}`;

it('refused calls with large bodies', { timeout: 120_000 }, async () => {
  const at = world();
  for (let n = 0; n < 80; n += 1) expect((await at.call('POST', '/v1/messages', objects)).status).toBe(400);
  const { items, trimmed } = await at.get<{ items: unknown[]; trimmed?: number }>('/_sandbox/requests?limit=1');
  expect(items).toHaveLength(1);
  expect(trimmed).toBeGreaterThan(10);
  expect(await isUp()).toBe(true);
  await at.call('DELETE', `/_sandbox/accounts/${at.key}`);
});

it('large events with deliveries and attempts', { timeout: 120_000 }, async () => {
  const at = world();
  await at.register('https://sink.sandbox/app', ['message.received']);
  const text = 'x'.repeat(900_000);
  const data = { text };
  for (let n = 0; n < 100; n += 1) {
    const { status, body } = await at.call('POST', '/_sandbox/events', { type: 'message.received', data });
    expect([status, body]).toEqual([200, expect.anything()]);
  }
  await at.idle();
  const { trimmed = 0 } = await at.get<{ trimmed?: number }>('/_sandbox/events?limit=1');
  expect(trimmed).toBeGreaterThan(20);
  expect(await isUp()).toBe(true);
  await at.call('DELETE', `/_sandbox/accounts/${at.key}`);
});

it(
  'all accounts together: calls that store are 429 and say what to free, and freeing helps',
  { timeout: 120_000 },
  async () => {
    const { limits } = await world().get<{ limits: { memory_bytes: number } }>('/_sandbox/info');
    expect(limits.memory_bytes).toBeLessThan(300 * megabyte);
    const worlds: World[] = [];
    let refusal: Answer<Refusal> | null = null;
    while (refusal === null && worlds.length < 12) {
      const at = world();
      worlds.push(at);
      for (let n = 0; n < 60 && refusal === null; n += 1) {
        const answer = await at.call('POST', '/_sandbox/sink/full', 'x'.repeat(megabyte - 100));
        if (answer.status === 429) refusal = answer;
      }
    }
    expect(refusal?.body.error.code).toBe('limit_reached');
    expect(refusal?.body.error.message).toMatch(
      /use \d+ MB of memory; the limit is \d+ MB\. .*DELETE \/_sandbox\/accounts/,
    );
    const [first] = worlds;
    const text = { to: '+12025550110', type: 'text', text: 'Hello' };
    expect(await first?.call('POST', '/v1/messages', text)).toMatchObject({ status: 429 });
    expect((await first?.call('GET', '/v1/templates'))?.status).toBe(200);
    expect(await isUp()).toBe(true);
    expect((await first?.call('POST', '/_sandbox/reset'))?.status).toBe(204);
    expect((await first?.call('POST', '/_sandbox/inbound', { from: '+12025550110' }))?.status).toBe(200);
    for (const at of worlds) await at.delete(`/_sandbox/accounts/${at.key}`);
  },
);

it('snapshots in memory share one limit', async () => {
  const memory = new MemoryBudget(1000);
  const shelf = memoryShelf(memory, 100);
  await shelf.put('a', 'one', 0, [Buffer.alloc(60)]);
  await expect(shelf.put('b', 'two', 0, [Buffer.alloc(30), Buffer.alloc(30)])).rejects.toMatchObject({
    code: 'limit_reached',
  });
  expect(memory.used).toBe(60);
  await shelf.remove('a', 'one');
  expect(memory.used).toBe(0);
});

it('a deleted account gives its memory back', async () => {
  const sandbox = await startTestSandbox({ memoryLimit: 2 ** 20 });
  try {
    const first = newWorld(sandbox);
    for (let n = 0; n < 3; n += 1) await first.call('POST', '/_sandbox/sink/a', 'x'.repeat(400_000));
    const second = newWorld(sandbox);
    expect(await second.call('GET', '/v1/templates')).toMatchObject({ status: 429 });
    await first.delete(`/_sandbox/accounts/${first.key}`);
    expect((await second.call('GET', '/v1/templates')).status).toBe(200);
  } finally {
    await sandbox.close();
  }
});

it('uploads that are half sent, and responses that nobody reads', { timeout: 120_000 }, async () => {
  const at = world();
  for (let n = 0; n < 40; n += 1) await at.call('POST', '/_sandbox/sink/full', 'x'.repeat(megabyte - 100));
  const { hostname, port } = new URL(url);
  const head = (first: string) =>
    `${first} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${at.key}\r\nContent-Type: application/json\r\n`;
  const sockets = [...Array(24).keys()].flatMap(() =>
    [
      `${head('GET /_sandbox/sink/full/received')}\r\n`,
      `${head('PUT /_sandbox/snapshots/x')}Content-Length: 200000000\r\n\r\n`,
    ].map((text) => {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on('error', () => undefined);
      return { socket, uploads: text.startsWith('PUT') };
    }),
  );
  const part = Buffer.alloc(megabyte, 'x');
  const sent = sockets
    .filter(({ uploads }) => uploads)
    .map(async ({ socket }) => {
      for (let n = 0; n < 150 && !socket.destroyed; n += 1) await new Promise((resolve) => socket.write(part, resolve));
    });
  await Promise.all(sent);
  expect(await isUp()).toBe(true);
  expect((await at.call('GET', '/v1/templates')).status).toBe(200);
  for (const { socket } of sockets) socket.destroy();
  await at.call('DELETE', `/_sandbox/accounts/${at.key}`);
});
