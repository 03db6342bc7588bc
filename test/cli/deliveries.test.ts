import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startCli } from '../support/cli.js';
import { World } from '../support/client.js';

// What works from the sources must also work in the bundle, where packages are loaded in a different way.
it('the built server delivers to a receiver on this machine', async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers['x-service-event']));
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const server = await startCli(['--clock', 'frozen', '--log-level', 'error']);
  try {
    const world = new World(server.url, 'worker');
    await world.register(`https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, ['message.received']);
    await world.inbound('+12025550173');
    await world.idle();
    expect((await world.deliveries()).map(({ state, attempts }) => [state, attempts[0]?.error])).toEqual([
      ['delivered', undefined],
    ]);
    expect(received).toEqual(['message.received']);
  } finally {
    await server.stop();
    receiver.close();
    receiver.closeAllConnections();
  }
});
