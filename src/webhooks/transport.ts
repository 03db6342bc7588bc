import { isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type * as Undici from 'undici';
import type { SystemClock } from '../time/system-clock.js';
import type { CheckedHost, HostTarget, ResolvedAddress } from './addresses.js';
import { ConnectError, explainFailure, maxHeadBytes, type Peer } from './failure.js';
import type { Exchange } from './exchange.js';

/**
 * Time for which an idle connection is kept. Receivers close theirs after two seconds or more, so that no request meets
 * a closing connection.
 */
const IDLE_MS = 1_000;

/**
 * Time for which one of several addresses is tried before the next. Node's default of 250 ms can expire while the event
 * loop is blocked, which would drop an address that did respond.
 */
const ADDRESS_PATIENCE_MS = 2_500;

/**
 * Time for a server to respond to a TLS greeting before it counts as one that waits for an HTTP request line.
 */
const SILENCE_MS = 1_000;

export const connecting = 'connecting';

interface TransportOptions {
  readonly host: SystemClock;
  readonly insideContainer: boolean;
}

/**
 * A local host is first called in plain HTTP. For nearly every local server, that is the delivery itself, so its log
 * stays clean. A TLS server rejects it before its application reads anything.
 */
export class Transport {
  readonly #tls = new Set<string>();
  /** The checked addresses of each host: a connection is opened to these, and no name is looked up again. */
  readonly #addresses = new Map<string, readonly ResolvedAddress[]>();
  readonly #connecting = new Set<string>();
  #agents: Promise<{ readonly local: Undici.Agent; readonly verify: Undici.Agent }> | null = null;

  constructor(private readonly options: TransportOptions) {}

  /** Nothing rejects after the status has arrived. @throws SendFailure */
  async post(target: HostTarget, checked: CheckedHost, exchange: Exchange, signal: AbortSignal): Promise<void> {
    this.#addresses.set(target.host, checked.addresses);
    const peer = peerOf(target, checked, target.secure ? (checked.local ? 'local' : 'verify') : 'none');
    const send = (to: Peer) => this.#request(to, target.path, exchange, signal);
    let at = peer;
    try {
      if (peer.tls !== 'local') {
        await send(peer);
        return;
      }
      if (this.#tls.has(peer.origin)) {
        try {
          await send(peer);
          return;
        } catch (error) {
          this.#tls.delete(peer.origin);
          // Without a connection nothing was sent, and the host may have restarted without TLS.
          if (signal.aborted || !(error instanceof ConnectError)) throw error;
        }
      }
      const plain = peerOf(target, checked, 'none');
      try {
        await send(plain);
        if (!asksForTls(exchange, peer) || !(await this.#supportsTls(peer, signal))) return;
      } catch (error) {
        if (error instanceof ConnectError) throw error;
        // A TLS server has read nothing of the request.
        if (!(await this.#supportsTls(peer, signal))) {
          at = plain;
          throw error;
        }
      }
      await send(peer);
      this.#tls.add(peer.origin);
    } catch (error) {
      throw explainFailure(error, at, this.options.insideContainer);
    }
  }

  /** Called by the first attempt at the latest, and not before, because a start does not need undici. */
  load() {
    return (this.#agents ??= import('undici').then((undici) => ({
      local: this.#agent(undici, false),
      verify: this.#agent(undici, true),
    })));
  }

  async close(): Promise<void> {
    const agents = await this.#agents;
    await Promise.all([agents?.local.destroy(), agents?.verify.destroy()]);
  }

  async #request(peer: Peer, path: string, exchange: Exchange, signal: AbortSignal): Promise<void> {
    const agents = await this.load();
    const isConnecting = () => this.#connecting.has(peer.origin);
    exchange.begin(peer.authority, peer.origin + path, () =>
      isConnecting() ? connecting : 'waiting for the response',
    );
    exchange.plain = peer.tls === 'none';
    const agent = agents[peer.tls === 'verify' ? 'verify' : 'local'];
    const { headers, request } = exchange;
    await new Promise<void>((resolve, reject) => {
      agent.dispatch(
        { origin: peer.origin, path, method: 'POST', headers, body: request.body },
        {
          onRequestStart(controller) {
            const abort = (): void => controller.abort(signal.reason as Error);
            if (signal.aborted) abort();
            else signal.addEventListener('abort', abort, { once: true });
          },
          onResponseStart({ rawHeaders }, status) {
            // An interim response, such as 103 Early Hints.
            if (status < 200) return;
            exchange.responseHeaders = joined(rawHeaders as readonly Buffer[]);
            exchange.status = status;
          },
          onResponseData(controller, chunk) {
            if (!exchange.receive(chunk)) controller.abort(new Error('The rest of the body is not needed.'));
          },
          onResponseEnd() {
            exchange.isWhole = true;
            resolve();
          },
          // The status counts when it arrives, whatever happens to the body.
          onResponseError: (_, error) => (exchange.status === null ? reject(error) : resolve()),
        },
      );
    });
  }

  #agent({ Agent, buildConnector: connectorOf }: typeof Undici, verify: boolean): Undici.Agent {
    const connector = connectorOf({
      lookup: this.#pinnedLookup,
      rejectUnauthorized: verify,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_PATIENCE_MS,
    });
    const connect: Undici.buildConnector.connector = (options, callback) => {
      const origin = `${options.protocol}//${options.host}`;
      this.#connecting.add(origin);
      connector(options, (error, socket) => {
        this.#connecting.delete(origin);
        if (error === null) callback(null, acceptContinue(socket));
        else callback(new ConnectError(error), null);
      });
    };
    // The attempt's time limit covers head and body, on an injected clock.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    const idle = { keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS, keepAliveTimeoutThreshold: IDLE_MS };
    return new Agent({ connect, maxHeaderSize: maxHeadBytes, ...timeouts, ...idle });
  }

  readonly #pinnedLookup: LookupFunction = (host, options, callback) => {
    const [first, ...more] = this.#addresses.get(host) ?? [];
    if (first === undefined) callback(new Error(`the addresses of ${host} are not known`), '');
    else if (options.all === true) callback(null, [first, ...more]);
    else callback(null, first.address, first.family);
  };

  /** Starts a handshake, without any part of the webhook: a completed handshake or a TLS alert means TLS. */
  #supportsTls({ host, port }: Peer, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    const servername = isIP(host) === 0 ? host : '';
    return new Promise((resolve) => {
      const socket = connectTls({ host, port, lookup: this.#pinnedLookup, servername, rejectUnauthorized: false });
      const conclude = (found: boolean): void => {
        stopTimer();
        socket.destroy();
        resolve(found);
      };
      const stopTimer = this.options.host.setTimer(SILENCE_MS, () => conclude(false));
      socket.once('secureConnect', () => conclude(true));
      socket.on('error', (error: Error & { code?: string }) => conclude(error.code?.includes('ALERT') === true));
      socket.once('close', () => conclude(false));
      signal.addEventListener('abort', () => conclude(false), { once: true });
    });
  }
}

const CONTINUE = 'HTTP/1.1 100';

/**
 * undici ends a connection on which a `100 Continue` arrives that it did not request; a client must skip it
 * (https://www.rfc-editor.org/rfc/rfc9110#section-15.2). It does skip `102 Processing`, so the sandbox reads that.
 * Works for a `100` at the start of a read, which is where a response begins.
 */
function acceptContinue(socket: Socket): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size) => {
    const chunk = read(size);
    if (chunk?.subarray(0, CONTINUE.length).toString('latin1') === CONTINUE) chunk.write('2', CONTINUE.length - 1);
    return chunk;
  };
  return socket;
}

function peerOf({ host, port }: HostTarget, { addresses }: CheckedHost, tls: Peer['tls']): Peer {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const authority = port === (tls === 'none' ? 80 : 443) ? name : `${name}:${port}`;
  return { host, port, addresses, tls, authority, origin: `${tls === 'none' ? 'http' : 'https'}://${authority}` };
}

/**
 * The response of some servers to a plain request at their TLS port: "Client sent an HTTP request to an HTTPS server."
 */
const tlsWords = /\b(?:https|ssl|tls)\b/i;
const longestNotice = 2_000;

/** A TLS server responds to plain HTTP with 400, or with a redirect to itself. */
function asksForTls(exchange: Exchange, { origin }: Peer): boolean {
  const { status } = exchange;
  if (status === 400) return tlsWords.test(exchange.body.body.slice(0, longestNotice));
  const location = exchange.responseHeaders['location'] ?? '';
  return status !== null && status >= 300 && status < 400 && location.startsWith(`${origin}/`);
}

function joined(raw: readonly Buffer[]): Record<string, string> {
  // A Map inherits no entries, so a header may have any name, such as `constructor`.
  const values = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase();
    const value = (raw[at + 1]?.toString('latin1') ?? '').trimEnd();
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(values);
}
