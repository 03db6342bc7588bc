import { describe, expect, it } from 'vitest';
import { machineTime } from '../../src/time/system-clock.js';
import { AttemptTrace } from '../../src/webhooks/sender/attempt-trace.js';
import type { HttpDestination } from '../../src/webhooks/sender/destinations.js';
import { peerOf } from '../../src/webhooks/sender/peer.js';
import { Transport } from '../../src/webhooks/sender/transport.js';
import { closing } from '../support/closing.js';
import { startReceiver, type Receiver } from '../support/receivers.js';

/**
 * A public host cannot be had in a test; what the transport is told about one can: loopback stands in for its
 * address, with the treatment that a public host gets.
 */
function publicHost(receiver: Receiver): HttpDestination {
  return {
    kind: 'http',
    href: receiver.url(),
    path: '/',
    peer: peerOf({
      host: 'localhost',
      port: receiver.port,
      addresses: [{ address: '127.0.0.1', family: 4 }],
      tls: 'verify',
    }),
    plain: null,
  };
}

describe('Transport to a public host', () => {
  it.each([
    ['a certificate that nobody vouches for', true, /self-signed certificate/],
    ['no TLS', false, /./],
  ])('refuses %s, and sends nothing', async (_what, tls, detail) => {
    const receiver = closing(await startReceiver(undefined, { tls }));
    const { signal } = new AbortController();
    const transport = closing(new Transport({ host: machineTime, insideContainer: false }));
    const trace = new AttemptTrace({ url: receiver.url(), headers: {}, body: '{}' });
    const sent = transport.post(publicHost(receiver), trace, signal);
    await expect(sent).rejects.toMatchObject({
      code: 'tls_error',
      message: expect.stringMatching(detail) as unknown,
      hint: expect.stringContaining('public receiver') as unknown,
    });
    expect(trace.status).toBeNull();
    expect(receiver.received).toHaveLength(0);
    expect(receiver.connections).toBe(1);
  });
});
