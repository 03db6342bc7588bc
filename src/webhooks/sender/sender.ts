import { formatDuration } from '../../time/duration.js';
import type { HostTime } from '../../time/system-clock.js';
import { AnswerBody } from './answer-body.js';
import { AttemptTrace } from './attempt-trace.js';
import type { Exchange } from './connection.js';
import { Cutoff } from './cutoff.js';
import { deliverToSink, deliverToTunnel } from './direct.js';
import { Destinations } from './destinations.js';
import type { HttpDestination } from './destinations.js';
import { systemLookup } from './lookup.js';
import type { Lookup } from './lookup.js';
import type { Peer } from './peer.js';
import type { WebhookRoute } from '../../domain/webhook-route.js';
import { SendFailure } from './send-failure.js';
import type { Outcome, SendRequest, Sender } from './sender-types.js';
import { statusFailure } from '../delivery/status-failure.js';
import { Transport } from './transport.js';
import { wireHeaders } from './wire-headers.js';

export interface SenderOptions {
  readonly host: HostTime;
  readonly routes: readonly WebhookRoute[];
  /** `--allow-public-webhooks`. */
  readonly allowPublic: boolean;
  /**
   * Cap on a whole attempt, from looking up the name to the last byte of the answer, in milliseconds.
   * Default 10 s (interface document §6).
   */
  readonly timeoutMs?: number;
  /** Whether 127.0.0.1 is a container rather than the developer's machine: it changes a hint. */
  readonly insideContainer: boolean;
  /** Default: the machine's resolver. */
  readonly lookup?: Lookup;
}

/** The real sender: the only part of the sandbox that speaks to receivers (contract §6). */
export function createSender(options: SenderOptions): Sender {
  return new NetworkSender(options);
}

class NetworkSender implements Sender {
  readonly #host: HostTime;
  readonly #timeoutMs: number;
  readonly #destinations: Destinations;
  readonly #closing = new AbortController();
  readonly #transport: Transport;
  readonly #inFlight = new Map<Cutoff, Promise<Outcome>>();

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
    const cutoff = new Cutoff();
    const outcome = this.#attempt(request, cutoff);
    this.#inFlight.set(cutoff, outcome);
    return outcome;
  }

  async close(): Promise<void> {
    this.#closing.abort(CLOSED);
    for (const cutoff of this.#inFlight.keys()) cutoff.cut(CLOSED);
    await Promise.all(this.#inFlight.values());
    this.#transport.close();
  }

  async #attempt(request: SendRequest, cutoff: Cutoff): Promise<Outcome> {
    const startedAt = this.#host.monotonic();
    const trace = new AttemptTrace(request);
    const stopTimer = this.#host.setTimer(this.#timeoutMs, () => {
      cutoff.cut(timeoutFailure(this.#timeoutMs, trace.doing));
    });
    let failure: SendFailure | null;
    try {
      if (this.#closing.signal.aborted) throw CLOSED;
      await cutoff.orEnd(this.#deliver(request, trace, cutoff));
      failure = trace.status === null ? null : statusFailure(trace.status, trace.answerHeaders['location']);
    } catch (error) {
      failure = cutoff.reason ?? asFailure(error);
    }
    stopTimer();
    this.#inFlight.delete(cutoff);
    return trace.outcome(failure, this.#host.monotonic() - startedAt);
  }

  async #deliver(request: SendRequest, trace: AttemptTrace, cutoff: Cutoff): Promise<void> {
    const destination = await this.#destinations.find(request.url);
    // Nobody waits any more for an attempt whose host was found after the cap: it must not be heard of again.
    if (cutoff.reason !== null) throw cutoff.reason;
    switch (destination.kind) {
      case 'refused':
        trace.sentTo = destination.url;
        throw new SendFailure(destination.error.code, destination.error.message, destination.hint);
      case 'sink':
        return deliverToSink(request, destination, trace);
      case 'tunnel':
        return deliverToTunnel(request, destination.id, trace, cutoff);
      case 'http':
        return this.#deliverOverHttp(request, destination, trace, cutoff);
    }
  }

  async #deliverOverHttp(
    request: SendRequest,
    destination: HttpDestination,
    trace: AttemptTrace,
    cutoff: Cutoff,
  ): Promise<void> {
    const { body } = request;
    const { path } = destination;
    const answerBody = new AnswerBody();
    trace.sentTo = destination.href;
    trace.doing = 'connecting';
    const exchangeWith = (peer: Peer): Exchange => {
      trace.sentTo = peer.origin + path;
      trace.plain = peer.tls === 'none';
      trace.headers = wireHeaders(request.headers, request.url, peer.authority, Buffer.byteLength(body));
      return {
        path,
        headers: trace.headers,
        body,
        onOpen() {
          trace.doing = 'waiting for the answer';
        },
        onHead({ status, headers }) {
          trace.status = status;
          trace.answerHeaders = headers;
          trace.answerBody = answerBody;
          trace.doing = "reading the answer's body";
        },
        onChunk: (chunk) => answerBody.add(chunk),
      };
    };
    await this.#transport.post(destination, exchangeWith, cutoff);
    answerBody.end();
  }
}

const CLOSED = new SendFailure('sender_closed', 'The sandbox was shut down before an answer arrived.');

function timeoutFailure(timeoutMs: number, doing: string): SendFailure {
  const message = `No complete answer within ${formatDuration(timeoutMs)}: still ${doing}.`;
  const hint =
    doing === 'connecting'
      ? 'Nobody took the connection: look at the host and port, and at what lies between.'
      : 'Answer 2xx first and do the work afterwards.';
  return new SendFailure('timeout', message, hint);
}

function asFailure(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new SendFailure('connection_failed', `The attempt failed: ${detail}.`);
}
