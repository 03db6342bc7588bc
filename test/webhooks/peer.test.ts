import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { openSocket, peerOf } from '../../src/webhooks/sender/peer.js';
import { startRawReceiver } from '../support/receivers.js';

/** Longer than Node tries one address of several by default. */
const heldMs = 400;

it('an address that answers is not given up because the event loop was held meanwhile', async () => {
  const receiver = await startRawReceiver(() => undefined);
  onTestFinished(() => receiver.close());
  // Nobody listens at the second one.
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ] as const;
  const socket = openSocket(peerOf({ host: 'localhost', port: receiver.port, addresses, tls: 'none' }));
  onTestFinished(() => void socket.destroy());
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, heldMs));
  await once(socket, 'connect');
  expect(socket.remoteAddress).toBe('127.0.0.1');
});
