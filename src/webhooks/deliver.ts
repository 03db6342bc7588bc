/**
 * Makes the attempts that are due: first come, first served per endpoint. One write records an attempt and its effects.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { wireOf } from '../dialect/wire.js';
import { eventBody } from '../domain/event.js';
import { type InFlight, placeOf } from '../time/jobs.js';
import type { Delivery, DeliveryFault, Endpoint, Job } from '../domain/rows.js';
import type { SystemClock } from '../time/system-clock.js';
import { deliveryFacts, releaseWaiting, waitOf } from './events.js';
import type { DirectReceiver } from './direct.js';
import { SendFailure } from './send-error.js';
import { bodyToSend, faultsOfDelivery, planOf, signatureHeader, simulated, unknownType } from './faults.js';
import { endFailing, recordAttempt, type AttemptPlan, type DueAttempt, type WebhookAccount } from './outcome.js';
import type { Sender } from './send.js';
import { Exchange, type Outcome, type SendRequest } from './exchange.js';
import { attemptHeaders, sign } from './sign.js';

export interface DispatcherParts extends Omit<WebhookAccount, 'ids'> {
  readonly sender: Sender;
  readonly sink: DirectReceiver;
  readonly tunnel: DirectReceiver;
  readonly host: SystemClock;
  readonly inFlight: InFlight;
  readonly report: (error: unknown, job: Job) => void;
}

/** Concurrent attempts per endpoint: enough to keep a receiver busy, but few enough for a single-threaded one. */
const attemptsAtOnce = 10;

export class Dispatcher {
  #limits = new WeakMap<Endpoint, LimitFunction>();
  /** The latest first attempt, by endpoint and message: a receiver gets the events of a message one after another. Retries come in any order. */
  #latest = new Map<string, Promise<void>>();
  /** The latest number of an attempt that was sent: a redelivery may overlap the attempt before it. */
  readonly #numbers = new WeakMap<Delivery, number>();

  readonly inFlight: InFlight;

  constructor(private readonly parts: DispatcherParts) {
    this.inFlight = parts.inFlight;
  }

  made = 0;

  /** Its faults are decided now, so that they do not depend on the order of the queue. */
  take(job: Job): 'later' | undefined {
    const due = this.#dueAttempt(job);
    const plan = due && this.#plan(due);
    if (!due || !plan) return undefined;
    this.inFlight.add(job);
    const limit = this.#limits.get(due.endpoint) ?? pLimit(attemptsAtOnce);
    this.#limits.set(due.endpoint, limit);
    const attempt = () =>
      limit(() => this.#attempt(job, plan)).catch((error: unknown) => this.parts.report(error, job));
    if (due.number === 1) this.#inTurn(`${due.endpoint.id} ${due.event.subject}`, attempt);
    else void attempt();
    return 'later';
  }

  #inTurn(key: string, attempt: () => Promise<void>): void {
    const latest = this.#latest.get(key)?.then(attempt) ?? attempt();
    this.#latest.set(key, latest);
    void latest.then(() => this.#latest.get(key) === latest && this.#latest.delete(key));
  }

  forget(): void {
    this.inFlight.clear();
    this.#limits = new WeakMap();
    this.#latest = new Map();
  }

  /** Null if the endpoint was paused or removed meanwhile, or the delivery redelivered. */
  #dueAttempt(job: Job): DueAttempt | null {
    const { jobs, deliveries, events, endpoints } = this.parts.store.tables;
    if (jobs.get(job.id) !== job) return null;
    const delivery = deliveries.get(job.subject);
    const event = delivery && events.get(delivery.eventId);
    const endpoint = delivery && endpoints.get(delivery.endpointId);
    if (!delivery || !event || !endpoint) return null;
    const number = Math.max(delivery.attemptCount, this.#numbers.get(delivery) ?? 0) + 1;
    return { job, delivery, event, endpoint, number };
  }

  /**
   * The delivery planned its first attempt; a fault requested by a caller applies to all attempts; rules are evaluated
   * once for each retry. Null if a rule postpones the attempt or drops the delivery.
   */
  #plan(due: DueAttempt): AttemptPlan | null {
    const { job, delivery, event, endpoint, number } = due;
    const { fault, decided, explain } = delivery;
    if (number === 1) {
      // A redelivery before the first attempt is sent unchanged and names no rule, unless the caller requested a fault.
      const unchanged = explain?.id === undefined || job.data === 'redelivery';
      return { fault: fault ?? null, explain: fault?.by ?? (unchanged ? null : explain) };
    }
    if (fault?.by.by === 'header' || fault?.once === true) return { fault, explain: fault.by };
    if (decided?.number === number) return decided;
    const { webhook } = this.parts.script.decide('webhook.deliver', deliveryFacts(event, endpoint, number));
    if (!webhook) return { fault: null, explain: null };
    const plan = planOf(webhook.effect, webhook.explain);
    const holdUntil = waitOf(this.parts.store, event, plan);
    const attempt = { fault: plan.fault, explain: plan.fault?.by ?? null };
    if (!plan.drop && plan.delayMs <= 0 && holdUntil === null) return attempt;
    const { store, scheduler, clock } = this.parts;
    const faults = [...new Set([...(delivery.faults ?? []), ...faultsOfDelivery(plan)])];
    const { explain: why } = webhook;
    if (plan.drop) {
      store.tables.deliveries.patch(delivery, { explain: why, faults, state: 'dropped', nextAttemptAtMs: null });
      endFailing(this.parts, endpoint, delivery);
      return null;
    }
    // The retry schedule continues from the attempt, whenever it happens.
    const dueMs = holdUntil ? null : clock.now() + plan.delayMs;
    store.tables.deliveries.patch(delivery, {
      explain: why,
      faults,
      nextAttemptAtMs: dueMs,
      decided: { number, fault: plan.fault, explain: why },
      ...(holdUntil && { holdUntil: job.data === 'redelivery' ? { ...holdUntil, redelivery: true } : holdUntil }),
    });
    if (dueMs !== null) scheduler.schedule('delivery.attempt', delivery.id, dueMs, job.data, placeOf(job));
    return null;
  }

  async #attempt(job: Job, plan: AttemptPlan): Promise<void> {
    const { store, scheduler, host, report } = this.parts;
    // The response to the API call that caused the attempt is sent first, and other calls are served in between.
    await new Promise<void>((resolve) => host.defer(resolve));
    if (!this.inFlight.has(job)) return;
    const due = this.#dueAttempt(job);
    const outcome = due && (await this.#outcome(due, plan));
    if (!this.inFlight.has(job)) return;
    const isPending = store.tables.jobs.get(job.id) === job;
    try {
      store.update(() =>
        scheduler.finish(job, () => {
          if (!due || !outcome) return;
          recordAttempt(this.parts, due, plan, outcome, isPending);
          releaseWaiting(this.parts, due.event);
        }),
      );
    } catch (error) {
      report(error, job);
    }
    if (due) this.made += 1;
    this.inFlight.delete(job);
    // Runs the jobs that the response made due at this instant: never a retry, but possibly the effect of a rule.
    scheduler.runDue();
  }

  async #outcome(due: DueAttempt, { fault }: AttemptPlan): Promise<Outcome | null> {
    this.#numbers.set(due.delivery, due.number);
    try {
      const request = this.#request(due, fault);
      const simulate = fault?.simulate ?? null;
      // Sent only once it is durable: after a crash, the same event must not get another id. A failing disk does not
      // delay a receiver.
      await this.parts.store.answerable()?.catch(() => undefined);
      if (!this.inFlight.has(due.job)) return null;
      const responded = simulate === null || fault?.contacted === true ? await this.parts.sender.send(request) : null;
      return simulate === null && responded ? responded : simulated(simulate ?? 'refused', request, responded);
    } catch (error) {
      this.parts.report(error, due.job);
      const url = due.endpoint.url;
      return new Exchange({ url, headers: {}, body: eventBody(due.event) }).outcome(BROKEN, 0);
    }
  }

  /** The fault changes the signed request. */
  #request({ delivery, event, endpoint, number }: DueAttempt, fault: DeliveryFault | null): SendRequest {
    const { sink, tunnel, dialect, store } = this.parts;
    const wire = wireOf(dialect);
    const exact = eventBody(event);
    const body = fault ? bodyToSend(fault.body, { event, wire, body: exact }) : exact;
    const signature = fault ? signatureHeader(fault.signature, endpoint.secret, body) : sign(endpoint.secret, body);
    const type = fault?.body === 'unknown_type' ? unknownType(event.type) : event.type;
    const about = { event: type, id: event.id, delivery: delivery.id, attempt: String(number) };
    const headers = attemptHeaders(signature, about, wire.headers);
    if (wire.traces) {
      // The trace of the call that made the message, code or template.
      const { messages, otps, templates } = store.tables;
      const cause = messages.get(event.subject) ?? otps.get(event.subject) ?? templates.get(event.subject);
      if (cause?.traceparent !== undefined) headers['traceparent'] = cause.traceparent;
    }
    return { url: endpoint.url, headers, body, sink, tunnel };
  }
}

/** The outcome of an attempt that threw. It is an ordinary failure, so that the retry schedule continues. */
const BROKEN = new SendFailure(
  'internal_error',
  'The sandbox failed to make this attempt; see its log for the reason.',
  'This is a bug of the sandbox, not of the receiver. Please report it with the line of the log.',
);
