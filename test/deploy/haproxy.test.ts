/** The shipped proxy before three processes: every account in one of them, and back after a restart (docs/scaling.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startCli, type CliServer } from '../support/cli.js';
import { freePort, startProxy, type Proxy } from '../support/haproxy.js';
import { has } from '../support/package.js';

const installed = await has('haproxy', '-v');
if (!installed) process.stderr.write('NOT RUN: test/deploy/haproxy.test.ts, because haproxy is not installed\n');

const token = 'control-secret';
const inbound = { from: '+12025550150', text: 'Hello?' };

interface Options {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

describe.skipIf(!installed)('three processes behind HAProxy', () => {
  let folder: string;
  const shards: CliServer[] = [];
  let proxy: Proxy;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shards-'));
    for (let i = 0; i < 3; i += 1) shards.push(await startShard(i, await freePort()));
    proxy = await startProxy(
      shards.map(({ url }) => new URL(url).host),
      token,
    );
  });
  afterAll(async () => {
    await proxy.stop();
    await Promise.all(shards.map((shard) => shard.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  const startShard = (i: number, port: number) =>
    startCli(['--port', `${port}`, '--data', join(folder, `${i}`), '--fsync', 'always', '--control-token', token]);

  async function call(base: string, path: string, { method, body, headers = {} }: Options = {}): Promise<Response> {
    const answer = await fetch(base + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { 'x-sandbox-token': token, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }
  const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

  /** The accounts that each process has, asked at its own address. */
  async function keysOf(shard: CliServer): Promise<string[]> {
    // As somebody: a call without a key would make the default account there.
    const answer = await call(shard.url, '/_sandbox/accounts?limit=1000', as('observer'));
    return ((await answer.json()) as { items: { key: string }[] }).items.map(({ key }) => key);
  }
  async function homeOf(key: string): Promise<number[]> {
    const all = await Promise.all(shards.map(keysOf));
    return all.flatMap((keys, i) => (keys.includes(key) ? [i] : []));
  }

  it('has each account in one process, whichever way its key is said', async () => {
    const keys = Array.from({ length: 60 }, (_, i) => `worker-${i}~happy-path`);
    for (const key of keys) {
      await call(proxy.url, '/v1/messages/none', as(key)).catch(() => undefined);
      await call(proxy.url, '/_sandbox/inbound', { body: inbound, headers: { authorization: `bearer  ${key}` } });
    }
    const homes = await Promise.all(shards.map(keysOf));
    const counts = homes.map((there) => keys.filter((key) => there.includes(key)).length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(keys.length);
    // No process is left out, and none carries nearly all.
    expect(Math.min(...counts)).toBeGreaterThan(keys.length / 10);
  });

  it('takes who says nothing, and who sends the control token as key, for the default account', async () => {
    await call(proxy.url, '/_sandbox/inbound', { body: inbound });
    await call(proxy.url, '/_sandbox/inbound', { body: inbound, ...as(token) });
    await call(proxy.url, '/v1/webhooks', as('test_default'));
    const [home, ...others] = await homeOf('test_default');
    expect(others).toStrictEqual([]);
    const answer = await call(shards[home!]!.url, '/_sandbox/events', as('test_default'));
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(2);
    // On the API plane the same text is a key like any other.
    await call(proxy.url, '/v1/webhooks', as(token));
    expect(await homeOf(token)).toHaveLength(1);
  });

  it("leads a live socket to the account in its query, which beats the header's", async () => {
    const key = 'live account+1';
    const query = new URLSearchParams({ key, control_token: token }).toString();
    const address = `${proxy.url.replace('http', 'ws')}/_sandbox/live?${query}`;
    const socket = new WebSocket(address, { headers: { authorization: 'Bearer somebody-else' } });
    await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
    const told = new Promise<string>((heard) => socket.once('message', (data: Buffer) => heard(data.toString())));
    await call(proxy.url, '/_sandbox/inbound', { body: inbound, ...as(key) });
    expect(JSON.parse(await told)).toMatchObject({ seq: 1 });
    socket.close();
    expect(await homeOf(key)).toHaveLength(1);
  });

  it('drops an account where it lives', async () => {
    for (const key of ['to drop/1', 'to drop/2', 'to drop/3', 'to drop/4']) {
      await call(proxy.url, '/_sandbox/inbound', { body: inbound, ...as(key) });
      await call(proxy.url, `/_sandbox/accounts/${encodeURIComponent(key)}`, { method: 'DELETE' });
      expect(await homeOf(key)).toStrictEqual([]);
    }
  });

  it('waits for a process that is restarted, and finds its accounts again', async () => {
    const key = 'restarted';
    await call(proxy.url, '/_sandbox/inbound', { body: inbound, ...as(key) });
    const [home] = await homeOf(key);
    const port = Number(new URL(shards[home!]!.url).port);
    await shards[home!]!.stop('SIGKILL');
    const asked = call(proxy.url, '/_sandbox/events', as(key));
    shards[home!] = await startShard(home!, port);
    const answer = await asked;
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(1);
    expect(await homeOf(key)).toStrictEqual([home]);
  });

  it('calls itself ready only while every process is', async () => {
    const readyz = () => fetch(`${proxy.url}/readyz`).then(({ status }) => status);
    await expect.poll(readyz).toBe(200);
    const port = Number(new URL(shards[0]!.url).port);
    await shards[0]!.stop();
    await expect.poll(readyz, { timeout: 30_000 }).toBe(503);
    shards[0] = await startShard(0, port);
    await expect.poll(readyz, { timeout: 30_000 }).toBe(200);
  });
});
