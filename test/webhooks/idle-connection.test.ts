/** In a file of its own: what keeps the process alive is counted, and sockets of other tests would count too. */
import { expect, it } from 'vitest';
import { startClient } from '../support/post-client.js';
import { startRawReceiver } from '../support/receivers.js';

it('keeps the process alive while a response is expected, and not for an idle connection', async () => {
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
  const { post, close } = startClient(receiver.port);
  const before = alive();
  for (let n = 0; n < 2; n += 1) {
    expect(await post()).toBe(200);
    await expect.poll(alive).toBe(before);
  }
  expect(during).toEqual([before + 1, before + 1]);
  expect(receiver.connections).toBe(1);
  close();
  await receiver.close();
});
