/** The only part of the sandbox that makes requests to receivers. */
import { Exchange, type Outcome, type SendRequest } from './exchange.js';
import type { WebhookRoute } from '../domain/webhook.js';
import { formatDuration } from '../time/duration.js';
import type { SystemClock } from '../time/system-clock.js';
import { checkHost, systemLookup, targetOf, type DirectTarget, type Lookup } from './addresses.js';
import { SINK_HOST, TUNNEL_HOST, tunnelClosed } from './direct.js';
import { statusFailure } from './failure.js';
import { SendFailure } from './send-error.js';
import { connecting, Transport } from './transport.js';

export interface Sender {
  /** Makes one request and returns its outcome. Never rejects, never follows a redirect, never retries a failure. */
  send(request: SendRequest): Promise<Outcome>;
  /** Requests in flight end as failures. Idempotent. */
  close(): Promise<void>;
}

export interface LoadableSender extends Sender {
  /** Loads the HTTP client. Otherwise, the duration of the first request includes this. */
  load(): Promise<void>;
}

export interface SenderOptions {
  readonly host: SystemClock;
  readonly routes: readonly WebhookRoute[];
  readonly allowPublic: boolean;
  /** Includes the name lookup; the body has the remaining time. Default 10 s (interface document, section 6). */
  readonly timeoutMs?: number;
  /** Changes a hint: 127.0.0.1 is then the container, not the developer's machine. */
  readonly insideContainer: boolean;
  readonly lookup?: Lookup;
}

export function createSender(options: SenderOptions): LoadableSender {
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
    async load() {
      await transport.load();
    },
    async close() {
      closed = true;
      for (const end of inFlight) end.abort(CLOSED);
      await transport.close();
    },
  };
}

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
