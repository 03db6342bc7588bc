/**
 * Runs a session of `listen`: receives deliveries until the user stops it, and resumes with the same endpoint if the
 * connection breaks or the sandbox restarts.
 */
import type { ConnectionFrame, TunnelAsk, TunnelReady } from '../../live/frame.js';
import { pause } from '../../time/pause.js';
import { machineTime } from '../../time/system-clock.js';
import type { Connection } from '../../client/connection.js';
import { CliFailure } from '../failure.js';
import type { Forward } from './forward.js';
import type { Delivered } from './lines.js';
import { NotNow, openSocket, type Ended, type OpenSocket, type Reply } from './socket.js';

export interface SessionParts {
  readonly client: Connection;
  /** The options of the tunnel's first connection. */
  readonly query: URLSearchParams;
  readonly forward: Forward;
  readonly onReady: (ready: TunnelReady) => void;
  readonly onDelivered: (delivered: Delivered) => void;
  /** Describes a change of the connection in a sentence. */
  readonly onNotice: (text: string) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** The sandbox has removed this endpoint; after any other end, the client connects again. */
const overCodes: readonly number[] = [1000, 1008];

/**
 * Resolves after `stop`.
 * @throws CliFailure if the first connection fails, or the sandbox rejects it
 */
export async function listenUntil(stop: Promise<unknown>, parts: SessionParts): Promise<void> {
  const { client, forward, onReady, onDelivered, onNotice } = parts;
  const stopped = new AbortController();
  /** A function, because a signal may arrive while we wait, which the compiler does not take into account. */
  const isStopped = (): boolean => stopped.signal.aborted;
  let known: TunnelReady | null = null;
  let socket: OpenSocket | null = null;
  let pauseMs = firstPauseMs;
  const stopping = stop.then(() => {
    stopped.abort();
    socket?.close();
  });

  const pass = async (ask: TunnelAsk, reply: Reply): Promise<void> => {
    const [atMs, startedMs] = [machineTime.now(), machineTime.monotonic()];
    const result = await forward(ask, known?.timeout_ms ?? 0);
    reply(JSON.stringify({ id: ask.id, ...result }));
    onDelivered({ atMs, ask, result, durationMs: Math.round(machineTime.monotonic() - startedMs) });
  };
  const connected = (ready: TunnelReady): void => {
    pauseMs = firstPauseMs;
    if (known === null) onReady(ready);
    else if (ready.webhook_id === known.webhook_id) onNotice('Connected again.');
    else onNotice('Reconnected, to a new endpoint with the same secret.');
    known = ready;
  };
  const hear = (text: string, reply: Reply): void => {
    const frame = JSON.parse(text) as ConnectionFrame;
    if (frame.kind === 'tunnel.ready') connected(frame.data);
    else if (frame.kind === 'tunnel.request') void pass(frame.data, reply);
    else onNotice(frame.data.message);
  };
  /** Null if this attempt failed. */
  const open = async (): Promise<OpenSocket | null> => {
    const query = new URLSearchParams(parts.query);
    if (known) {
      // The same URL and secret as before, so that the server under test keeps its configuration.
      query.set('resume', known.webhook_id);
      query.set('secret', known.secret);
    }
    try {
      return await openSocket(client, query, hear);
    } catch (error) {
      if (error instanceof NotNow && known) return null;
      throw error;
    }
  };

  while (!isStopped()) {
    socket = await open();
    // A signal may have arrived while the connection was opened.
    if (isStopped()) socket?.close();
    const ended = await socket?.ended;
    socket = null;
    if (isStopped()) return;
    if (ended) onNotice(lossOf(ended));
    await Promise.race([pause(pauseMs), stopping]);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** Describes a connection that broke. @throws CliFailure if the sandbox has ended it */
function lossOf({ code, reason }: Ended): string {
  const why = reason === '' ? `code ${code}` : reason;
  if (overCodes.includes(code)) throw new CliFailure(1, `listen: the sandbox ended the connection: ${why}.`);
  return `Connection lost (${why}); reconnecting when the sandbox is back.`;
}
