/** The connection to the tunnel of a sandbox. */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { machineTime } from '../../time/system-clock.js';
import { parseJson, refusal, unreachable, type Connection } from '../../client/connection.js';
import { CliFailure, messageOf } from '../failure.js';

export interface Ended {
  readonly code: number;
  readonly reason: string;
}

export interface SocketParts {
  readonly client: Connection;
  readonly query: URLSearchParams;
  /**
   * Receives the texts of the sandbox; `reply` sends one back. The first text may arrive before the socket is returned.
   */
  readonly onText: (text: string, reply: Reply) => void;
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
 * @throws SandboxError if the sandbox rejects the connection, NotNow if it may accept it later
 */
export async function openSocket({ client, query, onText }: SocketParts): Promise<OpenSocket> {
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
      void readText(response).then((text) => {
        const status = response.statusCode ?? 0;
        const why = refusal(`GET ${client.url}${livePath}`, status, parseJson(text));
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

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  try {
    for await (const chunk of response) text += chunk as string;
  } catch {
    // The text received so far is sufficient, or there is none.
  }
  return text;
}
