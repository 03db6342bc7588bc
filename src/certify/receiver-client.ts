/**
 * Everything that a check needs: events, requests to the receiver, its counter, and the record of all exchanges. The
 * same sender as for deliveries makes the requests, so they look the same.
 */
import { eventTypes } from '../domain/words.js';
import { pause } from '../time/pause.js';
import type { SystemClock } from '../time/system-clock.js';
import type { Outcome, Sender } from '../webhooks/exchange.js';
import { sign, SIGNATURE_HEADER } from '../webhooks/sign.js';
import type { EventMaker, MadeEvent } from './events.js';
import { isUnreachable, ReceiverUnreachable } from './target.js';

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
