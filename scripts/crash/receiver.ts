/**
 * A real receiver that records every event. `/good` always responds with 200; `/flaky` rejects the first two attempts,
 * so that there are always pending retries.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Receipt {
  readonly path: string;
  readonly eventId: string;
  readonly delivery: string;
  readonly attempt: number;
  readonly body: string;
  readonly signature: string;
}

export interface Application {
  readonly received: readonly Receipt[];
  url(path: '/good' | '/flaky'): string;
  close(): Promise<void>;
}

/** Number of attempts of a delivery that `/flaky` rejects. */
const refusals = 2;

export async function startApplication(): Promise<Application> {
  const received: Receipt[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const header = (name: string): string => String(request.headers[name] ?? '');
      const receipt: Receipt = {
        path: request.url ?? '',
        eventId: header('x-service-event-id'),
        delivery: header('x-service-delivery'),
        attempt: Number(header('x-service-attempt')),
        body,
        signature: header('x-service-signature'),
      };
      received.push(receipt);
      response.statusCode = receipt.path === '/flaky' && receipt.attempt <= refusals ? 503 : 200;
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    // Registered as https, like all endpoints; a local host without TLS receives plain HTTP.
    url: (path) => `https://localhost:${port}${path}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
