/**
 * Receives deliveries until the user stops it. If the connection breaks or the sandbox restarts, it connects again,
 * with a new endpoint and the same secret.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { parseJson, type Connection } from '../client/connection.js';
import { refusal, unreachable, type SandboxError } from '../client/sandbox-error.js';
import type { ConnectionFrame, TunnelAsk, TunnelReady } from '../live/tunnel.js';
import { machineTime, pause } from '../time/system-clock.js';
import type { SendError } from '../webhooks/send-error.js';
import { CliFailure } from '../failure.js';

export type TunnelResponse =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly error: SendError };

export interface Delivered {
  readonly atMs: number;
  readonly ask: TunnelAsk;
  readonly result: TunnelResponse;
  readonly durationMs: number;
}

interface Parts {
  /** Never rejects. */
  readonly respond: (ask: TunnelAsk, timeoutMs: number) => Promise<TunnelResponse>;
  readonly onReady: (ready: TunnelReady) => void;
  readonly onDelivered: (delivered: Delivered) => void;
  readonly onNotice: (text: string) => void;
}

const pauseMs = 1_000;
/** Machine milliseconds; the sandbox sends a sign of life every 30 s. */
const silenceMs = 75_000;
/** The endpoint was removed on purpose; after any other end, the client connects again. */
const removedCode = 1000;

/**
 * Resolves after `stop`.
 * @throws SandboxError for the first connection, CliFailure if the sandbox ends it on purpose
 */
export async function openTunnel(
  client: Connection,
  query: URLSearchParams,
  stop: AbortSignal,
  { respond, onReady, onDelivered, onNotice }: Parts,
): Promise<void> {
  const stopped = once(stop, 'abort');
  let known = null as TunnelReady | null;
  const hear = async (socket: WebSocket, { kind, data }: ConnectionFrame): Promise<void> => {
    if (kind === 'error') onNotice(data.message);
    else if (kind === 'tunnel.ready') {
      if (known === null) onReady(data);
      else onNotice('Connected again, with the same secret.');
      known = data;
      // The server under test keeps its configuration.
      query.set('secret', data.secret);
    } else {
      const [atMs, startedMs] = [machineTime.now(), machineTime.monotonic()];
      const result = await respond(data, known?.timeout_ms ?? 0);
      socket.send(JSON.stringify({ id: data.id, ...result }), () => undefined);
      onDelivered({ atMs, ask: data, result, durationMs: Math.round(machineTime.monotonic() - startedMs) });
    }
  };
  while (!stop.aborted) {
    const socket = new WebSocket(`${client.url.replace(/^http/, 'ws')}/_sandbox/live?${query.toString()}`, {
      headers: client.headers,
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
    });
    socket.on('message', (data) => void hear(socket, JSON.parse((data as Buffer).toString()) as ConnectionFrame));
    endWhenSilent(socket);
    const ended = new Promise<{ code: number; why: string }>((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, why: reason.toString() || `code ${code}` }));
    });
    const problem = await opened(client, socket);
    if (problem !== null) {
      // The sandbox is busy or about to stop, and may accept the connection in a moment.
      const isTemporary = problem.code === 'unreachable' || problem.status === 503;
      if (known === null || !isTemporary) throw problem;
    } else {
      const end = await Promise.race([ended, stopped.then(() => null)]);
      if (end === null) {
        socket.close(1000);
        await Promise.race([ended, pause(1_000)]);
        return;
      }
      if (end.code === removedCode) throw new CliFailure(1, `listen: the sandbox ended the connection: ${end.why}.`);
      onNotice(`Connection lost (${end.why}); reconnecting when the sandbox is back.`);
    }
    await Promise.race([pause(pauseMs), stopped]);
  }
}

/** Null if the connection is open. */
function opened({ url }: Connection, socket: WebSocket): Promise<SandboxError | null> {
  return new Promise((resolve) => {
    socket.on('open', () => resolve(null));
    // After the handshake, an error is followed by the close event, which ends the connection.
    socket.on('error', (error) => resolve(unreachable(url, error)));
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      // An incomplete text is not a message of a sandbox, either.
      const body = text(response).then(parseJson, () => undefined);
      void body.then((found) => resolve(refusal(`GET ${url}/_sandbox/live`, response.statusCode ?? 0, found)));
    });
  });
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
