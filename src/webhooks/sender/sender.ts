import { formatDuration } from '../../time/duration.js';
import type { WebhookRoute } from '../../domain/webhook-route.js';
import type { SystemClock } from '../../time/system-clock.js';
import { SINK_HOST } from '../sink.js';
import { TUNNEL_HOST, tunnelClosed } from '../tunnels.js';
import { AttemptTrace, ResponseBody } from './attempt-trace.js';
import { Destinations, type HttpDestination } from './destinations.js';
import type { Exchange } from './http-client.js';
import { systemLookup, type Lookup, type Peer } from './peer.js';
import { requestHeaders } from './request-headers.js';
import { SendFailure } from './send-error.js';
import { statusFailure } from './send-failure.js';
import type { DirectTarget } from './resolved-target.js';
import type { Outcome, SendRequest, Sender } from './sender-types.js';
import { Transport } from './transport.js';

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

/** Creates the real sender: the only part of the sandbox that makes requests to receivers. */
export function createSender(options: SenderOptions): Sender {
  return new NetworkSender(options);
}

class NetworkSender implements Sender {
  readonly #host: SystemClock;
  readonly #timeoutMs: number;
  readonly #destinations: Destinations;
  readonly #closing = new AbortController();
  readonly #transport: Transport;
  readonly #inFlight = new Map<AbortController, Promise<Outcome>>();

  constructor(options: SenderOptions) {
    this.#host = options.host;
    this.#timeoutMs = options.timeoutMs ?? 10_000;
    const { routes, allowPublic, lookup = systemLookup } = options;
    this.#destinations = new Destinations({ routes, allowPublic, lookup });
    this.#transport = new Transport({
      host: options.host,
      insideContainer: options.insideContainer,
      closing: this.#closing.signal,
    });
  }

  send(request: SendRequest): Promise<Outcome> {
    const end = new AbortController();
    const outcome = this.#attempt(request, end);
    this.#inFlight.set(end, outcome);
    return outcome;
  }

  async close(): Promise<void> {
    this.#closing.abort(CLOSED);
    for (const end of this.#inFlight.keys()) end.abort(CLOSED);
    await Promise.all(this.#inFlight.values());
    this.#transport.close();
  }

  async #attempt(request: SendRequest, end: AbortController): Promise<Outcome> {
    const startedAt = this.#host.monotonic();
    const trace = new AttemptTrace(request);
    const stopTimer = this.#host.setTimer(this.#timeoutMs, () => {
      end.abort(timeoutFailure(this.#timeoutMs, trace.doing));
    });
    let failure: SendFailure | null = null;
    try {
      if (this.#closing.signal.aborted) throw CLOSED;
      await untilAborted(this.#deliver(request, trace, end.signal), end.signal);
    } catch (error) {
      failure = asFailure(error);
    }
    stopTimer();
    this.#inFlight.delete(end);
    // The status counts when it arrives, whatever happens to the body.
    if (trace.status !== null) failure = statusFailure(trace.status, trace.responseHeaders['location']);
    return trace.outcome(failure, this.#host.monotonic() - startedAt);
  }

  async #deliver(request: SendRequest, trace: AttemptTrace, signal: AbortSignal): Promise<void> {
    const destination = await this.#destinations.find(request.url);
    // The attempt may have ended during the name lookup; it must then send nothing.
    signal.throwIfAborted();
    switch (destination.kind) {
      case 'rejected':
        trace.sentTo = destination.url;
        throw new SendFailure(destination.error.code, destination.error.message, destination.hint);
      case 'sink':
      case 'tunnel':
        return deliverDirectly(request, destination, trace, signal);
      case 'http':
        return this.#deliverOverHttp(request, destination, trace, signal);
    }
  }

  async #deliverOverHttp(
    request: SendRequest,
    destination: HttpDestination,
    trace: AttemptTrace,
    signal: AbortSignal,
  ): Promise<void> {
    const { body } = request;
    const { path } = destination;
    let responseBody = new ResponseBody();
    trace.sentTo = destination.href;
    trace.doing = 'connecting';
    const exchangeWith = (peer: Peer): Exchange => {
      trace.status = null;
      responseBody = new ResponseBody();
      trace.headers = requestHeaders(request.headers, request.url, peer.authority, Buffer.byteLength(body));
      return {
        path,
        headers: trace.headers,
        body,
        onOpen() {
          trace.sentTo = peer.origin + path;
          trace.plain = peer.tls === 'none';
          trace.doing = 'waiting for the response';
        },
        onHead(status, headers) {
          trace.status = status;
          trace.responseHeaders = headers;
          trace.responseBody = responseBody;
        },
        onChunk: (chunk) => responseBody.add(chunk),
      };
    };
    if (await this.#transport.post(destination, exchangeWith, signal)) responseBody.end();
  }
}

const directReceivers = {
  sink: { host: SINK_HOST, who: 'the sink' },
  tunnel: { host: TUNNEL_HOST, who: 'the client at the other end of the tunnel' },
};

/** Delivers to a receiver that is reached without a network connection: the built-in sink, or a client's tunnel. */
async function deliverDirectly(
  request: SendRequest,
  { kind, name, path }: DirectTarget,
  trace: AttemptTrace,
  signal: AbortSignal,
): Promise<void> {
  const receive = request[kind];
  if (receive === undefined) {
    const noSink = `No sink is attached for ${request.url}.`;
    throw kind === 'tunnel' ? tunnelClosed() : new SendFailure('sink_not_available', noSink);
  }
  const { host, who } = directReceivers[kind];
  const body = Buffer.from(request.body);
  trace.headers = requestHeaders(request.headers, request.url, host, body.length);
  trace.doing = `waiting for ${who}`;
  const response = await receive({ name, path, method: 'POST', headers: trace.headers, body }, signal);
  const kept = new ResponseBody();
  kept.add(Buffer.from(response.body ?? ''));
  kept.end();
  trace.status = response.status;
  trace.responseHeaders = response.headers ?? {};
  trace.responseBody = kept;
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
    doing === 'connecting'
      ? 'The connection was not accepted: check the host, the port and any firewall in between.'
      : 'Respond with 2xx first and do the work afterwards.';
  return new SendFailure('timeout', message, hint);
}

function asFailure(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new SendFailure('connection_failed', `The attempt failed: ${detail}.`);
}
