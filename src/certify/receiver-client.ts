/**
 * What a check works with: events, the way to the receiver, and the record of what was exchanged. Requests look like
 * those of real deliveries (contract §2, row "headers"; §6), because the same sender makes them.
 */
import { eventTypes } from '../domain/event.js';
import type { HostTime } from '../time/system-clock.js';
import { SIGNATURE_HEADER, sign } from '../webhooks/sender/signature.js';
import type { Outcome, Sender } from '../webhooks/sender/sender-types.js';
import type { EventMaker, MadeEvent } from './events.js';
import type { Observer } from './observe.js';
import { ReceiverGone, ReceiverUnreachable, isUnreachable } from './unreachable.js';

export interface Shipment {
  /** What is special about it, for the report. */
  readonly label: string;
  readonly event: MadeEvent;
  /** Default: the event's own bytes. */
  readonly body?: string;
  /** Default: the right one for the body. Null leaves the header out. */
  readonly signature?: string | null;
  /** Default 1. */
  readonly attempt?: number;
  /** Whether `X-Service-Event` and its kin go along, which the interface document does not promise. Default true. */
  readonly extraHeaders?: boolean;
}

export interface Exchange {
  readonly label: string;
  readonly outcome: Outcome;
}

export interface BenchParts {
  readonly url: string;
  readonly secret: string;
  readonly events: EventMaker;
  readonly sender: Sender;
  /** For pauses only; the sender holds the cap on an answer. */
  readonly host: HostTime;
  /** What the sender allows for an answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly observe: Observer | null;
}

export class Bench {
  /** Everything exchanged so far, by whichever check. */
  readonly history: Exchange[] = [];
  #gone: ReceiverGone | null = null;

  constructor(private readonly parts: BenchParts) {}

  get secret(): string {
    return this.parts.secret;
  }

  get events(): EventMaker {
    return this.parts.events;
  }

  get timeoutMs(): number {
    return this.parts.timeoutMs;
  }

  get observe(): Observer | null {
    return this.parts.observe;
  }

  /**
   * Makes one request, and waits for its end.
   * @throws ReceiverUnreachable when it is the first of the run and there is nobody to talk to.
   * @throws ReceiverGone once the receiver was found to be so.
   */
  async send(shipment: Shipment): Promise<Exchange> {
    if (this.#gone) throw this.#gone;
    const outcome = await this.#post(shipment);
    if (this.history.length === 0 && isUnreachable(outcome)) throw new ReceiverUnreachable(outcome);
    const exchange = { label: shipment.label, outcome };
    this.history.push(exchange);
    return exchange;
  }

  /** @param ms machine time. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.parts.host.setTimer(ms, resolve));
  }

  /**
   * After a request without an answer: waits until the receiver answers anything, so that a crash is held against the
   * check that caused it and not against the next one. It may be restarting, or deaf to one type of event only.
   * @param patienceMs how long to try, in milliseconds; it is tried at least once.
   */
  async recover(patienceMs: number, culprit: string): Promise<void> {
    const { host, events } = this.parts;
    const startedAt = host.monotonic();
    for (;;) {
      const shipments = eventTypes.map((type) => ({ label: 'are you there?', event: events.sample(type) }));
      const outcomes = await Promise.all(shipments.map((shipment) => this.#post(shipment)));
      if (outcomes.some(({ status }) => status !== null)) return;
      if (host.monotonic() - startedAt >= patienceMs) {
        this.#gone = new ReceiverGone(culprit);
        return;
      }
      await this.pause(RETRY_AFTER_MS);
    }
  }

  #post({ event, body = event.body, attempt = 1, extraHeaders = true, ...shipment }: Shipment): Promise<Outcome> {
    const signature = shipment.signature === undefined ? sign(this.secret, body) : shipment.signature;
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

const RETRY_AFTER_MS = 250;
