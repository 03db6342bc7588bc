/** An attacker, or a test in a loop, sends more and larger things than the sandbox has room for. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { limitConnections } from '../../src/http/server.js';
import { maxSinkRequests, maxSinks } from '../../src/domain/limits.js';
import { memoryShelf } from '../../src/store/snapshots.js';
import { receive } from '../../src/webhooks/direct.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

describe('what grows by use', () => {
  it('a sink keeps the latest requests', async ({ world }) => {
    const account = sandbox.accounts.of(world.key);
    const call = { name: 'a', path: '/a', headers: {} };
    for (let i = 0; i < maxSinkRequests + 3; i += 1) receive(account, { ...call, body: String(i) });
    expect(account.store.tables.sinkRequests.size).toBe(maxSinkRequests);
    const oldest = await world.page('/_sandbox/sink/a/received?limit=1');
    expect(oldest).toMatchObject({ items: [{ body: '3' }], trimmed: 3 });
  });

  it('an account has a hundred sinks, and a delivery to another one gets 429', async ({ world }) => {
    for (let n = 0; n < maxSinks; n += 1) await world.put(`/_sandbox/sink/s${n}`, { respond: [{ status: 200 }] });
    const { status, body } = await world.call('POST', '/_sandbox/sink/one-more', {});
    expect([status, body.error.code]).toEqual([429, 'limit_reached']);
    expect(body.error.message).toContain('already has 100 sinks. Use one of them');
    expect((await world.call('POST', '/_sandbox/sink/s7', {})).status).toBe(200);
    await world.post('/v1/webhooks', { url: 'https://sink.sandbox/another', events: ['message.received'] });
    await world.post('/_sandbox/events', { type: 'message.received' });
    expect(await world.items('/_sandbox/deliveries')).toMatchObject([{ attempts: [{ status: 429 }] }]);
  });

  it('snapshots in memory have 256 MB together, and one in place of another counts once', async () => {
    const shelf = memoryShelf();
    const text = 'x'.repeat(60 * 2 ** 20);
    for (const name of ['a', 'b', 'c', 'd', 'd']) await shelf.put(`of-${name}`, name, 0, text);
    await expect(shelf.put('of-a', 'e', 0, text)).rejects.toThrow(
      /^Limit reached: the snapshots of all accounts have 240 MB, and this one has 60 MB; together they may have 256 MB\./,
    );
    await shelf.remove('of-a', 'a');
    await shelf.put('of-a', 'e', 0, text);
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
