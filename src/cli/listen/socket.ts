/** The connection to the tunnel of a sandbox. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { WebSocket } from 'ws';
import { machineTime } from '../../time/system-clock.js';
import { parseJson, type Connection } from '../../client/connection.js';
import { refusal, unreachable } from '../../client/sandbox-error.js';
import { CliFailure, messageOf } from '../failure.js';

export interface Ended {
  readonly code: number;
  readonly reason: string;
}

export type Reply = (text: string) => void;

export interface OpenSocket {
  /** Closes the connection intentionally: the sandbox then removes the endpoint. */
  close(): void;
  readonly ended: Promise<Ended>;
}

const livePath = '/_sandbox/live';
/** Machine milliseconds without a sign of life after which the sandbox counts as gone; it sends one every 30 s. */
const silenceMs = 75_000;
const farewellMs = 1000;

/** The sandbox is busy or about to stop, and may accept the connection in a moment. */
export class NotNow extends CliFailure {}

/**
 * @param onText receives the texts of the sandbox, maybe before the socket is returned; `reply` sends one back
 * @throws SandboxError if the sandbox rejects the connection, NotNow if it may accept it later
 */
export async function openSocket(
  client: Connection,
  query: URLSearchParams,
  onText: (text: string, reply: Reply) => void,
): Promise<OpenSocket> {
  const { WebSocket: Client } = await import('ws');
  const address = `${client.url.replace(/^http/, 'ws')}${livePath}?${query.toString()}`;
  const socket = new Client(address, { headers: client.headers, perMessageDeflate: false, handshakeTimeout: 10_000 });
  const ended = new Promise<Ended>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const reply: Reply = (text) => socket.send(text, () => undefined);
  socket.on('message', (data) => onText(Buffer.from(data as Buffer).toString(), reply));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    // After the handshake, an error is followed by the close event, which ends the session.
    socket.on('error', (error) => reject(new NotNow(1, messageOf(unreachable(client.url, error)), { cause: error })));
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      // An incomplete text is not a message of a sandbox, either.
      void text(response)
        .then(parseJson, () => undefined)
        .then((body) => {
          const why = refusal(`GET ${client.url}${livePath}`, status, body);
          reject(status === 503 ? new NotNow(1, messageOf(why)) : why);
        });
    });
  });
  endWhenSilent(socket);
  return {
    close: () => {
      socket.close(1000);
      machineTime.setTimer(farewellMs, () => socket.terminate(), { unref: true });
    },
    ended,
  };
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
