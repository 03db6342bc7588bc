import type { AnswerHead } from '../../src/webhooks/sender/answer-head.js';
import type { ConnectionPool } from '../../src/webhooks/sender/connection-pool.js';
import { Cutoff } from '../../src/webhooks/sender/cutoff.js';
import { peerOf } from '../../src/webhooks/sender/peer.js';

/** Posts to a port of this machine; resolves to the statuses that came back. */
export async function postTo(pool: ConnectionPool, port: number, body: Buffer | '' = ''): Promise<number[]> {
  const statuses: number[] = [];
  await pool.post(
    peerOf({ host: '127.0.0.1', port, addresses: [{ address: '127.0.0.1', family: 4 }], tls: 'none' }),
    {
      path: '/',
      headers: { host: 'x', 'content-length': String(body.length) },
      body,
      onOpen: () => undefined,
      onHead: ({ status }: AnswerHead) => statuses.push(status),
      onChunk: () => true,
    },
    new Cutoff(),
  );
  return statuses;
}
