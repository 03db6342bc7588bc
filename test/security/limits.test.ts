/** An attacker, or a test in a loop, sends more and larger things than the sandbox has room for. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { limitConnections } from '../../src/http/server.js';
import { maxSinkRequests } from '../../src/domain/limits.js';
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
