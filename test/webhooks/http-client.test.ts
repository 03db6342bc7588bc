import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { startClient } from '../support/post-client.js';
import { startRawReceiver } from '../support/receivers.js';

const clientOf = (port: number) => closing(startClient(port)).post;
const response = (status: number) => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`;

it('replaces a kept connection on which the receiver spoke before it was asked: that is not the response', async () => {
  const sockets: Socket[] = [];
  const receiver = closing(
    await startRawReceiver((socket, count) => {
      sockets.push(socket);
      socket.on('data', () => socket.write(response(count === 1 ? 201 : 202)));
    }),
  );
  const post = clientOf(receiver.port);
  expect(await post()).toBe(201);
  const first = sockets[0] as Socket;
  const closed = once(first, 'close');
  first.write(response(299));
  await closed;
  expect(await post()).toBe(202);
  expect(receiver.connections).toBe(2);
});

it('does not keep a connection on which the response overtook the request: the rest would precede the next one', async () => {
  const receiver = closing(
    await startRawReceiver((socket, count) => {
      socket.once('data', () => {
        // It has seen enough, and reads no further.
        if (count === 1) socket.pause();
        socket.write(response(200 + count));
      });
    }),
  );
  const post = clientOf(receiver.port);
  // More than any system buffers for a reader that does not read.
  expect(await post(Buffer.alloc(64 * 1024 * 1024))).toBe(201);
  expect(await post()).toBe(202);
  expect(receiver.connections).toBe(2);
});
