/**
 * Makes the attempts that are due, outside of API calls: first come, first served per endpoint, with a limit on how
 * many are in flight. One write records an attempt and the delivery's state.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Job } from '../domain/rows.js';
import { placeOf } from '../domain/job.js';
import type { Script } from '../scenario/engine/effects.js';
import type { InFlight } from '../time/jobs.js';
import type { SystemClock } from '../time/system-clock.js';
import {
  attemptRequest,
  brokenOutcome,
  recordAttempt,
  traceOf,
  type AttemptPlan,
  type DueAttempt,
  type RequestParts,
} from './attempt.js';
import { failingSince, followDeliveries, type OutcomeParts } from './endpoints.js';
import { deliveryFacts, waitOf } from './events.js';
import type { Outcome, Sender } from './exchange.js';
import { type DeliveryPlan, faultsOfDelivery, planOf, simulated } from './faults.js';

export interface DispatcherParts extends RequestParts, OutcomeParts {
  readonly sender: Sender;
  readonly script: Script;
  readonly host: SystemClock;
  readonly inFlight: InFlight;
  /** Called for an attempt that threw, which is a bug of the sandbox. */
  readonly report: (error: unknown, job: Job) => void;
}

/** Concurrent attempts per endpoint: enough to keep a receiver busy, but few enough for a single-threaded one. */
const attemptsAtOnce = 10;

export class Dispatcher {
  readonly #limits = new Map<string, LimitFunction>();
  /** The latest number of an attempt in flight, by delivery: a redelivery may overlap the attempt before it. */
  readonly #numbers = new Map<string, number>();

  constructor(private readonly parts: DispatcherParts) {}

  /** Attempts made since the account was opened. */
  made = 0;

  /** The attempts that have started or are queued. */
  get inFlight(): InFlight {
    return this.parts.inFlight;
  }

  /** Accepts a due attempt. Its faults are decided now, so that they do not depend on the order of the queue. */
  take(job: Job): 'later' | undefined {
    const due = this.#dueAttempt(job);
    if (!due) return undefined;
    let plan: AttemptPlan | null = null;
    try {
      const decided = this.#plan(due);
      if (decided === 'postponed') return undefined;
      plan = decided;
    } catch (error) {
      this.parts.report(error, job);
    }
    this.inFlight.add(job);
    const { id } = due.endpoint;
    const limit = this.#limits.get(id) ?? pLimit(attemptsAtOnce);
    this.#limits.set(id, limit);
    void limit(() => this.#begin(job, plan)).then(() => {
      if (limit.activeCount === 0 && limit.pendingCount === 0 && this.#limits.get(id) === limit) {
        this.#limits.delete(id);
      }
    });
    return 'later';
  }

  /** Ignores all attempts in flight, because the account was reset or restored. */
  forget(): void {
    this.inFlight.clear();
    this.#numbers.clear();
    this.#limits.clear();
  }

  async #begin(job: Job, plan: AttemptPlan | null): Promise<void> {
    // The response to the API call that caused the attempt is sent first, and other calls are served in between.
    await new Promise<void>((resolve) => this.parts.host.defer(resolve));
    // The account was reset or restored meanwhile.
    if (!this.inFlight.has(job)) return;
    const due = this.#dueAttempt(job);
    if (due) await this.#attempt(due, plan);
    else this.parts.store.update(() => this.parts.scheduler.finish(job, () => undefined));
    if (!this.inFlight.has(job)) return;
    this.inFlight.delete(job);
    // Runs the jobs that the response made due at this instant: never a retry, but possibly the effect of a rule.
    this.parts.scheduler.runDue();
  }

  /** Null if the attempt was cancelled meanwhile: the endpoint was paused or removed, or the delivery redelivered. */
  #dueAttempt(job: Job): DueAttempt | null {
    const { tables } = this.parts.store;
    if (tables.jobs.get(job.id) !== job) return null;
    const delivery = tables.deliveries.get(job.subject);
    const event = delivery && tables.events.get(delivery.eventId);
    const endpoint = delivery && tables.endpoints.get(delivery.endpointId);
    if (!delivery || !event || !endpoint) return null;
    const number = Math.max(delivery.attemptCount, this.#numbers.get(delivery.id) ?? 0) + 1;
    const subscribed = endpoint.events.includes(event.type);
    const trace = traceOf(this.parts.store, event.subject);
    return { job, delivery, event, endpoint, number, step: number - delivery.attemptsBefore, subscribed, trace };
  }

  async #attempt(due: DueAttempt, plan: AttemptPlan | null): Promise<void> {
    const { store, scheduler } = this.parts;
    const { job, delivery, number } = due;
    this.#numbers.set(delivery.id, number);
    const outcome = plan ? await this.#outcome(due, plan) : brokenOutcome(due);
    if (!this.inFlight.has(job)) return;
    if (this.#numbers.get(delivery.id) === number) this.#numbers.delete(delivery.id);
    this.made += 1;
    const pending = store.tables.jobs.get(job.id) === job;
    try {
      store.update(() => scheduler.finish(job, () => recordAttempt(this.parts, due, plan, outcome, pending)));
    } catch (error) {
      this.parts.report(error, job);
    }
  }

  async #outcome(due: DueAttempt, { fault }: AttemptPlan): Promise<Outcome> {
    try {
      const request = attemptRequest(this.parts, due, fault);
      const simulate = fault?.simulate ?? null;
      // Sent only once it is durable: after a crash, the same event must not get another id. A failing disk does not
      // delay a receiver.
      await this.parts.store.answerable()?.catch(() => undefined);
      const responded = simulate === null || fault?.contacted === true ? await this.parts.sender.send(request) : null;
      return simulate === null && responded ? responded : simulated(simulate ?? 'refused', request, responded);
    } catch (error) {
      this.parts.report(error, due.job);
      return brokenOutcome(due);
    }
  }

  /**
   * The first attempt was planned with its delivery; a fault requested by a caller applies to all attempts; rules are
   * evaluated once for each retry, and may postpone it or drop the delivery.
   */
  #plan({ job, delivery, event, endpoint, number }: DueAttempt): AttemptPlan | 'postponed' {
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
    if (isPostponed(this.parts, { job, delivery, event, number }, plan)) return 'postponed';
    return { fault: plan.fault, explain: plan.fault?.by ?? null };
  }
}

/**
 * Returns whether a rule postpones or drops a retry, after dropping the delivery or scheduling the attempt for later. The
 * retry schedule continues from the attempt, whenever it happens. Call it only inside a write.
 */
function isPostponed(
  parts: OutcomeParts,
  { job, delivery, event, number }: Pick<DueAttempt, 'job' | 'delivery' | 'event' | 'number'>,
  plan: DeliveryPlan,
): boolean {
  const { store, scheduler, now } = parts;
  const { deliveries, endpoints } = store.tables;
  const { explain, fault } = plan;
  const holdUntil = waitOf(store, event, plan);
  if (!plan.drop && plan.delayMs <= 0 && holdUntil === null) return false;
  const faults = [...new Set([...(delivery.faults ?? []), ...faultsOfDelivery(plan)])];
  if (plan.drop) {
    deliveries.patch(delivery, { ...(explain && { explain }), faults, state: 'dropped', nextAttemptAtMs: null });
    const endpoint = endpoints.get(delivery.endpointId);
    if (endpoint) followDeliveries(parts, endpoint, failingSince(delivery));
    return true;
  }
  const dueMs = now() + plan.delayMs;
  deliveries.patch(delivery, {
    ...(explain && { explain }),
    faults,
    nextAttemptAtMs: holdUntil ? null : dueMs,
    decided: { number, fault, explain },
    ...(holdUntil && { holdUntil: job.data === 'redelivery' ? { ...holdUntil, redelivery: true } : holdUntil }),
  });
  if (!holdUntil) scheduler.schedule('delivery.attempt', delivery.id, dueMs, job.data, placeOf(job));
  return true;
}
