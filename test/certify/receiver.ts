/** Receivers to be certified: one that does everything right, and what can be changed about it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closing } from '../support/closing.js';

export const SECRET = 'whsec_of_the_receiver';

export interface SeenEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Visit {
  readonly raw: Buffer;
  readonly signature: string | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

/** Each part is one decision of a receiver; what is not given is decided rightly. */
export interface Conduct {
  /** Whether the signature is believed. May throw. */
  readonly believes?: (signature: string | undefined, raw: Buffer) => boolean;
  readonly refuse?: (visit: Visit) => void;
  /** What happens to a body that is no JSON. */
  readonly onBrokenJson?: (visit: Visit) => unknown;
  /** Looks at each request first, forged or not. @returns true when it has dealt with it. */
  readonly before?: (visit: Visit) => boolean;
  /** Looks at each genuine event. @returns true when it has dealt with it. */
  readonly handle?: (event: SeenEvent, visit: Visit) => boolean;
  /** Whether an event that was seen before is counted once only. Default true. */
  readonly deduplicates?: boolean;
}

export const digestOf = (raw: string | Buffer): string => createHmac('sha256', SECRET).update(raw).digest('hex');

export function genuine(signature: string | undefined, raw: Buffer): boolean {
  const [given, right] = [Buffer.from(signature ?? ''), Buffer.from(`sha256=${digestOf(raw)}`)];
  return given.length === right.length && timingSafeEqual(given, right);
}

export interface TestReceiver {
  readonly url: string;
  /** Answers GET with `{"received": n}`. */
  readonly counterUrl: string;
  readonly visits: readonly Visit[];
  close(): Promise<void>;
}

export async function startReceiver(conduct: Conduct = {}): Promise<TestReceiver> {
  const visits: Visit[] = [];
  const ids = new Set<string>();
  let count = 0;
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ received: count }));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const header = request.headers['x-service-signature'];
      const signature = Array.isArray(header) ? header.join() : header;
      const visit = { raw: Buffer.concat(chunks), signature, request, response, server };
      visits.push(visit);
      try {
        receive(visit);
      } catch {
        // What a framework does with an exception of a handler.
        response.writeHead(500).end('Internal Server Error');
      }
    });
  });

  function receive(visit: Visit): void {
    const { raw, signature, response } = visit;
    if (conduct.before?.(visit) === true) return;
    if (!(conduct.believes ?? genuine)(signature, raw)) {
      (conduct.refuse ?? (() => response.writeHead(401).end('{"error":"bad signature"}')))(visit);
      return;
    }
    let event: SeenEvent;
    try {
      event = JSON.parse(raw.toString()) as SeenEvent;
    } catch {
      (conduct.onBrokenJson ?? (() => response.writeHead(400).end()))(visit);
      return;
    }
    if (conduct.handle?.(event, visit) === true) return;
    if (!ids.has(event.id) || conduct.deduplicates === false) count += 1;
    ids.add(event.id);
    response.writeHead(204).end();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/hook?tenant=1`,
    counterUrl: `${origin}/received`,
    visits,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** As a process that ends: no answer, and nobody listens any more. */
export function die({ server }: Visit): void {
  server.close();
  server.closeAllConnections();
}

/** @returns true, for `before` and `handle` */
export function hangUp({ request }: Pick<Visit, 'request'>): boolean {
  request.socket.destroy();
  return true;
}

/** A receiver that is closed when the test has finished. */
export const receiver = async (conduct?: Conduct): Promise<TestReceiver> => closing(await startReceiver(conduct));
