import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closing } from './closing.js';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** An endpoint URL for this receiver: always https, as registered. */
  readonly url: (path?: string, host?: string) => string;
  /** TCP connections accepted so far, TLS probes included. */
  readonly connections: number;
  /** Requests received in full, in order. */
  readonly received: readonly Received[];
  /** Resolves with the next request that is received in full from now on. */
  nextRequest(): Promise<Received>;
  readonly close: () => Promise<void>;
}

export interface ReceiverOptions {
  readonly tls?: boolean;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** 0 = any free one. */
  readonly port?: number;
}

type Handler = (response: ServerResponse, request: Received, raw: IncomingMessage) => void;

/** A real HTTP or HTTPS receiver on a free port; by default it answers 200 `ok`. */
export async function startReceiver(
  handler: Handler = (response) => response.end('ok'),
  options: ReceiverOptions = {},
): Promise<Receiver> {
  const received: Received[] = [];
  let waiting: ((request: Received) => void)[] = [];
  const listener = (raw: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    raw.setEncoding('utf8');
    raw.on('data', (chunk: string) => (body += chunk));
    raw.on('end', () => {
      const { method = '', url: path = '', headers, rawHeaders } = raw;
      const request = { method, path, headers, rawHeaders, body };
      received.push(request);
      for (const resolve of waiting.splice(0)) resolve(request);
      handler(response, request, raw);
    });
  };
  const server = options.tls === true ? createHttpsServer(selfSigned(), listener) : createHttpServer(listener);
  return Object.assign(await listen(server, options), {
    received,
    nextRequest: () => new Promise<Received>((resolve) => (waiting = [...waiting, resolve])),
  });
}

/** The same, closed when the test has finished. */
export const receiver = async (...options: Parameters<typeof startReceiver>): Promise<Receiver> =>
  closing(await startReceiver(...options));

/** A receiver that keeps requests waiting for their response until `release`. */
export async function holdingReceiver(status = 200): Promise<{ readonly app: Receiver; readonly release: () => void }> {
  const held: (() => void)[] = [];
  let isOpen = false;
  const app = await receiver((response) => {
    const end = (): unknown => response.writeHead(status).end();
    if (isOpen) end();
    else held.push(end);
  });
  const release = (): void => {
    isOpen = true;
    for (const end of held.splice(0)) end();
  };
  return { app, release };
}

/** A receiver that does with each TCP connection what it likes. */
export async function startRawReceiver(
  onConnection: (socket: Socket, count: number) => void,
  options: ReceiverOptions = {},
): Promise<Omit<Receiver, 'received' | 'nextRequest'>> {
  let count = 0;
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket, (count += 1));
  });
  return listen(server, options);
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const receiver = await startRawReceiver(() => undefined);
  await receiver.close();
  return receiver.port;
}

async function listen(server: Server, { host = '127.0.0.1', port: wanted = 0 }: ReceiverOptions) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path = '/', name = 'localhost') => `https://${name}:${port}${path}`,
    get connections() {
      return connections;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

let certificate: { key: string; cert: string } | undefined;

/** A self-signed certificate for localhost, made once per test file. */
export function selfSigned(): { key: string; cert: string } {
  if (certificate !== undefined) return certificate;
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  try {
    execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', cert], { stdio: 'pipe' });
    certificate = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    return certificate;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
