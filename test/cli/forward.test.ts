/** How `listen` forwards deliveries to a server that breaks the connection. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { forwardTo } from '../../src/cli/listen/forward.js';
import { machineTime } from '../../src/time/system-clock.js';
import { closing } from '../support/closing.js';
import { startRawReceiver, startReceiver } from '../support/receivers.js';

const to = (port: number, scheme = 'http', timeoutMs = 10_000) =>
  forwardTo(new URL(`${scheme}://localhost:${port}/hook`), machineTime)(
    { id: 't1', method: 'POST', headers: { 'X-A': 'b' }, body: '{}' },
    timeoutMs,
  );

it.each(['http', 'https'])('needs no connection but its own (%s)', async (scheme) => {
  const server = closing(await startReceiver((response) => response.end('ok'), { tls: scheme === 'https' }));
  expect(await to(server.port, scheme)).toMatchObject({ status: 200, body: 'ok' });
  expect(await to(server.port, scheme)).toMatchObject({ status: 200, body: 'ok' });
  expect([server.received.length, server.connections]).toEqual([2, 2]);
});

it.each<[string, (socket: Socket) => void]>([
  ['is reset in the middle of the request', (socket) => socket.resetAndDestroy()],
  ['breaks when the server had begun to respond', (socket) => socket.end('HTTP/1.1 200 OK\r\nX-Half')],
])('a connection that %s is a failure, and the request is made once', async (_what, end) => {
  const server = closing(await startRawReceiver((socket) => void once(socket, 'data').then(() => end(socket))));
  expect(await to(server.port)).toMatchObject({ error: { code: 'connection_reset' } });
  expect(server.connections).toBe(1);
});

it('gives up on a server that does not respond in time', async () => {
  const server = closing(await startReceiver(() => undefined));
  expect(await to(server.port, 'http', 20)).toStrictEqual({
    error: { code: 'timeout', message: `http://localhost:${server.port}/hook did not respond within 20 ms.` },
  });
});
