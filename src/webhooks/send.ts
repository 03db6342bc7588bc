/** The sender: the only part of the sandbox that makes requests to receivers. */
import type { WebhookRoute } from '../domain/webhook.js';
import { formatDuration } from '../time/duration.js';
import type { SystemClock } from '../time/system-clock.js';
import { checkHost, systemLookup, targetOf, type DirectTarget, type Lookup } from './addresses.js';
import { Exchange, type Outcome, type Sender, type SendRequest } from './exchange.js';
import { SendFailure, statusFailure } from './failure.js';
import { SINK_HOST } from './sink.js';
import { connecting, Transport } from './transport.js';
import { TUNNEL_HOST, tunnelClosed } from './tunnel.js';

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
  const inFlight = new Map<AbortController, Promise<Outcome>>();
  let closed = false;

  const attempt = async (request: SendRequest, end: AbortController): Promise<Outcome> => {
    const startedAt = host.monotonic();
    const exchange = new Exchange(request);
    const stopTimer = host.setTimer(timeoutMs, () => end.abort(timeoutFailure(timeoutMs, exchange.doing())));
    let failure: SendFailure | null = null;
    try {
      if (closed) throw CLOSED;
      await untilAborted(deliver(exchange, end.signal), end.signal);
    } catch (error) {
      failure = asFailure(error);
    }
    stopTimer();
    inFlight.delete(end);
    // The status counts when it arrives, whatever happens to the body.
    if (exchange.status !== null) failure = statusFailure(exchange.status, exchange.responseHeaders['location']);
    return exchange.outcome(failure, host.monotonic() - startedAt);
  };

  const deliver = async (exchange: Exchange, signal: AbortSignal): Promise<void> => {
    const target = targetOf(exchange.request.url, routes);
    if (target.kind !== 'host') return deliverDirectly(target, exchange, signal);
    exchange.sentTo = target.href;
    const checked = await checkHost(target, lookup, allowPublic);
    // The attempt may have ended during the name lookup; it must then send nothing.
    signal.throwIfAborted();
    return transport.post(target, checked, exchange, signal);
  };

  return {
    send(request) {
      const end = new AbortController();
      const outcome = attempt(request, end);
      inFlight.set(end, outcome);
      return outcome;
    },
    async close() {
      closed = true;
      for (const end of inFlight.keys()) end.abort(CLOSED);
      await Promise.all(inFlight.values());
      await transport.close();
    },
  };
}

const directReceivers = {
  sink: { host: SINK_HOST, who: 'the sink' },
  tunnel: { host: TUNNEL_HOST, who: 'the client at the other end of the tunnel' },
};

/** Delivers to a receiver that is reached without a network connection: the built-in sink, or a client's tunnel. */
async function deliverDirectly(
  { kind, name, path }: DirectTarget,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<void> {
  const { [kind]: receive, url, body } = exchange.request;
  if (receive === undefined) {
    throw kind === 'tunnel' ? tunnelClosed() : new SendFailure('sink_not_available', `No sink is attached for ${url}.`);
  }
  const { host, who } = directReceivers[kind];
  exchange.begin(host, url, () => `waiting for ${who}`);
  const { headers } = exchange;
  const response = await receive({ name, path, headers, body: body.toString() }, signal);
  exchange.body.add(Buffer.from(response.body ?? ''));
  exchange.body.complete = true;
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

function asFailure(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new SendFailure('connection_failed', `The attempt failed: ${detail}.`);
}
