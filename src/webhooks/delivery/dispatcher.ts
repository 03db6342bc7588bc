/**
 * Makes the attempts that are due, off the request path: first come first served per endpoint, at most so many at once
 * (contract §6). What came of an attempt becomes a fact in one write: its record, the delivery's state, the endpoint's run.
 */
import type { Job } from '../../domain/job.js';
import { attemptRequest, type Ready, type RequestParts } from './attempt-request.js';
import { attemptRow, type Made } from './attempt-row.js';
import { brokenAttempt } from './broken-attempt.js';
import { FailureRuns } from './failure-streak.js';
import { settleAttempt, settleOvertaken } from './record-outcome.js';
import { deliveryFacts } from './delivery-facts.js';
import { firstAttempt, type Decided } from './first-attempt.js';
import { followPlan, putOff } from './later-attempt.js';
import { planOf } from './faults/plan.js';
import { simulated } from './faults/simulate.js';
import { keepAttempt } from './keep-attempt.js';
import { Lane } from './endpoint-queue.js';
import type { Outcome, Sender } from '../sender/sender-types.js';
import type { Script } from '../../scenario/engine/effects.js';
import type { AccountStore } from '../../store/tables/account-store.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { InFlight } from '../../time/advance.js';
import type { Scheduler } from '../../time/scheduler.js';

export interface DispatcherParts extends RequestParts {
  readonly store: AccountStore;
  readonly sender: Sender;
  readonly script: Script;
  readonly host: SystemClock;
  /** Account time. */
  readonly now: () => number;
  /** Attempts under way at once per endpoint. */
  readonly atOnce: number;
  /** Told of an attempt that threw: a bug of ours, never the user's. */
  readonly report: (error: unknown, job: Job) => void;
}

export class Dispatcher implements InFlight {
  readonly #parts: DispatcherParts;
  readonly #lanes = new Map<string, Lane>();
  /** The due attempts, each with what was decided about it when it came due. */
  readonly #jobs = new Map<Job, () => Decided>();
  /** The latest number given out to an attempt in flight, by delivery: a redelivery may overlap the attempt before it. */
  readonly #numbers = new Map<string, number>();
  readonly #runs = new FailureRuns();
  #quiet: (() => void)[] = [];
  #scheduler: Scheduler | null = null;
  /** Raised by `forget`: answers to attempts from before then are nobody's business any more. */
  #generation = 0;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  attach(scheduler: Scheduler): void {
    this.#scheduler = scheduler;
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
   * Takes a due attempt. It starts after the present turn, so that the API call that caused it is answered first. What is
   * done to it is decided now: whom a rule strikes must not hang on whose turn comes first where many wait.
   */
  take(job: Job): 'later' | undefined {
    const ready = this.#ready(job);
    if (!ready) return undefined;
    try {
      const decided = this.#decide(job, ready);
      if (!decided) return undefined;
      this.#jobs.set(job, () => decided);
    } catch (error) {
      this.#jobs.set(job, () => {
        throw error;
      });
    }
    const lane = this.#lane(ready.endpoint.id);
    if (lane.add(job)) this.#parts.host.defer(() => lane.start());
    return 'later';
  }

  /** The account was reset or restored: what is in flight ends without a trace. */
  forget(): void {
    this.#generation += 1;
    this.#jobs.clear();
    this.#numbers.clear();
    this.#runs.clear();
    this.#lanes.clear();
    this.#tellQuiet();
  }

  #lane(endpointId: string): Lane {
    const known = this.#lanes.get(endpointId);
    if (known) return known;
    const lane: Lane = new Lane(
      this.#parts.atOnce,
      (job) => this.#begin(job),
      () => {
        if (this.#lanes.get(endpointId) === lane) this.#lanes.delete(endpointId);
      },
    );
    this.#lanes.set(endpointId, lane);
    return lane;
  }

  /** Null when there is nothing to be made, now or at all. */
  #begin(job: Job): Promise<void> | null {
    const decided = this.#jobs.get(job);
    if (!decided) return null;
    const ready = this.#ready(job);
    if (ready) {
      try {
        return this.#attempt(job, ready, decided());
      } catch (error) {
        const startedAtMs = this.#parts.now();
        const turn = this.#runs.begin(ready.endpoint);
        this.#settle({ ...ready, job, startedAtMs, outcome: this.#broken(error, job, ready), owed: true, turn });
      }
    } else {
      this.#parts.store.update(() => this.#scheduler?.finish(job, () => undefined));
    }
    this.#end(job);
    return null;
  }

  /** What the attempt needs, or null when it is not owed any more (cancelled, endpoint paused or removed meanwhile). */
  #ready(job: Job): Ready | null {
    const { tables } = this.#parts.store;
    if (tables.jobs.get(job.id) !== job) return null;
    const delivery = tables.deliveries.get(job.subject);
    const event = delivery && tables.events.get(delivery.eventId);
    const endpoint = delivery && tables.endpoints.get(delivery.endpointId);
    if (!delivery || !event || !endpoint) return null;
    const number = Math.max(delivery.attemptCount, this.#numbers.get(delivery.id) ?? 0) + 1;
    return { delivery, event, endpoint, number, step: number - delivery.attemptsBefore };
  }

  async #attempt(job: Job, ready: Ready, { fault, explain }: Decided): Promise<void> {
    const { store, sender } = this.#parts;
    const { delivery, endpoint, number, step } = ready;
    const generation = this.#generation;
    const startedAtMs = this.#parts.now();
    const turn = this.#runs.begin(endpoint);
    this.#numbers.set(delivery.id, number);
    let outcome: Outcome;
    try {
      const request = attemptRequest(this.#parts, ready, fault);
      const simulate = fault?.simulate ?? null;
      // Told to the world only when it is kept: after a crash the same fact must not get another event id.
      // A disk that refuses does not keep a receiver waiting.
      const kept = store.answerable();
      if (kept !== null) await kept.catch(() => undefined);
      outcome = simulate === null ? await sender.send(request) : simulated(simulate, request);
    } catch (error) {
      outcome = this.#broken(error, job, ready);
    }
    if (generation !== this.#generation) return;
    if (this.#numbers.get(delivery.id) === number) this.#numbers.delete(delivery.id);
    this.made += 1;
    const owed = store.tables.jobs.get(job.id) === job;
    this.#settle({ delivery, job, number, step, startedAtMs, outcome, owed, turn, ...(explain && { explain }) });
    this.#end(job);
  }

  #broken(error: unknown, job: Job, ready: Ready): Outcome {
    this.#parts.report(error, job);
    return brokenAttempt(ready);
  }

  /** Never throws: like any other job, one that does is over, and told of. */
  #settle(made: Made): void {
    const { job } = made;
    try {
      this.#parts.store.update(() => this.#scheduler?.finish(job, () => this.#record(made)));
    } catch (error) {
      this.#parts.report(error, job);
    } finally {
      this.#runs.leave(made.delivery.endpointId, made.turn);
    }
  }

  /**
   * The first attempt was decided with its delivery; what a caller asked for holds for all; rules decide each retry anew,
   * once. Null when such a rule has the attempt put off, or the delivery dropped.
   */
  #decide(job: Job, { delivery, event, endpoint, number }: Ready): Decided | null {
    const { fault, decided } = delivery;
    if (number === 1) return firstAttempt(delivery, job);
    if (fault?.by.by === 'header') return { fault, explain: fault.by };
    if (decided?.number === number) return decided;
    const { store, script, now } = this.#parts;
    const { webhook } = script.decide('webhook.deliver', deliveryFacts(event, endpoint, number));
    if (!webhook) return { fault: null, explain: null };
    const plan = planOf(webhook.effect, webhook.explain);
    const scheduler = this.#scheduler;
    if (!scheduler || !putOff({ store }, event, plan)) return { fault: plan.fault, explain: plan.fault?.by ?? null };
    followPlan({ store, scheduler, now }, { delivery, event, number }, plan, job);
    return null;
  }

  #record(made: Made): void {
    const { delivery, job, number, outcome, owed, turn } = made;
    const { store } = this.#parts;
    const attempt = attemptRow(made, store.nextSeq());
    keepAttempt(store, attempt);
    if (!this.#scheduler) return;
    const parts = { store, scheduler: this.#scheduler, now: this.#parts.now, runs: this.#runs };
    const settled = { job, delivery, attempt, ok: outcome.ok, turn };
    if (!owed) {
      settleOvertaken(parts, settled);
      return;
    }
    // A redelivery starts the timetable over, whichever number it got in the end.
    if (job.data === 'redelivery') store.tables.deliveries.patch(delivery, { attemptsBefore: number - 1 });
    settleAttempt(parts, settled);
  }

  #end(job: Job): void {
    this.#jobs.delete(job);
    if (this.#jobs.size === 0) this.#tellQuiet();
    // What the answer made due at this instant (a retry never is, a rule's reaction may be) runs now.
    this.#scheduler?.runDue();
  }

  #tellQuiet(): void {
    const waiting = this.#quiet;
    this.#quiet = [];
    for (const resolve of waiting) resolve();
  }
}
