/** Posts over kept-alive HTTP/1.1 connections. undici writes the request, and its llhttp parses the response. */
import type { Socket } from 'node:net';
import type { Client, buildConnector } from 'undici';
import type { SystemClock } from '../../time/system-clock.js';
import type { AttemptTrace } from './attempt-trace.js';
import { openSocket, type Peer } from './peer.js';
import { ConnectError, isHangUp } from './send-error.js';

/** Longer response heads are rejected, because a receiver may never end one. */
export const maxHeadBytes = 16 * 1024;

/** How long an idle connection is kept if the peer does not specify a time; most peers keep it longer. */
const IDLE_MS = 4_000;
/** How much earlier than the peer we close a connection, so that no request meets a closing connection. */
const AHEAD_MS = 2_000;

/**
 * A peer that closes an idle connection does so within a network round trip of our write. A later close is caused by
 * the receiver (it accepted the request and crashed), and must be shown as a failed attempt.
 */
const STALE_WITHIN_MS = 1_000;
const CLOSED = new Error('the peer had closed the connection');

/**
 * Keeps idle connections by peer. There is no limit on connections in use: the caller decides how much is in flight.
 * Idle connections are closed when the receiver closes them, or shortly before.
 */
export class HttpClient {
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();
  #undici: typeof Client | null = null;

  constructor(private readonly host: SystemClock) {}

  /**
   * Makes the request of an attempt, which records its progress and the response. Nothing rejects after the status has
   * arrived. If the peer closed a kept connection while we wrote, it is replaced once, because that is not a failure of
   * the receiver.
   * @param path path and query
   * @throws the errors of `send-error.ts`, undici's, the system's, or the signal's reason
   */
  async post(peer: Peer, path: string, trace: AttemptTrace, signal: AbortSignal): Promise<void> {
    const kept = this.#takeIdle(peer.key);
    if (kept !== undefined && (await this.#exchange(kept, path, trace, signal))) return;
    // Loaded by the first attempt, because a start does not need it.
    this.#undici ??= (await import('undici/lib/dispatcher/client.js')).default;
    await this.#exchange(this.#open(this.#undici, peer), path, trace, signal);
  }

  close(): void {
    for (const connection of this.#all) connection.destroy();
  }

  /** @returns false if the peer had closed the connection */
  async #exchange(connection: Connection, path: string, trace: AttemptTrace, signal: AbortSignal): Promise<boolean> {
    const onAbort = (): void => connection.destroy();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      const arrived = await connection.post(path, trace);
      if (trace.responseBody.complete && connection.isReusable) this.#keep(connection);
      else connection.destroy();
      return arrived;
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #open(undici: typeof Client, peer: Peer): Connection {
    const connection: Connection = new Connection(undici, peer, this.host, () => this.#forget(connection));
    this.#all.add(connection);
    return connection;
  }

  #takeIdle(key: string): Connection | undefined {
    const idle = this.#idle.get(key);
    // The peer is least likely to have closed the most recently used connection.
    for (let last = idle?.pop(); last !== undefined; last = idle?.pop()) if (last.isReusable) return last;
    return undefined;
  }

  #keep(connection: Connection): void {
    const { key } = connection.peer;
    const idle = this.#idle.get(key);
    if (idle === undefined) this.#idle.set(key, [connection]);
    else idle.push(connection);
  }

  #forget(connection: Connection): void {
    const { key } = connection.peer;
    this.#all.delete(connection);
    const left = this.#idle.get(key)?.filter((other) => other !== connection) ?? [];
    if (left.length === 0) this.#idle.delete(key);
    else this.#idle.set(key, left);
  }
}

/** One undici client with one socket. It serves one exchange at a time and never reconnects. */
class Connection {
  readonly #client: Client;
  #socket: Socket | null = null;
  #served = false;

  constructor(
    undici: typeof Client,
    readonly peer: Peer,
    private readonly host: SystemClock,
    private readonly onClose: () => void,
  ) {
    this.#client = new undici(peer.origin, {
      connect: (_options: buildConnector.Options, callback: buildConnector.Callback) => this.#connect(callback),
      maxHeaderSize: maxHeadBytes,
      keepAliveTimeout: IDLE_MS,
      keepAliveTimeoutThreshold: AHEAD_MS,
      // The attempt's time limit covers both, on an injected clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('disconnect', onClose);
  }

  /** Whether another exchange is possible. A request must be sent completely before the next one. */
  get isReusable(): boolean {
    return this.#socket?.destroyed === false && this.#socket.writableLength === 0;
  }

  /**
   * @returns false if the peer closed a kept connection while we wrote: the request may be repeated on a new one
   * (RFC 9112, 9.3.1)
   */
  post(path: string, trace: AttemptTrace): Promise<boolean> {
    const startedAtMs = this.host.monotonic();
    const [reused, before] = [this.#served, this.#socket?.bytesRead ?? 0];
    return new Promise((resolve, reject) => {
      this.#client.dispatch(
        { method: 'POST', path, headers: { ...trace.headers }, body: trace.request.body },
        {
          onRequestStart: () => trace.connected(this.peer, path),
          onResponseStart: ({ rawHeaders }, status) => {
            // An interim response announces another one.
            if (status < 200) return;
            this.#served = true;
            trace.responded(status, joined(rawHeaders as Buffer[]));
          },
          onResponseData: (_controller, chunk) => {
            if (!trace.responseBody.add(chunk)) this.destroy();
          },
          onResponseEnd: () => {
            trace.responseBody.complete = true;
            resolve(true);
          },
          onResponseError: (_controller, error) => {
            const heard = (this.#socket?.bytesRead ?? 0) > before;
            const isLate = this.host.monotonic() - startedAtMs > STALE_WITHIN_MS;
            const stale = error === CLOSED || (isHangUp(error) && !heard && !isLate);
            if (trace.status !== null) resolve(true);
            else if (reused && stale) resolve(false);
            else reject(error);
          },
        },
      );
    });
  }

  /** Closes the socket immediately, even while it is being opened. Idempotent. */
  destroy(): void {
    void this.#client.destroy();
    this.#socket?.destroy();
    this.onClose();
  }

  #connect(callback: buildConnector.Callback): void {
    // The socket closed after this connection was chosen and before the request was written.
    if (this.#socket !== null) {
      callback(CLOSED, null);
      return;
    }
    const socket = (this.#socket = openSocket(this.peer));
    const onError = (error: Error): void => callback(new ConnectError(error), null);
    socket.once('error', onError);
    socket.once(this.peer.tls === 'none' ? 'connect' : 'secureConnect', () => {
      socket.off('error', onError);
      callback(null, socket);
    });
  }
}

/** @param raw names and values alternately */
function joined(raw: readonly Buffer[]): Record<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]?.toString('latin1').toLowerCase() ?? '';
    const value = raw[at + 1]?.toString('latin1').trimEnd() ?? '';
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  // Own properties, whatever the names of the receiver's headers.
  return Object.fromEntries(values);
}
