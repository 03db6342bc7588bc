import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { machineTime } from '../../src/time/host.js';
import type { AnswerHead } from '../../src/webhooks/answer-head.js';
import { ConnectionPool } from '../../src/webhooks/connection-pool.js';
import { Cutoff } from '../../src/webhooks/cutoff.js';
import { peerOf } from '../../src/webhooks/peer.js';
import { startRawReceiver } from '../support/receivers.js';

const answer = (status: number) => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`;

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close();
});

describe('a kept connection', () => {
  it('that speaks before the request has gone out is replaced: nobody takes that for the answer', async () => {
    const sockets: Socket[] = [];
    const receiver = await startRawReceiver((socket, count) => {
      sockets.push(socket);
      socket.on('data', () => socket.write(answer(count === 1 ? 201 : 202)));
    });
    /** The turn of the event loop ends when the test says so, once it has been told to hold it. */
    let held: (() => void)[] | null = null;
    const defer = (fn: () => void) => (held === null ? machineTime.defer(fn) : void held.push(fn));
    const pool = new ConnectionPool({ ...machineTime, defer });
    opened.push(pool, receiver);
    const post = async () => {
      const statuses: number[] = [];
      await pool.post(
        peerOf({
          host: '127.0.0.1',
          port: receiver.port,
          addresses: [{ address: '127.0.0.1', family: 4 }],
          tls: 'none',
        }),
        {
          path: '/',
          headers: { host: 'x', 'content-length': '0' },
          body: '',
          onOpen: () => undefined,
          onHead: ({ status }: AnswerHead) => statuses.push(status),
          onChunk: () => true,
        },
        new Cutoff(),
      );
      return statuses;
    };
    expect(await post()).toEqual([201]);
    held = [];
    const second = post();
    sockets[0]?.write(answer(299));
    await expect.poll(() => receiver.connections).toBe(2);
    // The first connection's turn ends too late for it: its request is not sent any more.
    const waiting = held;
    held = null;
    await expect.poll(() => waiting.length).toBe(2);
    for (const fn of waiting) fn();
    expect(await second).toEqual([202]);
  });
});
