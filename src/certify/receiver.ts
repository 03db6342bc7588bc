/** The same sender as for deliveries makes the requests, so they look the same. */
import { type WebhookRoute, parseWebhookRoute } from '../domain/webhook.js';
import { eventTypes } from '../domain/words.js';
import { pause, type SystemClock } from '../time/system-clock.js';
import type { SendErrorCode } from '../webhooks/send-error.js';
import type { Sender } from '../webhooks/send.js';
import type { Outcome } from '../webhooks/exchange.js';
import { attemptHeaders, sign } from '../webhooks/sign.js';
import type { EventMaker, MadeEvent } from './events.js';

export interface Target {
  /** Always https, as endpoints are registered. */
  readonly url: string;
  /** A route redirects an `http://` target to its real address. */
  readonly routes: readonly WebhookRoute[];
}

/**
 * Endpoints are registered with https only, but a receiver under development mostly uses plain HTTP. An `http://` URL
 * is therefore an https one with a route, as with `--webhook-route`.
 */
export function targetOf(receiver: URL): Target {
  const url = new URL(receiver);
  url.hash = '';
  if (url.protocol === 'https:') return { url: url.href, routes: [] };
  // The default port of http has to be written in an https:// URL.
  const secure = new URL(url.href.replace(/^http:/, 'https:'));
  if (url.port === '') secure.port = '80';
  return { url: secure.href, routes: [parseWebhookRoute(`${secure.origin}=${url.origin}`)] };
}

const NAME_HINT = 'Check the spelling, or give an IP address, such as http://127.0.0.1:3000/hook.';

/**
 * The failures of a receiver that cannot be reached, with a hint in place of the sender's where that is about
 * registration or start-up. A receiver that accepts the connection and then closes it or stays silent is reachable, and
 * fails its checks.
 */
const UNREACHABLE: { readonly [Code in SendErrorCode]?: string | null } = {
  connection_refused: null,
  host_unreachable: null,
  dns_not_found: NAME_HINT,
  dns_failed: NAME_HINT,
  tls_error: null,
  public_destination_blocked:
    'Checks send forgeries and broken bodies. To send them to a public address, add --allow-public-webhooks.',
  sink_not_available: 'A sink exists only inside a running sandbox. Give the URL of your own receiver.',
  invalid_url: null,
  invalid_request: null,
};

/** The URL is wrong, or no server is listening there yet. */
export class ReceiverUnreachable extends Error {
  override readonly name = 'ReceiverUnreachable';
}

function requireReached({ status, error, hint }: Outcome): void {
  if (status !== null || !error) return;
  const neverConnected = error.code === 'timeout' && /still (?:looking up|connecting)/.test(error.message);
  const better = neverConnected
    ? 'Check the address, and whether a firewall blocks this machine.'
    : UNREACHABLE[error.code];
  if (better !== undefined) throw new ReceiverUnreachable(`${error.message} ${better ?? hint ?? ''}`.trimEnd());
}

export interface Shipment {
  readonly label: string;
  readonly event: MadeEvent;
  /** Default: the event's own bytes. */
  readonly body?: string;
  /** Default: the correct one for the body. Null omits the header. */
  readonly signature?: string | null;
  /** Default 1. */
  readonly attempt?: number;
  /** The service does not guarantee the extra headers. Default: true. */
  readonly extraHeaders?: boolean;
}

export interface Exchange {
  readonly label: string;
  readonly outcome: Outcome;
}

export type Observer = () => Promise<number>;

/** Lets calls of the application fail. Each change ends with the returned function. */
export interface Service {
  /** Status 500. */
  fail(): Promise<() => Promise<void>>;
  /** Real milliseconds. */
  delay(ms: number): Promise<() => Promise<void>>;
  calls(): Promise<number>;
}

export interface ReceiverParts {
  readonly url: string;
  /** The complete text is the key, including `whsec_`. */
  readonly secret: string;
  readonly events: EventMaker;
  readonly sender: Sender;
  /** Used for pauses only; the sender limits the time of a response. */
  readonly host: SystemClock;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly observe: Observer | null;
  /** Null if the application calls another service, or none. */
  readonly service: Service | null;
}

/** The check cannot be run to its end. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}

const noHeaders = { event: null, id: null, delivery: null, attempt: null };

const RETRY_AFTER_MS = 250;

export class Receiver {
  readonly history: Exchange[] = [];
  #goneSince: string | null = null;

  constructor(readonly parts: ReceiverParts) {}

  /**
   * @throws ReceiverUnreachable for the first request of the run, CheckError once the receiver has stopped responding
   */
  async send(shipment: Shipment): Promise<Exchange> {
    if (this.#goneSince !== null) {
      throw new CheckError(`not played: the receiver has not responded since "${this.#goneSince}"`);
    }
    const outcome = await this.#post(shipment);
    if (this.history.length === 0) requireReached(outcome);
    const exchange = { label: shipment.label, outcome };
    this.history.push(exchange);
    return exchange;
  }

  /** Stops at the first request without a response. */
  async sendEach(shipments: readonly Shipment[]): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    for (const shipment of shipments) {
      const exchange = await this.send(shipment);
      exchanges.push(exchange);
      if (exchange.outcome.status === null) break;
    }
    return exchanges;
  }

  /**
   * A crash thus counts against the check that caused it and not against the next one. The receiver may be restarting,
   * or fail for one type of event only. At least one attempt is made.
   */
  async recover(patienceMs: number, culprit: string): Promise<void> {
    const { host, events } = this.parts;
    const untilMs = host.monotonic() + patienceMs;
    for (;;) {
      const posts = eventTypes.map((type) => this.#post({ label: 'are you there?', event: events.sample(type) }));
      const outcomes = await Promise.all(posts);
      if (outcomes.some(({ status }) => status !== null)) return;
      if (host.monotonic() >= untilMs) break;
      await pause(RETRY_AFTER_MS, host);
    }
    this.#goneSince = culprit;
  }

  #post({ event, body = event.body, attempt = 1, extraHeaders = true, ...shipment }: Shipment): Promise<Outcome> {
    const { url, secret, sender } = this.parts;
    const signature = shipment.signature === undefined ? sign(secret, body) : shipment.signature;
    const about = { event: event.type, id: event.id, delivery: event.deliveryId, attempt: String(attempt) };
    return sender.send({
      url,
      headers: attemptHeaders(signature, about, extraHeaders ? event.headers : noHeaders),
      body,
    });
  }
}

/** Milliseconds of system time. */
export function createObserver(url: string, timeoutMs: number): Observer {
  const failure = (found: string, options?: ErrorOptions): CheckError =>
    new CheckError(
      `${found}. It must answer GET with 200 and {"received": 3}, the number of different events accepted so far.`,
      options,
    );
  return async () => {
    const init = { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
    const response = await fetch(url, init).catch((error: unknown) => {
      const { cause, message } = error as Error;
      const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
      throw failure(`${url} could not be read: ${reason}`, { cause });
    });
    const text = await response.text().catch(() => '');
    const json = (await new Response(text).json().catch(() => null)) as { received?: unknown } | null;
    const count = json?.received;
    if (response.status === 200 && Number.isSafeInteger(count) && Number(count) >= 0) return Number(count);
    throw failure(`${url} answered ${response.status} ${JSON.stringify(text.slice(0, 80))}`);
  };
}
