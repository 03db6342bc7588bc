/** An attacker, or a test in a loop, sends more and larger things than the sandbox has room for. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { limitConnections } from '../../src/http/server.js';
import { maxSinkRequests } from '../../src/domain/limits.js';
import { receive } from '../../src/webhooks/sink.js';
import { sendRaw } from '../support/raw-http.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

const json = ['Content-Type', 'application/json'] as const;
const key = ['Authorization', 'Bearer security'] as const;

describe('limits', () => {
  it('a body of more than 1 MB is 413, announced or not; one of exactly 1 MB is read', async ({ world }) => {
    const padded = (bytes: number) => {
      const start = '{"to":"+12025550110","type":"text","text":"';
      return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
    };
    for (const path of ['/v1/messages', '/_sandbox/inbound']) {
      const tooLarge = await world.call('POST', path, padded(1024 * 1024 + 1));
      expect([path, tooLarge.status, tooLarge.body.error.code]).toEqual([path, 413, 'payload_too_large']);
      expect((await world.call('POST', path, padded(1024 * 1024))).status).toBe(400);
    }
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    const head = ['POST /v1/messages HTTP/1.1', 'Host: localhost', key.join(': '), json.join(': ')];
    const chunked = [...head, 'Transfer-Encoding: chunked', 'Connection: close'].join('\r\n');
    const answer = await sendRaw(sandbox.url, `${chunked}\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`);
    expect(answer.status).toBe(413);
  });

  it('a duration that no date survives is refused wherever one is taken', async ({ world }) => {
    const calls: [string, string, object?][] = [
      ['POST', '/_sandbox/clock/advance', { by: '999999999d' }],
      ['POST', '/_sandbox/clock/advance', { until: 'idle', max: '999999999d' }],
      ['PUT', '/_sandbox/sink/a', { respond: [{ status: 200, delay: '999999999d' }] }],
      ['POST', '/_sandbox/idle?timeout=999999999d'],
      ['GET', '/_sandbox/wait?for=event&timeout=999999999d'],
      ['POST', '/_sandbox/events', { type: 'message.status', webhook: { delay: '999999999d' } }],
    ];
    for (const [method, path, body] of calls) {
      const answer = await world.call(method, path, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 400, 'validation_error']);
    }
  });
});

describe('what grows by use', () => {
  it('a sink keeps the latest requests', async ({ world }) => {
    const account = sandbox.accounts.of(world.key);
    const call = { method: 'POST', path: '/a', headers: {}, body: '' };
    for (let i = 0; i < maxSinkRequests + 3; i += 1) receive(account, 'a', { ...call, body: String(i) });
    expect(account.store.tables.sinkRequests.size).toBe(maxSinkRequests);
    const [oldest] = await world.items<{ body: string }>('/_sandbox/sink/a/received?limit=1');
    expect(oldest?.body).toBe('3');
  });

  it('a connection too many is closed as it comes, said once, and there is room when one has gone', async () => {
    const server = createServer((_request, response) => response.end('ok'));
    const told: number[] = [];
    limitConnections(server, (most) => told.push(most), 3);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const port = (server.address() as AddressInfo).port;
    const open = async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return {
        socket,
        answered: await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]),
      };
    };
    const held = [await open(), await open(), await open()];
    expect(held.map(({ answered }) => answered)).toEqual([true, true, true]);
    expect([(await open()).answered, (await open()).answered, told]).toEqual([false, false, [3]]);
    const gone = new Promise((resolve) => server.once('request', (request) => request.socket.once('close', resolve)));
    held[0]?.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await gone;
    const again = await open();
    expect(again.answered).toBe(true);
    expect((await open()).answered).toBe(false);
    expect(told).toEqual([3, 3]);
    for (const { socket } of [...held, again]) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
