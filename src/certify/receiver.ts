/**
 * The receiver under test: its URL, requests to it, its counter, and the record of all exchanges. The same sender as for
 * deliveries makes the requests, so they look the same.
 */
import { type WebhookRoute, parseWebhookRoute } from '../domain/webhook.js';
import { eventTypes } from '../domain/words.js';
import { pause, type SystemClock } from '../time/system-clock.js';
import type { Outcome, Sender } from '../webhooks/send.js';
import type { SendErrorCode } from '../webhooks/failure.js';
import { SIGNATURE_HEADER, sign } from '../webhooks/sign.js';
import type { EventMaker, MadeEvent } from './events.js';

export interface Target {
  /** Always https, as endpoints are registered. */
  readonly url: string;
  /** Redirects an `http://` target to its real address. */
  readonly routes: readonly WebhookRoute[];
}

/** The argument is not the URL of a receiver; the message shows the expected form. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/**
 * Endpoints are registered with https only, but a receiver under development mostly uses plain HTTP. An `http://` URL
 * is therefore an https one with a route, as with `--webhook-route`.
 * @throws TargetError
 */
export function targetOf(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TargetError(
      `Invalid receiver URL "${text}". Expected http:// or https:// with host and path, such as http://localhost:3000/hook.`,
    );
  }
  url.hash = '';
  if (url.protocol === 'https:') return { url: url.href, routes: [] };
  // The default port of http has to be written in an https:// URL.
  const secure = new URL(url.href.replace(/^http:/, 'https:'));
  if (url.port === '') secure.port = '80';
  return { url: secure.href, routes: [parseWebhookRoute(`${secure.origin}=${url.origin}`)] };
}

/** The receiver did not respond to the first request: the URL is wrong, or no server is listening there yet. */
export class ReceiverUnreachable extends Error {
  override readonly name = 'ReceiverUnreachable';
  constructor({ error, hint }: Outcome) {
    const better = error && HINTS[error.code];
    super([error?.message, better ?? hint].filter((part) => part !== undefined).join(' '));
  }
}

const NAME_HINT = 'Check the spelling, or give an IP address, such as http://127.0.0.1:3000/hook.';

/** Replaces the sender's hints about registration and start-up, which do not apply to this command. */
const HINTS: { readonly [Code in SendErrorCode]?: string } = {
  public_destination_blocked:
    'Checks send forgeries and broken bodies. To send them to a public address, add --allow-public-webhooks.',
  sink_not_available: 'A sink exists only inside a running sandbox. Give the URL of your own receiver.',
  timeout: 'Check the address, and whether a firewall blocks this machine.',
  dns_not_found: NAME_HINT,
  dns_failed: NAME_HINT,
};

const unreachable = new Set<SendErrorCode | undefined>([
  'connection_refused',
  'host_unreachable',
  'dns_not_found',
  'dns_failed',
  'tls_error',
  'public_destination_blocked',
  'sink_not_available',
  'invalid_url',
  'invalid_request',
]);

/** A receiver that accepts the connection and then closes it or stays silent is reachable, and fails its checks. */
export function isUnreachable({ status, error }: Outcome): boolean {
  if (status !== null) return false;
  const neverConnected = error?.code === 'timeout' && /still (?:looking up|connecting)/.test(error.message);
  return neverConnected || unreachable.has(error?.code);
}

export interface Shipment {
  /** What is special about this request, for the report. */
  readonly label: string;
  readonly event: MadeEvent;
  /** Default: the event's own bytes. */
  readonly body?: string;
  /** Default: the correct one for the body. Null omits the header. */
  readonly signature?: string | null;
  /** Default 1. */
  readonly attempt?: number;
  /**
   * Whether `X-Service-Event` and the other extra headers are sent, which the service does not guarantee. Default:
   * true.
   */
  readonly extraHeaders?: boolean;
}

export interface Exchange {
  readonly label: string;
  readonly outcome: Outcome;
}

export interface ReceiverClientParts {
  readonly url: string;
  /** The complete text is the key, including `whsec_`. */
  readonly secret: string;
  readonly events: EventMaker;
  readonly sender: Sender;
  /** Used for pauses only; the sender limits the time of a response. */
  readonly host: SystemClock;
  /** The sender's time limit for a response, in milliseconds. */
  readonly timeoutMs: number;
  readonly observe: Observer | null;
}

/** The receiver responded at first, but no longer responds. */
export class ReceiverGone extends Error {
  override readonly name = 'ReceiverGone';
  constructor(culprit: string) {
    super(`not played: the receiver has not responded since "${culprit}"`);
  }
}

const RETRY_AFTER_MS = 250;

export class ReceiverClient {
  /** Every exchange of the run so far, in order. */
  readonly history: Exchange[] = [];
  #gone: ReceiverGone | null = null;

  constructor(readonly parts: ReceiverClientParts) {}

  /**
   * Makes one request, and waits until it ends.
   * @throws ReceiverUnreachable if it is the first request of the run and the receiver cannot be reached.
   * @throws ReceiverGone once the receiver has permanently stopped responding.
   */
  async send(shipment: Shipment): Promise<Exchange> {
    if (this.#gone) throw this.#gone;
    const outcome = await this.#post(shipment);
    if (this.history.length === 0 && isUnreachable(outcome)) throw new ReceiverUnreachable(outcome);
    const exchange = { label: shipment.label, outcome };
    this.history.push(exchange);
    return exchange;
  }

  /**
   * Waits, after a request without a response, until the receiver responds again, so that a crash counts against the
   * check that caused it and not against the next one. The receiver may be restarting, or fail for one type of event only.
   * @param patienceMs how long to try, in milliseconds; at least one attempt is made.
   */
  async recover(patienceMs: number, culprit: string): Promise<void> {
    const { host, events } = this.parts;
    const untilMs = host.monotonic() + patienceMs;
    for (;;) {
      const shipments = eventTypes.map((type) => ({ label: 'are you there?', event: events.sample(type) }));
      const outcomes = await Promise.all(shipments.map((shipment) => this.#post(shipment)));
      if (outcomes.some(({ status }) => status !== null)) return;
      if (host.monotonic() >= untilMs) break;
      await pause(RETRY_AFTER_MS, host);
    }
    this.#gone = new ReceiverGone(culprit);
  }

  #post({ event, body = event.body, attempt = 1, extraHeaders = true, ...shipment }: Shipment): Promise<Outcome> {
    const signature = shipment.signature === undefined ? sign(this.parts.secret, body) : shipment.signature;
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'messaging-sandbox',
      ...(signature !== null && { [SIGNATURE_HEADER]: signature }),
      ...(extraHeaders && {
        'X-Service-Event': event.type,
        'X-Service-Event-Id': event.id,
        'X-Service-Delivery': event.deliveryId,
        'X-Service-Attempt': String(attempt),
      }),
    };
    return this.parts.sender.send({ url: this.parts.url, headers, body });
  }
}

export type Observer = () => Promise<number>;

/** The counter could not be read; the message says what is expected of it. */
export class ObserveError extends Error {
  override readonly name = 'ObserveError';
  constructor(found: string, options?: ErrorOptions) {
    super(
      `${found}. It must answer GET with 200 and {"received": 3}, the number of different events accepted so far.`,
      options,
    );
  }
}

/**
 * @param timeoutMs longest wait for a response, in milliseconds of system time.
 * @throws ObserveError if the text is not a URL
 */
export function createObserver(url: string, timeoutMs: number): Observer {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new ObserveError(`"${url}" is not an http:// or https:// URL`);
  }
  return async () => {
    const init = { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
    const response = await fetch(url, init).catch((error: unknown) => {
      const { cause, message } = error as Error;
      const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
      throw new ObserveError(`${url} could not be read: ${reason}`, { cause });
    });
    const text = await response.text().catch(() => '');
    const count = receivedIn(text);
    if (response.status === 200 && Number.isSafeInteger(count) && Number(count) >= 0) return Number(count);
    throw new ObserveError(`${url} answered ${response.status} ${JSON.stringify(text.slice(0, 80))}`);
  };
}

function receivedIn(text: string): unknown {
  try {
    const { received } = (JSON.parse(text) ?? {}) as { received?: unknown };
    return received;
  } catch {
    return undefined;
  }
}
