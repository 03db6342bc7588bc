import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { machineTime } from '../../src/time/system-clock.js';
import { ConnectionPool } from '../../src/webhooks/sender/connection-pool.js';
import { postTo } from '../support/pool-post.js';
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
    const post = () => postTo(pool, receiver.port);
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

  it('is none when the answer came before all of the request had gone out: the rest would lead the next one', async () => {
    const receiver = await startRawReceiver((socket, count) => {
      socket.once('data', () => {
        // It has seen enough, and reads no further.
        if (count === 1) socket.pause();
        socket.write(answer(200 + count));
      });
    });
    const pool = new ConnectionPool(machineTime);
    opened.push(pool, receiver);
    // More than any system takes off a writer's hands for a reader that does not read.
    expect(await postTo(pool, receiver.port, Buffer.alloc(64 * 1024 * 1024))).toEqual([201]);
    expect(await postTo(pool, receiver.port)).toEqual([202]);
    expect(receiver.connections).toBe(2);
  });
});
