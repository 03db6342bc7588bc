/** How `listen` forwards deliveries on kept connections, which a server may close at any time. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { forwardTo } from '../../src/cli/listen/forward.js';
import { machineTime, type SystemClock } from '../../src/time/system-clock.js';
import { startRawReceiver, startReceiver, type Received } from '../support/receivers.js';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()));
});

async function kept<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const thing = await starting;
  opened.push(thing);
  return thing;
}

const ask = { id: 't1', method: 'POST', headers: { 'X-A': 'b' }, body: '{}' } as const;

function to(port: number, { tls = false, host = machineTime }: { tls?: boolean; host?: SystemClock } = {}) {
  const forward = forwardTo(new URL(`${tls ? 'https' : 'http'}://localhost:${port}/hook`), host);
  return () => forward(ask, 10_000);
}

/** Responds to the first request of each connection, and does something else with the next. */
function onceEach(then: (socket: Socket) => void) {
  const seen = new WeakSet<Socket>();
  return (response: ServerResponse, _request: Received, { socket }: { socket: Socket }) => {
    if (seen.has(socket)) then(socket);
    else response.end('ok');
    seen.add(socket);
  };
}

describe('a kept connection', () => {
  it.each([
    ['destroy', true],
    ['end', true],
    ['destroy', false],
    ['end', false],
    ['resetAndDestroy', false],
  ] as const)('that the server closed as we wrote is replaced once (%s, TLS: %s)', async (end, tls) => {
    const server = await kept(
      startReceiver(
        onceEach((socket) => void socket[end]()),
        { tls },
      ),
    );
    const forward = to(server.port, { tls });
    expect(await forward()).toMatchObject({ status: 200, body: 'ok' });
    expect(await forward()).toMatchObject({ status: 200, body: 'ok' });
    expect(server.received).toHaveLength(3);
    expect(server.connections).toBe(2);
  });

  it('that breaks when the server had begun to answer is not', async () => {
    const server = await kept(startReceiver(onceEach((socket) => socket.end('HTTP/1.1 200 OK\r\nX-Half'))));
    const forward = to(server.port);
    await forward();
    expect(await forward()).toMatchObject({ error: { code: 'connection_reset' } });
    expect(server.received).toHaveLength(2);
  });

  it('that the server dropped after thinking about the request is not either', async () => {
    const host: SystemClock & { elapsed: number } = { ...machineTime, elapsed: 0, monotonic: () => host.elapsed };
    const server = await kept(
      startReceiver(
        onceEach((socket) => {
          host.elapsed += 1_500;
          socket.destroy();
        }),
      ),
    );
    const forward = to(server.port, { host });
    await forward();
    expect(await forward()).toMatchObject({ error: { code: 'connection_reset' } });
    expect(server.received).toHaveLength(2);
  });
});

describe('a fresh connection', () => {
  it('that is reset in the middle of the request is a failure, and asked once', async () => {
    const server = await kept(
      startRawReceiver((socket) => {
        void once(socket, 'data').then(() => socket.resetAndDestroy());
      }),
    );
    expect(await to(server.port)()).toMatchObject({ error: { code: 'connection_reset' } });
    expect(server.connections).toBe(1);
  });

  it('in place of a kept one is the last: it resets, and that is told', async () => {
    let requests = 0;
    const server = await kept(
      startReceiver((response, _request, { socket }) => {
        requests += 1;
        if (requests === 1) response.end('ok');
        else socket.destroy();
      }),
    );
    const forward = to(server.port);
    await forward();
    expect(await forward()).toMatchObject({ error: { code: 'connection_reset' } });
    expect(requests).toBe(3);
  });
});
