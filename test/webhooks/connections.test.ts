/** What the sender's connections do below an attempt. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { machineTime } from '../../src/time/system-clock.js';
import { AttemptTrace } from '../../src/webhooks/sender/attempt-trace.js';
import { openSocket, peerOf } from '../../src/webhooks/sender/peer.js';
import { Transport } from '../../src/webhooks/sender/transport.js';
import { closing } from '../support/closing.js';
import { startClient } from '../support/post-client.js';
import { receiver, startRawReceiver } from '../support/receivers.js';

const rawReceiver = async (...args: Parameters<typeof startRawReceiver>) => closing(await startRawReceiver(...args));
const response = (status: number) => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`;
const loopback = { address: '127.0.0.1', family: 4 } as const;

describe('a kept connection', () => {
  it('is replaced if the receiver spoke before it was asked: that is not the response', async () => {
    const sockets: Socket[] = [];
    const to = await rawReceiver((socket, count) => {
      sockets.push(socket);
      socket.on('data', () => socket.write(response(count === 1 ? 201 : 202)));
    });
    const { post } = closing(startClient(to.port));
    expect(await post()).toBe(201);
    const first = sockets[0] as Socket;
    const closed = once(first, 'close');
    first.write(response(299));
    await closed;
    expect(await post()).toBe(202);
    expect(to.connections).toBe(2);
  });

  it('is none on which the response overtook the request: the rest would precede the next one', async () => {
    const to = await rawReceiver((socket, count) => {
      socket.once('data', () => {
        // It has seen enough, and reads no further.
        if (count === 1) socket.pause();
        socket.write(response(200 + count));
      });
    });
    const { post } = closing(startClient(to.port));
    // More than any system buffers for a reader that does not read.
    expect(await post(Buffer.alloc(64 * 1024 * 1024))).toBe(201);
    expect(await post()).toBe(202);
    expect(to.connections).toBe(2);
  });
});

it('an address that answers is not given up because the event loop was held meanwhile', async () => {
  const { port } = await rawReceiver(() => undefined);
  // Nobody listens at the second one.
  const addresses = [loopback, { address: '127.0.0.2', family: 4 }] as const;
  const socket = openSocket(peerOf({ host: 'localhost', port, addresses, tls: 'none' }));
  closing({ close: () => void socket.destroy() });
  // Longer than Node tries one address of several by default.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400));
  await once(socket, 'connect');
  expect(socket.remoteAddress).toBe('127.0.0.1');
});

// No test has a public host: loopback stands in for its address, with the treatment that a public host gets.
it.each([
  ['a certificate that nobody vouches for', true, /self-signed certificate/],
  ['no TLS', false, /./],
])('refuses a public host with %s, and sends nothing', async (_what, tls, detail) => {
  const to = await receiver(undefined, { tls });
  const transport = closing(new Transport({ host: machineTime, insideContainer: false }));
  const trace = new AttemptTrace({ url: to.url(), headers: {}, body: '{}' });
  const peer = peerOf({ host: 'localhost', port: to.port, addresses: [loopback], tls: 'verify' });
  const destination = { kind: 'http', href: to.url(), path: '/', peer, plain: null } as const;
  await expect(transport.post(destination, trace, new AbortController().signal)).rejects.toMatchObject({
    code: 'tls_error',
    message: expect.stringMatching(detail) as string,
    hint: expect.stringContaining('public receiver') as string,
  });
  expect(trace.status).toBeNull();
  expect(to.received).toHaveLength(0);
  expect(to.connections).toBe(1);
});
