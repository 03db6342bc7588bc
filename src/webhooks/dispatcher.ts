/**
 * Makes the attempts that are due, off the request path: first come first served per endpoint, at most so many at once
 * (contract §6). What came of an attempt becomes a fact in one write: its record, the delivery's state, the endpoint's run.
 */
import type { Delivery, DeliveryFault } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Event } from '../domain/event.js';
import type { Explain } from '../domain/explain.js';
import type { Job } from '../domain/job.js';
import { attemptRow, type Made } from './attempt-row.js';
import { settleAttempt, settleOvertaken } from './settle-attempt.js';
import { deliveryFacts } from './delivery-facts.js';
import { followPlan, putOff } from './later-attempt.js';
import { bodyToSend } from './faults/body.js';
import { planOf } from './faults/plan.js';
import { signatureHeader } from './faults/signature.js';
import { simulated } from './faults/simulate.js';
import type { Sender, SinkReceiver, TunnelReceiver } from './sender-types.js';
import type { Script } from '../scenarios/script.js';
import type { AccountStore } from '../store/account-store.js';
import type { HostTime } from '../time/host.js';
import type { InFlight } from '../time/advance.js';
import type { Scheduler } from '../time/scheduler.js';

export interface DispatcherParts {
  readonly store: AccountStore;
  readonly sender: Sender;
  readonly script: Script;
  /** Who takes what is addressed to a sink. */
  readonly sink: SinkReceiver;
  /** Who takes what is addressed to a tunnel. */
  readonly tunnel: TunnelReceiver;
  readonly host: HostTime;
  /** Account time. */
  readonly now: () => number;
  /** Whether `X-Service-Event` and its kin are sent (dialect `webhooks.extra_headers`). */
  readonly extraHeaders: boolean;
  /** Attempts under way at once per endpoint. */
  readonly atOnce: number;
}

/** An attempt that is owed now. */
interface Ready {
  readonly delivery: Delivery;
  readonly event: Event;
  readonly endpoint: Endpoint;
  readonly number: number;
}

/** What is done to it, and who wants that. */
interface Decided {
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}

interface Lane {
  readonly waiting: Job[];
  active: number;
}

export class Dispatcher implements InFlight {
  readonly #parts: DispatcherParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #jobs = new Set<Job>();
  /** The latest number given out to an attempt in flight, by delivery: a redelivery may overlap the attempt before it. */
  readonly #numbers = new Map<string, number>();
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
    return this.#jobs;
  }

  quiet(): Promise<void> {
    return this.#jobs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#quiet.push(resolve));
  }

  /** Takes a due attempt. It starts after the present turn, so that the API call that caused it is answered first. */
  take(job: Job): 'later' | undefined {
    const delivery = this.#parts.store.tables.deliveries.get(job.subject);
    if (!delivery) return undefined;
    this.#jobs.add(job);
    const lane = this.#lane(delivery.endpointId);
    lane.waiting.push(job);
    this.#parts.host.defer(() => this.#start(delivery.endpointId, lane));
    return 'later';
  }

  /** The account was reset or restored: what is in flight ends without a trace. */
  forget(): void {
    this.#generation += 1;
    this.#jobs.clear();
    this.#numbers.clear();
    this.#lanes.clear();
    this.#tellQuiet();
  }

  #lane(endpointId: string): Lane {
    let lane = this.#lanes.get(endpointId);
    if (!lane) this.#lanes.set(endpointId, (lane = { waiting: [], active: 0 }));
    return lane;
  }

  #start(endpointId: string, lane: Lane): void {
    while (lane.active < this.#parts.atOnce) {
      const job = lane.waiting.shift();
      if (!job) break;
      if (!this.#jobs.has(job)) continue;
      const ready = this.#ready(job);
      const decided = ready && this.#decide(job, ready);
      if (!decided) {
        if (!ready) this.#parts.store.update(() => this.#scheduler?.finish(job, () => undefined));
        this.#end(job);
        continue;
      }
      lane.active += 1;
      void this.#attempt(job, ready, decided).finally(() => {
        lane.active -= 1;
        this.#start(endpointId, lane);
        if (lane.active === 0 && lane.waiting.length === 0) this.#lanes.delete(endpointId);
      });
    }
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
    return { delivery, event, endpoint, number };
  }

  async #attempt(job: Job, { delivery, event, endpoint, number }: Ready, { fault, explain }: Decided): Promise<void> {
    const generation = this.#generation;
    const startedAtMs = this.#parts.now();
    this.#numbers.set(delivery.id, number);
    const body = bodyToSend(fault?.body ?? 'exact', event.body);
    const signature = signatureHeader(fault?.signature ?? 'valid', endpoint.secret, body);
    const request = {
      url: endpoint.url,
      headers: this.#headers(delivery, event, signature, number),
      body,
      sink: this.#parts.sink,
      tunnel: this.#parts.tunnel,
      bent: fault !== null,
    };
    const simulate = fault?.simulate ?? null;
    // Told to the world only when it is kept: after a crash the same fact must not get another event id.
    // A disk that refuses does not keep a receiver waiting.
    await this.#parts.store.answerable()?.catch(() => undefined);
    const outcome = simulate === null ? await this.#parts.sender.send(request) : simulated(simulate, request);
    if (generation !== this.#generation) return;
    if (this.#numbers.get(delivery.id) === number) this.#numbers.delete(delivery.id);
    this.made += 1;
    const { store } = this.#parts;
    const owed = store.tables.jobs.get(job.id) === job;
    store.update(() => {
      this.#scheduler?.finish(job, () => {
        this.#record({ delivery, job, number, startedAtMs, outcome, owed, ...(explain && { explain }) });
      });
    });
    this.#end(job);
  }

  /**
   * The first attempt was decided with its delivery; what a caller asked for holds for all; rules decide each retry anew,
   * once. Null when such a rule has the attempt put off, or the delivery dropped.
   */
  #decide(job: Job, { delivery, event, endpoint, number }: Ready): Decided | null {
    const { fault = null, explain, decided } = delivery;
    if (number === 1) return { fault, explain: fault?.by ?? (explain?.id === undefined ? null : explain) };
    if (fault?.by.by === 'header') return { fault, explain: fault.by };
    if (decided?.number === number) return decided;
    const { store, script, now } = this.#parts;
    return store.update(() => {
      const { webhook } = script.decide('webhook.deliver', deliveryFacts(event, endpoint, number));
      if (!webhook) return { fault: null, explain: null };
      const plan = planOf(webhook.effect, webhook.explain);
      const scheduler = this.#scheduler;
      if (!scheduler || !putOff({ store }, event, plan)) return { fault: plan.fault, explain: plan.fault?.by ?? null };
      scheduler.finish(job, () => {
        followPlan({ store, scheduler, now }, { delivery, event, number }, plan, job);
      });
      return null;
    });
  }

  #headers(delivery: Delivery, event: Event, signature: string | null, number: number): Record<string, string> {
    return {
      'Content-Type': 'application/json',
      'User-Agent': 'messaging-sandbox',
      ...(signature !== null && { 'X-Service-Signature': signature }),
      ...(this.#parts.extraHeaders && {
        'X-Service-Event': event.type,
        'X-Service-Event-Id': event.id,
        'X-Service-Delivery': delivery.id,
        'X-Service-Attempt': String(number),
      }),
    };
  }

  #record(made: Made): void {
    const { delivery, job, number, outcome, owed } = made;
    const { store } = this.#parts;
    const attempt = attemptRow(made, store.nextSeq());
    store.tables.attempts.insert(attempt);
    if (!this.#scheduler) return;
    const parts = { store, scheduler: this.#scheduler, now: this.#parts.now };
    if (!owed) {
      settleOvertaken(parts, delivery, attempt, outcome.ok);
      return;
    }
    // A redelivery starts the timetable over, whichever number it got in the end.
    if (job.data === 'redelivery') store.tables.deliveries.patch(delivery, { attemptsBefore: number - 1 });
    settleAttempt(parts, delivery, attempt, outcome.ok);
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
