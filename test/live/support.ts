import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';
import type { Sandbox } from '../../src/sandbox.js';

export interface Told {
  readonly seq?: number;
  readonly at?: string;
  readonly kind: string;
  readonly data: Record<string, unknown>;
}

/** A client of the live socket: keeps every frame, and waits for the ones a test is about. */
export class LiveSocket {
  readonly frames: Told[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  #waiting: (() => void)[] = [];
  #read = 0;

  private constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('message', (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString()) as Told);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  static async open({ url }: Pick<Sandbox, 'url'>, query: string, options: ClientOptions = {}): Promise<LiveSocket> {
    const live = new LiveSocket(new WebSocket(`${url.replace('http', 'ws')}/_sandbox/live?${query}`, options));
    await once(live.socket, 'open');
    return live;
  }

  /** The next frame, after those that were waited for before, that is of this kind (and fits). */
  async next(kind: string, fits: (told: Told) => boolean = () => true): Promise<Told> {
    for (;;) {
      const told = this.frames[this.#read];
      if (told === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else {
        this.#read += 1;
        if (told.kind === kind && fits(told)) return told;
      }
    }
  }

  /** The frames of these kinds, or of all. */
  of(...kinds: string[]): Told[] {
    return this.frames.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  }

  say(value: object | string): void {
    this.socket.send(typeof value === 'string' ? value : JSON.stringify(value));
  }

  async close(code?: number): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.socket.close(code);
    await this.closed;
  }
}

export interface Refused {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly error: { readonly code: string; readonly message: string };
}

/** How a connection is turned away. @throws when it is let in */
export function refusalOf(address: string, options: ClientOptions = {}): Promise<Refused> {
  const socket = new WebSocket(address.replace('http', 'ws'), options);
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.terminate();
      reject(new Error(`${address} was let in`));
    });
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const { error } = JSON.parse(text) as Pick<Refused, 'error'>;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, error });
      });
    });
  });
}
