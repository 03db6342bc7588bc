/**
 * Makes the attempts that are due, outside of API calls: first come, first served per endpoint, with a limit on how
 * many are in flight. One write records an attempt, the delivery's state and the endpoint's failure streak.
 */
import type { Job } from '../../domain/job.js';
import type { Script } from '../../scenario/engine/effects.js';
import type { InFlight } from '../../time/advance.js';
import type { SystemClock } from '../../time/system-clock.js';
import { deliveryFacts } from '../event-log.js';
import type { Outcome, Sender } from '../sender/sender-types.js';
import { attemptRequest, brokenOutcome, storeAttempt, traceOf } from './attempt.js';
import type { DueAttempt, FinishedAttempt, RequestParts } from './attempt.js';
import { EndpointQueue, Turns } from './endpoint-queue.js';
import { FailureStreaks } from './failure-streak.js';
import { planOf, simulated } from './faults.js';
import { failingSince, type OutcomeParts, type PauseRule } from './pause.js';
import { expire, hasExpired, recordLateOutcome, recordOutcome } from './record-outcome.js';
import { firstAttempt, isPostponed, type AttemptPlan } from './retry-plan.js';

export interface DispatcherParts extends RequestParts, OutcomeParts {
  readonly sender: Sender;
  readonly script: Script;
  readonly host: SystemClock;
  /** Dialect `webhooks.pause`. */
  readonly pause: PauseRule;
  /** Maximum number of attempts in flight per endpoint. */
  readonly atOnce: number;
  /** Called for an attempt that threw, which is a bug of the sandbox. */
  readonly report: (error: unknown, job: Job) => void;
}

export class Dispatcher implements InFlight {
  readonly #queues = new Map<string, EndpointQueue>();
  /** The due attempts, each with the plan that was made when it became due. */
  readonly #jobs = new Map<Job, () => AttemptPlan>();
  /** The latest number of an attempt in flight, by delivery: a redelivery may overlap the attempt before it. */
  readonly #numbers = new Map<string, number>();
  readonly #streaks = new FailureStreaks();
  readonly #turns: Turns;
  #quiet: (() => void)[] = [];

  constructor(private readonly parts: DispatcherParts) {
    this.#turns = new Turns(parts.host);
  }

  /** Attempts made since the account was opened. */
  made = 0;

  get count(): number {
    return this.#jobs.size;
  }

  jobs(): Iterable<Job> {
    return this.#jobs.keys();
  }

  quiet(): Promise<void> {
    return this.#jobs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#quiet.push(resolve));
  }

  /**
   * Accepts a due attempt. It starts after the current turn of the event loop, so that the response to the API call
   * that caused it is sent first. Its faults are decided now, so that they do not depend on the order of the queue.
   */
  take(job: Job): 'later' | undefined {
    const due = this.#dueAttempt(job);
    if (!due) return undefined;
    if (due.step > 1 && hasExpired(this.parts.pause, failingSince(due.delivery), job.dueMs)) {
      expire(this.parts, due.delivery);
      return undefined;
    }
    try {
      const plan = this.#plan(job, due);
      if (!plan) return undefined;
      this.#jobs.set(job, () => plan);
    } catch (error) {
      this.#jobs.set(job, () => {
        throw error;
      });
    }
    const queue = this.#queue(due.endpoint.id);
    if (queue.add(job)) this.parts.host.defer(() => queue.start());
    return 'later';
  }

  /** Ignores all attempts in flight, because the account was reset or restored. */
  forget(): void {
    this.#jobs.clear();
    this.#numbers.clear();
    this.#streaks.clear();
    this.#queues.clear();
    this.#resolveQuiet();
  }

  #queue(endpointId: string): EndpointQueue {
    const known = this.#queues.get(endpointId);
    if (known) return known;
    const queue: EndpointQueue = new EndpointQueue(
      this.parts.atOnce,
      (job) => this.#begin(job),
      () => {
        if (this.#queues.get(endpointId) === queue) this.#queues.delete(endpointId);
      },
      this.#turns,
    );
    this.#queues.set(endpointId, queue);
    return queue;
  }

  /** @returns null if there is nothing to wait for */
  #begin(job: Job): Promise<void> | null {
    const plan = this.#jobs.get(job);
    if (!plan) return null;
    const due = this.#dueAttempt(job);
    if (due) {
      try {
        return this.#attempt(job, due, plan());
      } catch (error) {
        const turn = this.#streaks.begin(due.endpoint);
        const outcome = this.#broken(error, job, due);
        this.#finish({ ...due, job, startedAtMs: job.dueMs, outcome, pending: true, turn });
      }
    } else {
      this.parts.store.update(() => this.parts.scheduler.finish(job, () => undefined));
    }
    this.#end(job);
    return null;
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
    return { delivery, event, endpoint, number, step: number - delivery.attemptsBefore, subscribed, trace };
  }

  async #attempt(job: Job, due: DueAttempt, { fault, explain }: AttemptPlan): Promise<void> {
    const { store, sender } = this.parts;
    const { delivery, endpoint, number } = due;
    // Due times are used on every clock, so that the retry schedule is exact even if the machine is late.
    const startedAtMs = job.dueMs;
    const turn = this.#streaks.begin(endpoint);
    this.#numbers.set(delivery.id, number);
    let outcome: Outcome;
    try {
      const request = attemptRequest(this.parts, due, fault);
      const simulate = fault?.simulate ?? null;
      // Sent only once it is durable: after a crash, the same event must not get another id. A failing disk does not
      // delay a receiver.
      const kept = store.answerable();
      if (kept !== null) await kept.catch(() => undefined);
      const responded = simulate === null || fault?.contacted === true ? await sender.send(request) : null;
      outcome = simulate === null && responded ? responded : simulated(simulate ?? 'refused', request, responded);
    } catch (error) {
      outcome = this.#broken(error, job, due);
    }
    // The account was reset or restored meanwhile.
    if (!this.#jobs.has(job)) return;
    if (this.#numbers.get(delivery.id) === number) this.#numbers.delete(delivery.id);
    this.made += 1;
    const pending = store.tables.jobs.get(job.id) === job;
    this.#finish({ ...due, job, startedAtMs, outcome, pending, turn, fault, ...(explain && { explain }) });
    this.#end(job);
  }

  #broken(error: unknown, job: Job, due: DueAttempt): Outcome {
    this.parts.report(error, job);
    return brokenOutcome(due);
  }

  /** Records the attempt in one write. Never throws: an error is reported, as for every job. */
  #finish(finished: FinishedAttempt): void {
    const { job } = finished;
    try {
      this.parts.store.update(() => this.parts.scheduler.finish(job, () => this.#record(finished)));
    } catch (error) {
      this.parts.report(error, job);
    } finally {
      this.#streaks.leave(finished.delivery.endpointId, finished.turn);
    }
  }

  /**
   * The first attempt was planned with its delivery; a fault requested by a caller applies to all attempts; rules are
   * evaluated once for each retry. Returns null if a rule postpones the attempt or drops the delivery.
   */
  #plan(job: Job, { delivery, event, endpoint, number }: DueAttempt): AttemptPlan | null {
    const { fault, decided } = delivery;
    if (number === 1) return firstAttempt(delivery, job);
    if (fault?.by.by === 'header' || fault?.once === true) return { fault, explain: fault.by };
    if (decided?.number === number) return decided;
    const { webhook } = this.parts.script.decide('webhook.deliver', deliveryFacts(event, endpoint, number));
    if (!webhook) return { fault: null, explain: null };
    const plan = planOf(webhook.effect, webhook.explain);
    if (isPostponed(this.parts, { delivery, event, number }, plan, job)) return null;
    return { fault: plan.fault, explain: plan.fault?.by ?? null };
  }

  #record(finished: FinishedAttempt): void {
    const { delivery, job, number } = finished;
    const { store, scheduler, now, pause } = this.parts;
    const attempt = storeAttempt(store, finished);
    const parts = { store, scheduler, now, pause, streaks: this.#streaks };
    // A redelivery restarts the retry schedule, whatever the number of its attempt.
    const restarts = finished.pending && job.data === 'redelivery';
    if (restarts) store.tables.deliveries.patch(delivery, { attemptsBefore: number - 1 });
    (finished.pending ? recordOutcome : recordLateOutcome)(parts, { ...finished, attempt });
  }

  #end(job: Job): void {
    this.#jobs.delete(job);
    if (this.#jobs.size === 0) this.#resolveQuiet();
    // Runs the jobs that the response made due at this instant: never a retry, but possibly the effect of a rule.
    this.parts.scheduler.runDue();
  }

  #resolveQuiet(): void {
    const waiting = this.#quiet;
    this.#quiet = [];
    for (const resolve of waiting) resolve();
  }
}
