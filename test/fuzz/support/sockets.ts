/** Raw sockets to a server, and the number of the server's ends of them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';

/** The local ports of this process's sockets. */
const linePorts = new Set<number>();

/**
 * Counts the server's ends of these sockets; other connections, such as those of clients that keep theirs, are ignored.
 */
class ServerSockets {
  readonly #open = new Map<Socket, number>();
  readonly #seen: (message: unknown) => void;
  #waiting: (() => void)[] = [];

  constructor(port: number) {
    this.#seen = (message) => {
      const { socket } = message as { socket: Socket };
      if (socket.localPort !== port) return;
      this.#open.set(socket, socket.remotePort ?? 0);
      socket.once('close', () => {
        this.#open.delete(socket);
        if (this.count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
      });
    };
    subscribe('net.server.socket', this.#seen);
  }

  get count(): number {
    return [...this.#open.values()].filter((port) => linePorts.has(port)).length;
  }

  /** Resolves once the server has none. */
  none(): Promise<void> {
    return this.count === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  stop(): void {
    unsubscribe('net.server.socket', this.#seen);
  }
}

/** Counts the sockets of a sandbox for the tests of a `describe`, which leave none open. */
export function useServerSockets(sandbox: Pick<Sandbox, 'port'>): void {
  let sockets: ServerSockets;
  beforeAll(() => {
    sockets = new ServerSockets(sandbox.port);
  });
  afterEach(() => sockets.none());
  afterAll(() => sockets.stop());
}

/** A connection that a test can write any bytes to, and that stores everything it receives. */
export class Line {
  readonly #socket: Socket;
  readonly #closed: Promise<unknown>;
  #received = Buffer.alloc(0);
  #looking: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      for (const look of this.#looking) look();
    });
    // A reset is also a possible response.
    socket.on('error', () => undefined);
  }

  static async open(url: string): Promise<Line> {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    await once(socket, 'connect');
    linePorts.add(socket.localPort ?? 0);
    return new Line(socket);
  }

  get received(): Buffer {
    return this.#received;
  }

  get text(): string {
    return this.#received.toString('latin1');
  }

  /** The statuses received so far, in order. */
  get statuses(): number[] {
    return [...this.text.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  write(data: string | Buffer): void {
    this.#socket.write(typeof data === 'string' ? Buffer.from(data, 'latin1') : data);
  }

  /** Ends the sending side, and continues to receive. */
  finish(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Resolves once the received data meets the condition. */
  async until(wanted: (line: this) => boolean): Promise<void> {
    if (wanted(this)) return;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (wanted(this)) resolve();
      };
      this.#looking.push(look);
      void this.#closed.then(() => reject(new Error(`the connection ended; received:\n${this.text.slice(0, 2000)}`)));
    });
  }

  /** Resolves with all received data when the connection has ended. */
  async closed(): Promise<string> {
    // The other side may have ended its half already; then it waits for ours.
    this.#socket.once('end', () => this.#socket.end());
    if (this.#socket.readableEnded) this.#socket.end();
    await this.#closed;
    return this.text;
  }
}
