/** In a file of its own: what keeps the process alive is counted, and sockets of other tests would count too. */
import { expect, it } from 'vitest';
import { machineTime } from '../../src/time/system-clock.js';
import { ConnectionPool } from '../../src/webhooks/sender/connection-pool.js';
import { postTo } from '../support/pool-post.js';
import { startRawReceiver } from '../support/receivers.js';

it('a connection keeps the process alive while somebody waits for its answer, and not while nobody does', async () => {
  const alive = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const during: number[] = [];
  const receiver = await startRawReceiver((socket) => {
    // The receiver's own end is not what is counted.
    socket.unref();
    socket.on('data', () => {
      during.push(alive());
      socket.write('HTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n');
    });
  });
  const pool = new ConnectionPool(machineTime);
  const before = alive();
  for (let n = 0; n < 2; n += 1) {
    await postTo(pool, receiver.port);
    expect(alive()).toBe(before);
  }
  expect(during).toEqual([before + 1, before + 1]);
  expect(receiver.connections).toBe(1);
  pool.close();
  await receiver.close();
});
