/** The sender, the only part of the sandbox that makes requests to receivers: a URL and bytes become an outcome. */
import { StringDecoder } from 'node:string_decoder';
import { keptBody } from '../domain/limits.js';
import type { Attempt } from '../domain/rows.js';
import type { WebhookRoute } from '../domain/webhook.js';
import { formatDuration } from '../time/duration.js';
import type { SystemClock } from '../time/system-clock.js';
import { checkHost, systemLookup, targetOf, type DirectTarget, type Lookup } from './addresses.js';
import { SINK_HOST, TUNNEL_HOST, tunnelClosed, type DirectReceiver } from './direct.js';
import { type SendError, SendFailure, statusFailure } from './failure.js';
import { connecting, Transport } from './transport.js';

/** The HTTP request of an attempt. */
export interface SendRequest {
  /** The endpoint's URL as it was registered. Routes, sinks and tunnels decide where the request goes. */
  readonly url: string;
  /** Header names and values as sent; the sender adds those of the connection and the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as its UTF-8 bytes, unchanged. */
  readonly body: string;
  /** The account's own sinks, for `https://sink.sandbox/NAME`. Never called for other URLs. */
  readonly sink?: DirectReceiver;
  /** The account's own tunnel clients, for `https://tunnel.sandbox/ID`. Never called for other URLs. */
  readonly tunnel?: DirectReceiver;
}

/**
 * The result of one attempt, in the form of its record; `response` has header names in lower case, and at most 64 KiB of
 * the body. Sending never throws: every failure is an outcome.
 */
export interface Outcome extends Pick<
  Attempt,
  'status' | 'durationMs' | 'hint' | 'sentTo' | 'plain' | 'request' | 'response'
> {
  /**
   * True exactly if a 2xx status arrived within the time limit; a body that arrives late or never makes no difference.
   */
  readonly ok: boolean;
  /** Present exactly if `ok` is false. */
  readonly error?: SendError;
}

/** Tests pass in a scripted one. */
export interface Sender {
  /** Makes one request and returns its outcome. Never rejects, never follows a redirect, never retries a failure. */
  send(request: SendRequest): Promise<Outcome>;
  /** Ends every connection; requests in flight end as failures. Idempotent. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly host: SystemClock;
  readonly routes: readonly WebhookRoute[];
  /** `--allow-public-webhooks`. */
  readonly allowPublic: boolean;
  /**
   * Time limit of an attempt in milliseconds, from the name lookup to the status of the response; the body has the
   * remaining time. Default 10 s (interface document, section 6).
   */
  readonly timeoutMs?: number;
  /** Whether 127.0.0.1 is a container rather than the developer's machine; this changes a hint. */
  readonly insideContainer: boolean;
  /** Default: the machine's resolver. */
  readonly lookup?: Lookup;
}

export function createSender(options: SenderOptions): Sender {
  const { host, timeoutMs = 10_000, routes, allowPublic, lookup = systemLookup } = options;
  const transport = new Transport(options);
  const inFlight = new Set<AbortController>();
  let closed = false;

  const reach = async (exchange: Exchange, signal: AbortSignal): Promise<void> => {
    const target = targetOf(exchange.request.url, routes);
    if (target.kind !== 'host') return reachDirectly(target, exchange, signal);
    exchange.sentTo = target.href;
    const checked = await checkHost(target, lookup, allowPublic);
    // The attempt may have ended during the name lookup; it must then send nothing.
    signal.throwIfAborted();
    return transport.post(target, checked, exchange, signal);
  };

  return {
    async send(request) {
      const exchange = new Exchange(request);
      const end = new AbortController();
      const startedAt = host.monotonic();
      const stopTimer = host.setTimer(timeoutMs, () => end.abort(timeoutFailure(timeoutMs, exchange.doing())));
      inFlight.add(end);
      let failure: SendFailure | null = null;
      try {
        if (closed) throw CLOSED;
        await untilAborted(reach(exchange, end.signal), end.signal);
      } catch (error) {
        failure = error instanceof SendFailure ? error : unknownFailure(error);
      }
      stopTimer();
      inFlight.delete(end);
      // The status counts when it arrives, whatever happens to the body.
      const { status, responseHeaders } = exchange;
      if (status !== null) {
        failure = status >= 200 && status <= 299 ? null : statusFailure(status, responseHeaders['location']);
      }
      return exchange.outcome(failure, host.monotonic() - startedAt);
    },
    async close() {
      closed = true;
      for (const end of inFlight) end.abort(CLOSED);
      await transport.close();
    },
  };
}

/** Delivers to a receiver that is reached without a network connection: the built-in sink, or a client's tunnel. */
async function reachDirectly({ kind, name, path }: DirectTarget, exchange: Exchange, signal: AbortSignal) {
  const { [kind]: receive, url, body } = exchange.request;
  if (receive === undefined) {
    throw kind === 'tunnel' ? tunnelClosed() : new SendFailure('sink_not_available', `No sink is attached for ${url}.`);
  }
  const who = kind === 'tunnel' ? 'the client at the other end of the tunnel' : 'the sink';
  exchange.begin(kind === 'tunnel' ? TUNNEL_HOST : SINK_HOST, url, () => `waiting for ${who}`);
  const response = await receive({ name, path, headers: exchange.headers, body }, signal);
  exchange.receive(Buffer.from(response.body ?? ''));
  exchange.isWhole = true;
  exchange.responseHeaders = response.headers ?? {};
  exchange.status = response.status;
}

const CLOSED = new SendFailure('sender_closed', 'The sandbox was shut down before a response arrived.');

/** Resolves like `work`, but ends with the signal: not everything that an attempt waits for can be interrupted. */
function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as SendFailure), { once: true });
    work.then(resolve, reject);
  });
}

function timeoutFailure(timeoutMs: number, doing: string): SendFailure {
  const message = `No response within ${formatDuration(timeoutMs)}: still ${doing}.`;
  const hint =
    doing === connecting
      ? 'The connection was not accepted: check the host, the port and any firewall in between.'
      : 'Respond with 2xx first and do the work afterwards.';
  return new SendFailure('timeout', message, hint);
}

function unknownFailure(error: unknown): SendFailure {
  const detail = error instanceof Error ? error.message : String(error);
  return new SendFailure('connection_failed', `The attempt failed: ${detail}.`);
}

/** Number of bytes of a response that are read so that the connection can be reused; a longer one closes it. */
const DRAINED_BYTES = 1024 * 1024;

/** An attempt in progress, so that a failure at any point has a complete record. */
export class Exchange {
  sentTo: string;
  plain = false;
  headers: Readonly<Record<string, string>>;
  status: number | null = null;
  responseHeaders: Readonly<Record<string, string>> = {};
  /** Whether all of the response's body has arrived. */
  isWhole = false;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Returns the current step, as the end of "still … ". */
  doing = () => 'looking up the host';

  constructor(readonly request: SendRequest) {
    this.sentTo = request.url;
    this.headers = request.headers;
  }

  /**
   * Starts, or starts over with another receiver.
   * @param authority value of the `host` header
   */
  begin(authority: string, sentTo: string, doing: () => string): void {
    Object.assign(this, { sentTo, doing, status: null, isWhole: false });
    this.#chunks = [];
    this.#bytes = 0;
    this.headers = requestHeaders(this.request, authority);
  }

  /** Takes a part of the response's body. Returns false once enough was read. */
  receive(chunk: Buffer): boolean {
    if (this.#bytes <= keptBody) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes <= DRAINED_BYTES;
  }

  /** The body of the response as recorded, as far as it has arrived. */
  get body(): { body: string; truncated?: true } {
    return recorded(Buffer.concat(this.#chunks), this.isWhole);
  }

  /** @param failure null for a success */
  outcome(failure: SendFailure | null, durationMs: number): Outcome {
    const { status, sentTo, plain, request, headers } = this;
    return {
      ok: failure === null,
      status,
      durationMs: Math.round(durationMs),
      sentTo,
      plain,
      // A character is at most three bytes long.
      request: {
        url: request.url,
        headers,
        ...(request.body.length * 3 <= keptBody ? { body: request.body } : recorded(Buffer.from(request.body))),
      },
      ...(failure && { error: { code: failure.code, message: failure.message } }),
      ...(failure?.hint !== undefined && { hint: failure.hint }),
      ...(status !== null && { response: { headers: this.responseHeaders, ...this.body } }),
    };
  }
}

/** Cuts a body at 64 KiB; a character split by the end is omitted, bytes that are not UTF-8 become U+FFFD. */
function recorded(bytes: Buffer, isWhole = true): { body: string; truncated?: true } {
  if (isWhole && bytes.length <= keptBody) return { body: bytes.toString() };
  return { body: new StringDecoder('utf8').write(bytes.subarray(0, keptBody)), truncated: true };
}

/** Headers that depend on the connection and the body. */
const OURS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/**
 * Returns the headers exactly as sent, so that a record can show them. User name and password of the URL, if any, become
 * Basic authorization.
 */
function requestHeaders({ headers: given, url, body }: SendRequest, host: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { host, connection: 'keep-alive' };
  let isAuthorised = false;
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (!OURS.has(key)) headers[name] = value;
    isAuthorised ||= key === 'authorization';
  }
  if (!isAuthorised && url.includes('@')) {
    const { username, password } = new URL(url);
    const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    if (username !== '') headers['authorization'] = `Basic ${pair.toString('base64')}`;
  }
  headers['content-length'] = String(Buffer.byteLength(body));
  return headers;
}
