import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Client } from 'undici';
import type { HostTime } from '../time/host.js';
import type { Cutoff } from './cutoff.js';
import { openSocket, peerOrigin } from './peer.js';
import type { Peer } from './peer.js';

/** One request and what wants to hear of its answer. Always a POST. */
export interface Exchange {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Called when a connection is there and the request goes out. */
  readonly onOpen: () => void;
  readonly onHead: (status: number, headers: IncomingHttpHeaders) => void;
  /** @returns false to read no further: the exchange then ends well, and the connection ends with it. */
  readonly onChunk: (chunk: Buffer) => boolean;
}

/** No connection came about; `cause` is the system's or TLS's own error. Nothing of the request was sent. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  constructor(cause: unknown) {
    super('the connection could not be opened', { cause });
  }
}

/** A kept-alive connection turned out to be closed by the peer; the request may be made again on another. */
export class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
}

/** The connection ended in the middle of an answer's body; `cause` says how. */
export class BrokenBodyError extends Error {
  override readonly name = 'BrokenBodyError';
  constructor(
    readonly bytes: number,
    cause: unknown,
  ) {
    super(`the body broke off after ${bytes} bytes`, { cause });
  }
}

const HANG_UPS = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * A peer that closes an idle connection does so within a network round trip of our write. A later hang-up is the
 * receiver's doing (it took the request and died), and must show as a failed attempt.
 */
const STALE_WITHIN_MS = 1_000;

/** One undici client with at most one socket, for one exchange at a time. */
export class Connection {
  readonly #client: Client;
  readonly #host: HostTime;
  #socket: Socket | null = null;
  #socketsOpened = 0;
  #destroyed = false;
  #onOpen: (() => void) | undefined;

  constructor(
    peer: Peer,
    ClientClass: typeof Client,
    host: HostTime,
    /** Called when the socket closes, for whatever reason. */
    onClose: () => void,
  ) {
    this.#host = host;
    this.#client = new ClientClass(peerOrigin(peer), {
      pipelining: 1,
      // The attempt has one cap over everything, held by the sender; a second clock here would only disagree with it.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, callback) => {
        const socket = openSocket(peer);
        this.#socket = socket;
        const onFailure = (error: Error): void => {
          callback(new ConnectError(error), null);
        };
        socket.once('error', onFailure);
        socket.once('close', () => {
          if (this.#socket === socket) this.#socket = null;
          onClose();
        });
        socket.once(peer.tls === 'none' ? 'connect' : 'secureConnect', () => {
          socket.off('error', onFailure);
          this.#socketsOpened += 1;
          this.#onOpen?.();
          callback(null, socket);
        });
      },
    });
  }

  /** Whether the next exchange would use a socket that is open already. */
  get isOpen(): boolean {
    return this.#socket !== null && !this.#socket.destroyed && !this.#destroyed;
  }

  /**
   * Makes the exchange; resolves when the answer is complete or nobody wants more of it.
   * @throws ConnectError, StaleConnectionError, BrokenBodyError, undici's errors, or the cutoff's reason.
   */
  async post(exchange: Exchange, cutoff: Cutoff): Promise<void> {
    const reused = this.isOpen ? this.#socket : null;
    const openedBefore = this.#socketsOpened;
    const bytesBefore = reused?.bytesRead;
    const startedAt = this.#host.monotonic();
    this.#onOpen = exchange.onOpen;
    if (reused !== null) exchange.onOpen();
    const stopListening = cutoff.onCut((reason) => void this.destroy(reason));
    try {
      await this.#dispatch(exchange);
    } catch (error) {
      const untouched = reused !== null && this.#socketsOpened === openedBefore && reused.bytesRead === bytesBefore;
      const prompt = this.#host.monotonic() - startedAt <= STALE_WITHIN_MS;
      if (untouched && prompt && HANG_UPS.has(codeOf(error)) && cutoff.reason === null) {
        throw new StaleConnectionError('the peer had closed the connection', { cause: error });
      }
      throw error;
    } finally {
      stopListening();
    }
  }

  /** Ends the socket at once, one that is still being opened included; an exchange ends with `reason`. Idempotent. */
  async destroy(reason: Error | null = null): Promise<void> {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#socket?.on('error', () => undefined).destroy();
    await this.#client.destroy(reason);
  }

  #dispatch({ path, headers, body, onHead, onChunk }: Exchange): Promise<void> {
    return new Promise((resolve, reject) => {
      let bytes: number | null = null;
      this.#client.dispatch(
        { method: 'POST', path, headers, body },
        {
          // Undici asks for this one, though there is nothing to do before the answer.
          onRequestStart: () => undefined,
          onResponseStart(_controller, status, received) {
            // An interim answer (1xx) announces another one.
            if (status < 200) return;
            bytes = 0;
            onHead(status, received);
          },
          onResponseData: (_controller, chunk) => {
            bytes = (bytes ?? 0) + chunk.length;
            if (onChunk(chunk)) return;
            resolve();
            void this.destroy();
          },
          onResponseEnd: () => {
            resolve();
          },
          onResponseError(_controller, error) {
            reject(bytes === null ? error : new BrokenBodyError(bytes, error));
          },
        },
      );
    });
  }
}

/** The `code` that Node and undici put on their errors; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
