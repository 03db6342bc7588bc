import { machineTime } from '../../src/time/system-clock.js';
import { AttemptTrace } from '../../src/webhooks/sender/attempt-trace.js';
import { HttpClient } from '../../src/webhooks/sender/http-client.js';
import { peerOf } from '../../src/webhooks/sender/peer.js';

/** A webhook client that posts to a port of this machine; `post` resolves to the status. */
export function startClient(port: number) {
  const client = new HttpClient(machineTime);
  const peer = peerOf({ host: '127.0.0.1', port, addresses: [{ address: '127.0.0.1', family: 4 }], tls: 'none' });
  const post = async (body: Buffer | '' = ''): Promise<number | null> => {
    const trace = new AttemptTrace({ url: 'https://x/', headers: {}, body });
    trace.addressTo('x');
    await client.post(peer, '/', trace, new AbortController().signal);
    return trace.status;
  };
  return { post, close: () => client.close() };
}
