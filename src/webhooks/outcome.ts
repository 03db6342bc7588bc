/** The effects of an attempt: retry, pause, failure streak. Call these functions only inside a write. */
import type { Dialect } from '../dialect/index.js';
import { byDefault } from '../domain/explain.js';
import { isoTime } from '../domain/instant.js';
import { placeOf } from '../time/jobs.js';
import { maxAttemptsKept } from '../domain/limits.js';
import { gapAfterMs, pauseAfterMs } from '../domain/retry-schedule.js';
import type { Delivery, DeliveryFault, Endpoint, Event, Explain, Job } from '../domain/rows.js';
import type { Ids } from '../random/ids.js';
import type { Script } from '../rules/script.js';
import type { AccountStore } from '../store/account-store.js';
import type { AccountClock } from '../time/account-clock.js';
import type { Scheduler } from '../time/scheduler.js';
import { faultsOfAttempt } from './faults.js';
import type { Outcome } from './exchange.js';

export interface WebhookAccount {
  readonly store: AccountStore;
  readonly scheduler: Scheduler;
  readonly clock: AccountClock;
  readonly ids: Ids;
  readonly script: Script;
  readonly dialect: Dialect;
}
type Writable = Pick<WebhookAccount, 'store' | 'scheduler'>;

export interface DueAttempt {
  readonly job: Job;
  readonly delivery: Delivery;
  readonly event: Event;
  readonly endpoint: Endpoint;
  readonly number: number;
}

export interface AttemptPlan {
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}

export const heldBecausePaused = byDefault(
  'Held: the endpoint was paused. Once it is active again (register its URL again, or set it active), redeliver the event.',
);

/** The delivery was held or dropped meanwhile. */
const deliveredAllTheSame = byDefault(
  'Delivered by an attempt that was in progress when the endpoint was paused, removed or unsubscribed.',
);

/**
 * `isPending` is false if the endpoint was paused or removed meanwhile, or the delivery redelivered; then only a
 * success still changes the delivery.
 */
export function recordAttempt(
  account: Writable,
  due: DueAttempt,
  plan: AttemptPlan,
  outcome: Outcome,
  isPending: boolean,
): void {
  const { store, scheduler } = account;
  const { delivery, job, number } = due;
  const { deliveries, endpoints } = store.tables;
  if (deliveries.get(delivery.id) !== delivery) return;
  // A redelivery restarts the retry schedule, whatever the number of its attempt.
  const attemptsBefore = job.data === 'redelivery' ? number - 1 : delivery.attemptsBefore;
  const step = number - attemptsBefore;
  storeAttempt(store, due, step, plan, outcome);
  const attemptCount = Math.max(delivery.attemptCount, number);
  const endpoint = endpoints.get(delivery.endpointId);
  if (outcome.ok) {
    const isGivenUp = delivery.state === 'held' || delivery.state === 'dropped';
    const explain = isGivenUp && { explain: deliveredAllTheSame };
    scheduler.cancelOf(delivery.id);
    deliveries.patch(delivery, { state: 'delivered', attemptCount, nextAttemptAtMs: null, ...explain });
    if (endpoint) endFailing(account, endpoint, delivery);
  } else if (!isPending || !endpoint) {
    deliveries.patch(delivery, { attemptCount });
  } else if (isForged(delivery)) {
    deliveries.patch(delivery, { state: 'failed', attemptCount, nextAttemptAtMs: null, explain: notRetried(delivery) });
  } else {
    const failingSinceMs = step === 1 ? job.dueMs : Math.min(delivery.failingSinceMs ?? Infinity, job.dueMs);
    if (failingSinceMs < (endpoint.failingSinceMs ?? Infinity)) setStreak(account, endpoint, failingSinceMs);
    const nextAttemptAtMs = job.dueMs + gapAfterMs(step);
    deliveries.patch(delivery, { state: 'retrying', attemptCount, attemptsBefore, nextAttemptAtMs, failingSinceMs });
    scheduler.schedule('delivery.attempt', delivery.id, nextAttemptAtMs, undefined, placeOf(job));
  }
}

function storeAttempt(
  store: AccountStore,
  { delivery, job, number }: DueAttempt,
  step: number,
  { explain, fault }: AttemptPlan,
  { ok: _, ...result }: Outcome,
): void {
  const { attempts } = store.tables;
  const seq = store.nextSeq();
  attempts.insert({
    id: `att_${seq}`,
    seq,
    deliveryId: delivery.id,
    number,
    // Due times are used on every clock, so that the retry schedule is exact even if the machine is late.
    atMs: job.dueMs,
    trigger: job.data === 'redelivery' ? 'redelivery' : 'schedule',
    ...result,
    ...(step !== number && { step }),
    ...(explain && { explain }),
    ...(fault && { faults: faultsOfAttempt(fault) }),
  });
  const kept = attempts.list('delivery', delivery.id);
  if (kept[0] && kept.length > maxAttemptsKept) store.trim('attempts', kept[0]);
}

/**
 * A receiver must reject a forged request, so the rejection is neither retried nor counted. A rule can forge single
 * attempts of a genuine event; those are retried.
 */
function isForged({ fault }: Delivery): boolean {
  return fault?.once === true || (fault?.by.by === 'header' && fault.signature !== 'valid');
}

function notRetried({ fault, explain }: Delivery): Explain {
  const plan = explain ?? fault?.by ?? byDefault('');
  return { ...plan, text: `${plan.text} Not retried: a forged event gets one attempt.`.trim() };
}

/** `sinceMs` null ends the streak. */
export function setStreak({ store, scheduler }: Writable, endpoint: Endpoint, sinceMs: number | null): void {
  if (endpoint.failingSinceMs === sinceMs) return;
  scheduler.cancelOf(endpoint.id, 'endpoint.pause');
  store.tables.endpoints.patch(endpoint, { failingSinceMs: sinceMs });
  if (sinceMs !== null) scheduler.schedule('endpoint.pause', endpoint.id, sinceMs + pauseAfterMs);
}

/** After a delivery stopped failing, its endpoint gets the deadline of the delivery that has failed next longest. */
export function endFailing(account: Writable, endpoint: Endpoint, { failingSinceMs }: Delivery): void {
  if (endpoint.failingSinceMs === null || endpoint.failingSinceMs !== failingSinceMs) return;
  let sinceMs = Infinity;
  for (const other of account.store.tables.deliveries.list('state', 'retrying')) {
    if (other.endpointId !== endpoint.id) continue;
    sinceMs = Math.min(sinceMs, other.failingSinceMs ?? Infinity);
    if (sinceMs === failingSinceMs) return;
  }
  setStreak(account, endpoint, sinceMs === Infinity ? null : sinceMs);
}

export function pauseEndpoint(account: Omit<WebhookAccount, 'ids' | 'script'>, job: Job): undefined {
  const endpoint = account.store.tables.endpoints.get(job.subject);
  if (!endpoint || endpoint.failingSinceMs === null) return;
  const sinceMs = endpoint.failingSinceMs;
  const longest = deliveriesIn(account, endpoint, 'retrying').find(({ failingSinceMs }) => failingSinceMs === sinceMs);
  const who = longest ? `Delivery ${longest.id} (${longest.eventType})` : 'A delivery';
  pause(account, endpoint, `${who} has failed since ${isoTime(sinceMs)}, for 24 hours.`);
}

/** Also holds its deliveries. `failingSinceMs` stays. */
export function pause(account: Omit<WebhookAccount, 'ids' | 'script'>, endpoint: Endpoint, pauseReason: string): void {
  const { store, scheduler, clock } = account;
  const more = endpoint.status === 'active' && { pauses: (endpoint.pauses ?? 0) + 1 };
  store.tables.endpoints.patch(endpoint, { status: 'paused', pauseReason, updatedAtMs: clock.now(), ...more });
  scheduler.cancelOf(endpoint.id, 'endpoint.pause');
  for (const delivery of deliveriesIn(account, endpoint, 'pending', 'retrying')) {
    endAttempts(account, delivery, 'held', heldBecausePaused);
  }
}

export function deliveriesIn(
  { store }: Pick<Writable, 'store'>,
  { id }: Endpoint,
  ...states: readonly ('pending' | 'retrying' | 'held')[]
): Delivery[] {
  const found = states.flatMap((state) => store.tables.deliveries.list('state', state));
  return found.filter(({ endpointId }) => endpointId === id);
}

/** An attempt in flight still counts if it succeeds. */
export function endAttempts(
  { store, scheduler }: Writable,
  delivery: Delivery,
  state: 'held' | 'dropped',
  explain: Explain,
): void {
  scheduler.cancelOf(delivery.id);
  store.tables.deliveries.patch(delivery, { state, explain, nextAttemptAtMs: null });
}
