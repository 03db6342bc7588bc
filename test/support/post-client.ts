import { machineTime } from '../../src/time/system-clock.js';
import { HttpClient } from '../../src/webhooks/sender/http-client.js';
import { peerOf } from '../../src/webhooks/sender/peer.js';

/** A webhook client that posts to a port of this machine; `post` resolves to the status. */
export function startClient(port: number) {
  const client = new HttpClient(machineTime);
  const peer = peerOf({ host: '127.0.0.1', port, addresses: [{ address: '127.0.0.1', family: 4 }], tls: 'none' });
  const post = async (body: Buffer | '' = ''): Promise<number | undefined> => {
    let found: number | undefined;
    const exchange = {
      path: '/',
      headers: { host: 'x', 'content-length': String(body.length) },
      body,
      onOpen: () => undefined,
      onHead: (status: number) => (found = status),
      onChunk: () => true,
    };
    await client.post(peer, exchange, new AbortController().signal);
    return found;
  };
  return { post, close: () => client.close() };
}
