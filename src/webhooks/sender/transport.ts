import type { SystemClock } from '../../time/system-clock.js';
import type { AttemptTrace } from './attempt-trace.js';
import { BoundedMap, type HttpDestination } from './destinations.js';
import { HttpClient } from './http-client.js';
import { openSocket, type Peer } from './peer.js';
import { ConnectError } from './send-error.js';
import { explainFailure } from './send-failure.js';

/** Maximum number of origins that are known to support TLS. The oldest is removed, and probed again when needed. */
const MOST_REMEMBERED = 1_000;

/**
 * Sends to checked destinations: with TLS, or in plain HTTP to a local host. To find out which of them a local host
 * supports, the sandbox sends in plain HTTP. For nearly every local server, that is the delivery itself, so its log
 * stays clean. A TLS server rejects it before its application reads anything.
 */
export class Transport {
  readonly #tls = new BoundedMap<string, true>(MOST_REMEMBERED);
  readonly #client: HttpClient;

  constructor(private readonly options: { readonly host: SystemClock; readonly insideContainer: boolean }) {
    this.#client = new HttpClient(options.host);
  }

  /** @throws SendFailure */
  async post({ peer, plain, path }: HttpDestination, trace: AttemptTrace, signal: AbortSignal): Promise<void> {
    const { host, insideContainer } = this.options;
    const send = (to: Peer): Promise<void> => {
      trace.addressTo(to.authority);
      return this.#client.post(to, path, trace, signal);
    };
    const fail = (error: unknown, at = peer): never => {
      throw explainFailure(error, { peer: at, insideContainer });
    };
    if (plain === null) return send(peer).catch(fail);
    if (this.#tls.has(peer.key)) {
      try {
        await send(peer);
        return;
      } catch (error) {
        if (signal.aborted) fail(error);
        this.#tls.delete(peer.key);
        // Without a connection nothing was sent, and the host may have restarted without TLS.
        if (!(error instanceof ConnectError)) fail(error);
      }
    }
    try {
      await send(plain);
      if (!asksForTls(trace, peer) || !(await supportsTls(peer, host, signal))) return;
    } catch (error) {
      if (error instanceof ConnectError) fail(error);
      // A TLS server has read nothing of the request.
      if (!(await supportsTls(peer, host, signal))) fail(error, plain);
    }
    await send(peer).catch(fail);
    this.#tls.set(peer.key, true);
  }

  close(): void {
    this.#client.close();
  }
}

/**
 * The response of some servers to a plain request at their TLS port: "Client sent an HTTP request to an HTTPS server."
 */
const tlsWords = /\b(?:https|ssl|tls)\b/i;
const longestNotice = 2_000;

/** Whether the response to a request in plain HTTP may be that of a TLS server: 400, or a redirect to itself. */
function asksForTls({ status, responseHeaders, responseBody }: AttemptTrace, { origin }: Peer): boolean {
  if (status === 400) return tlsWords.test(responseBody.text.slice(0, longestNotice));
  return (
    status !== null && status >= 300 && status < 400 && (responseHeaders['location'] ?? '').startsWith(`${origin}/`)
  );
}

/**
 * How long a server may stay silent after a TLS greeting before it counts as one that waits for an HTTP request line.
 */
const SILENCE_MS = 1_000;

/**
 * Returns whether a local host supports TLS, by starting a handshake: a completed handshake or a TLS alert means that
 * it does. No part of the webhook is sent. Returns false if `signal` ends the probe.
 */
function supportsTls(peer: Peer, host: SystemClock, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
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
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
