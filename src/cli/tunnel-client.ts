/**
 * The client's end of a tunnel: receives deliveries until the user stops it. If the connection breaks or the sandbox
 * restarts, it connects again, with a new endpoint and the same secret.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { WebSocket } from 'ws';
import { parseJson, type Connection } from '../client/connection.js';
import { refusal, unreachable } from '../client/sandbox-error.js';
import type { ConnectionFrame, TunnelAsk, TunnelReady } from '../live/tunnel.js';
import { machineTime, pause } from '../time/system-clock.js';
import type { SendError } from '../webhooks/failure.js';
import { CliFailure, messageOf } from './failure.js';

/** The result of a delivery, as the sandbox takes it. */
export type TunnelResponse =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly error: SendError };

export interface Delivered {
  /** Machine time of the request. */
  readonly atMs: number;
  readonly ask: TunnelAsk;
  readonly result: TunnelResponse;
  readonly durationMs: number;
}

export interface TunnelParts {
  readonly client: Connection;
  /** The options of the tunnel. */
  readonly query: URLSearchParams;
  /** Makes the request; never rejects. */
  readonly respond: (ask: TunnelAsk, timeoutMs: number) => Promise<TunnelResponse>;
  /** Called once. */
  readonly onReady: (ready: TunnelReady) => void;
  readonly onDelivered: (delivered: Delivered) => void;
  /** Describes a change of the connection in a sentence. */
  readonly onNotice: (text: string) => void;
}

/** The sandbox is busy or about to stop, and may accept the connection in a moment. */
class NotNow extends CliFailure {}

const livePath = '/_sandbox/live';
const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** Machine milliseconds without a sign of life after which the sandbox counts as gone; it sends one every 30 s. */
const silenceMs = 75_000;
/** The endpoint was removed on purpose; after any other end, the client connects again. */
const removedCode = 1000;

/**
 * Resolves after `stop`.
 * @throws CliFailure if the first connection fails, or the sandbox rejects it or ends it on purpose
 */
export async function listenUntil(stop: AbortSignal, parts: TunnelParts): Promise<void> {
  const { client, query, respond, onReady, onDelivered, onNotice } = parts;
  const stopped = once(stop, 'abort');
  let known: TunnelReady | null = null;
  let pauseMs = firstPauseMs;

  const hear = (socket: WebSocket, { kind, data }: ConnectionFrame): void => {
    if (kind === 'error') onNotice(data.message);
    else if (kind === 'tunnel.request') void deliver(socket, data);
    else {
      if (known === null) onReady(data);
      else onNotice('Connected again, with the same secret.');
      known = data;
      pauseMs = firstPauseMs;
      // The server under test keeps its configuration.
      query.set('secret', data.secret);
    }
  };
  const deliver = async (socket: WebSocket, ask: TunnelAsk): Promise<void> => {
    const [atMs, startedMs] = [machineTime.now(), machineTime.monotonic()];
    const result = await respond(ask, known?.timeout_ms ?? 0);
    socket.send(JSON.stringify({ id: ask.id, ...result }), () => undefined);
    onDelivered({ atMs, ask, result, durationMs: Math.round(machineTime.monotonic() - startedMs) });
  };
  const connectOnce = async (): Promise<void> => {
    const socket = await open(client, query, hear);
    const ended = once(socket, 'close') as Promise<[code: number, reason: Buffer]>;
    if (!stop.aborted) await Promise.race([ended, stopped]);
    if (stop.aborted) {
      socket.close(1000);
      await Promise.race([ended, pause(1_000)]);
      return;
    }
    const [code, reason] = await ended;
    const why = reason.length === 0 ? `code ${code}` : reason.toString();
    if (code === removedCode) throw new CliFailure(1, `listen: the sandbox ended the connection: ${why}.`);
    onNotice(`Connection lost (${why}); reconnecting when the sandbox is back.`);
  };

  while (!stop.aborted) {
    await connectOnce().catch((error: unknown) => {
      if (!(error instanceof NotNow) || known === null) throw error;
    });
    await Promise.race([pause(pauseMs), stopped]);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** @throws SandboxError if the sandbox rejects the connection, NotNow if it may accept it later */
async function open(
  { url, headers }: Connection,
  query: URLSearchParams,
  hear: (socket: WebSocket, frame: ConnectionFrame) => void,
): Promise<WebSocket> {
  const ws = await import('ws');
  const address = `${url.replace(/^http/, 'ws')}${livePath}?${query.toString()}`;
  const socket = new ws.WebSocket(address, { headers, perMessageDeflate: false, handshakeTimeout: 10_000 });
  socket.on('message', (data) => hear(socket, JSON.parse((data as Buffer).toString()) as ConnectionFrame));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    // After the handshake, an error is followed by the close event, which ends the connection.
    socket.on('error', (error) => reject(new NotNow(1, messageOf(unreachable(url, error)), { cause: error })));
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      // An incomplete text is not a message of a sandbox, either.
      void text(response)
        .then(parseJson, () => undefined)
        .then((body) => {
          const why = refusal(`GET ${url}${livePath}`, status, body);
          reject(status === 503 ? new NotNow(1, messageOf(why)) : why);
        });
    });
  });
  endWhenSilent(socket);
  return socket;
}

/** A machine that went to sleep, or an unplugged cable, closes no connection. */
function endWhenSilent(socket: WebSocket): void {
  const arm = () => machineTime.setTimer(silenceMs, () => socket.terminate(), { unref: true });
  let cancel = arm();
  socket.on('ping', () => {
    cancel();
    cancel = arm();
  });
  socket.on('close', () => cancel());
}
