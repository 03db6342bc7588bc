/** Calls of the soak: counted, over connections that are opened anew with every round. */
import { once } from 'node:events';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

export type Json = Record<string, unknown>;

/** A day of retries to a receiver that does not answer takes a while on a busy machine; an answer that never comes is a fault. */
const patienceMs = 120_000;

export class SoakClient {
  readonly #pool: Pool;
  readonly #url: string;
  /** Calls and connections made. */
  operations = 0;
  readonly byStatus = new Map<string, number>();

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#pool = new Pool(url, { connections, headersTimeout: patienceMs, bodyTimeout: patienceMs });
  }

  /** The body of the answer, whatever its status. @throws Error for a 5xx that no rule asked for */
  async call(
    key: string,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: Json | string,
  ): Promise<Json> {
    this.operations += 1;
    const answer = await this.#pool
      .request({
        method,
        path,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
      })
      .catch((cause: unknown) => {
        throw new Error(`${method} ${path} of ${key} with ${JSON.stringify(body)} got no answer`, { cause });
      });
    const text = await answer.body.text();
    this.#note(`${Math.floor(answer.statusCode / 100)}xx`);
    if (answer.statusCode >= 500 && answer.headers['x-sandbox-rule'] === undefined) {
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    }
    return text.startsWith('{') ? (JSON.parse(text) as Json) : {};
  }

  /** Watches an account, and answers what comes through a tunnel. */
  async watch(key: string, more = ''): Promise<WebSocket> {
    this.operations += 1;
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/_sandbox/live?key=${key}${more}`);
    socket.on('message', (data: Buffer) => {
      const { kind, data: ask } = JSON.parse(data.toString()) as { kind: string; data: Json };
      if (kind === 'tunnel.request') socket.send(JSON.stringify({ id: ask['id'], status: 200 }));
    });
    await once(socket, 'open');
    return socket;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #note(status: string): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
  }
}

/** Half of them say goodbye, the other half break off. */
export async function leave(socket: WebSocket, politely: boolean): Promise<void> {
  const gone = once(socket, 'close');
  if (politely) socket.close(1000);
  else socket.terminate();
  await gone;
}
