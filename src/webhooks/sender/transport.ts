import type { SystemClock } from '../../time/system-clock.js';
import { BoundedMap, type HttpDestination } from './destinations.js';
import { HttpClient, type Exchange } from './http-client.js';
import { openSocket, type Peer } from './peer.js';
import { ConnectError, type SendFailure } from './send-error.js';
import { explainFailure } from './send-failure.js';

export interface TransportOptions {
  readonly host: SystemClock;
  readonly insideContainer: boolean;
  /** Ends every probe, which several attempts may share; an exchange has its own signal. */
  readonly closing: AbortSignal;
}

/** Makes the exchange with the chosen peer; called again if another peer is chosen. */
type MakeExchange = (peer: Peer) => Exchange;

/** Maximum number of origins whose protocol is cached. The oldest is removed, and probed again when needed. */
const MOST_REMEMBERED = 1_000;

/**
 * Sends to checked destinations: with TLS, or in plain HTTP to a local host. To find out which of them a local host
 * supports, the sandbox sends in plain HTTP. For nearly every local server, that is the delivery itself, so its log
 * stays clean. A TLS server rejects it before its application reads anything.
 */
export class Transport {
  readonly #protocols = new BoundedMap<string, 'tls' | 'plain'>(MOST_REMEMBERED);
  readonly #probes = new Map<string, Promise<boolean>>();
  readonly #client: HttpClient;

  constructor(private readonly options: TransportOptions) {
    this.#client = new HttpClient(options.host);
  }

  /**
   * @returns whether the response's body arrived complete
   * @throws SendFailure
   */
  async post(destination: HttpDestination, makeExchange: MakeExchange, signal: AbortSignal): Promise<boolean> {
    const { peer, plain } = destination;
    if (plain === null) return this.#post(peer, makeExchange(peer), signal);
    if (this.#protocols.get(peer.key) === 'tls') {
      try {
        return await this.#client.post(peer, makeExchange(peer), signal);
      } catch (error) {
        if (signal.aborted) throw this.#explain(error, peer);
        this.#protocols.delete(peer.key);
        // Without a connection nothing was sent, and the host may have restarted without TLS.
        if (!(error instanceof ConnectError)) throw this.#explain(error, peer);
      }
    }
    return (await this.#postPlain(peer, plain, makeExchange, signal)) ?? this.#postTls(peer, makeExchange, signal);
  }

  close(): void {
    this.#client.close();
  }

  /** Returns null if the host supports TLS; in that case, nothing read the request. */
  async #postPlain(peer: Peer, plain: Peer, makeExchange: MakeExchange, signal: AbortSignal): Promise<boolean | null> {
    const { exchange, asksForTls } = watched(makeExchange(plain), peer);
    try {
      const complete = await this.#client.post(plain, exchange, signal);
      if (asksForTls() && (await this.#supportsTls(peer))) return null;
      this.#protocols.set(peer.key, 'plain');
      return complete;
    } catch (error) {
      if (error instanceof ConnectError) throw this.#explain(error, peer);
      if (!signal.aborted && (await this.#supportsTls(peer))) return null;
      throw this.#explain(signal.aborted ? signal.reason : error, plain);
    }
  }

  async #postTls(peer: Peer, makeExchange: MakeExchange, signal: AbortSignal): Promise<boolean> {
    const complete = await this.#post(peer, makeExchange(peer), signal);
    this.#protocols.set(peer.key, 'tls');
    return complete;
  }

  async #post(peer: Peer, exchange: Exchange, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#client.post(peer, exchange, signal);
    } catch (error) {
      throw this.#explain(error, peer);
    }
  }

  /** Attempts that ask at the same time share one probe. */
  #supportsTls(peer: Peer): Promise<boolean> {
    const known = this.#probes.get(peer.key);
    if (known !== undefined) return known;
    const probe = supportsTls(peer, this.options.host, this.options.closing).finally(() => {
      this.#probes.delete(peer.key);
    });
    this.#probes.set(peer.key, probe);
    return probe;
  }

  #explain(error: unknown, peer: Peer): SendFailure {
    return explainFailure(error, { peer, insideContainer: this.options.insideContainer });
  }
}

/**
 * The response of some servers to a plain request at their TLS port: "Client sent an HTTP request to an HTTPS server."
 */
const tlsWords = /\b(?:https|ssl|tls)\b/i;
const longestNotice = 2_000;

/** Observes an exchange in plain HTTP: a TLS server may respond with 400, or with a redirect to itself. */
function watched(
  exchange: Exchange,
  { origin }: Peer,
): { readonly exchange: Exchange; readonly asksForTls: () => boolean } {
  let [status, location, text] = [0, '', ''];
  return {
    exchange: {
      ...exchange,
      onHead(code, headers) {
        [status, location] = [code, headers['location'] ?? ''];
        exchange.onHead(code, headers);
      },
      onChunk(chunk) {
        if (status === 400 && text.length < longestNotice) text += chunk.toString('latin1', 0, longestNotice);
        return exchange.onChunk(chunk);
      },
    },
    asksForTls: () =>
      status === 400 ? tlsWords.test(text) : status >= 300 && status < 400 && location.startsWith(`${origin}/`),
  };
}

/**
 * How long a server may stay silent after a TLS greeting before it counts as one that waits for an HTTP request line.
 */
const SILENCE_MS = 1_000;

/**
 * Returns whether a local host supports TLS, by starting a handshake: a completed handshake or a TLS alert means that
 * it does. No part of the webhook is sent. Returns false if `signal` ends the probe.
 */
export function supportsTls(peer: Peer, host: SystemClock, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket({ ...peer, tls: 'local' });
    const onAbort = (): void => conclude(false);
    const stopTimer = host.setTimer(SILENCE_MS, () => conclude(false));
    const conclude = (found: boolean): void => {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(found);
    };
    socket.once('secureConnect', () => conclude(true));
    socket.on('error', (error: Error & { code?: string }) => conclude(error.code?.includes('ALERT') === true));
    socket.once('close', () => conclude(false));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
