/** One attempt: its request, the row that is stored for it, and what its outcome changes. */
import type { Attempt, Delivery, DeliveryFault, Endpoint, Event, Explain, Job } from '../domain/rows.js';
import { eventBody } from '../domain/event.js';
import { byDefault } from '../domain/explain.js';
import { placeOf } from '../domain/job.js';
import { maxAttemptsKept } from '../domain/limits.js';
import type { Traced } from '../domain/request.js';
import type { AccountStore } from '../store/account-store.js';
import { failingSince, followDeliveries, setStreak, type OutcomeParts } from './endpoints.js';
import { droppedBecauseRemoved, droppedBecauseUnsubscribed, heldBecausePaused } from './events.js';
import { Exchange, type DirectReceiver, type Outcome, type SendRequest } from './exchange.js';
import { SendFailure } from './failure.js';
import { bodyToSend, faultsOfAttempt, signatureHeader, unknownType } from './faults.js';
import { SIGNATURE_HEADER } from './sign.js';

/** An attempt that is due. */
export interface DueAttempt {
  readonly job: Job;
  readonly delivery: Delivery;
  readonly event: Event;
  readonly endpoint: Endpoint;
  readonly number: number;
  /** The number since the latest redelivery. */
  readonly step: number;
  /** Whether the endpoint subscribes to the event's type now. */
  readonly subscribed: boolean;
  /** The trace of the call that caused the event. */
  readonly trace: Traced;
}

/** The fault of an attempt, and the rule or caller behind it. */
export interface AttemptPlan {
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}

/** The parts that all attempts of an account share. */
export interface RequestParts {
  readonly sink: DirectReceiver;
  readonly tunnel: DirectReceiver;
  /** Whether `X-Service-Event` and the related headers are sent (dialect `webhooks.extra_headers`). */
  readonly extraHeaders: boolean;
}

/** Returns the signed request, changed by the fault if there is one. */
export function attemptRequest(
  { sink, tunnel, extraHeaders }: RequestParts,
  { delivery, event, endpoint, number, trace }: DueAttempt,
  fault: DeliveryFault | null,
): SendRequest {
  const body = bodyToSend(fault?.body ?? 'exact', eventBody(event));
  const signature = signatureHeader(fault?.signature ?? 'valid', endpoint.secret, body);
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'User-Agent': 'messaging-sandbox' };
  if (signature !== null) headers[SIGNATURE_HEADER] = signature;
  if (extraHeaders) {
    headers['X-Service-Event'] = fault?.body === 'unknown_type' ? unknownType(event.type) : event.type;
    headers['X-Service-Event-Id'] = event.id;
    headers['X-Service-Delivery'] = delivery.id;
    headers['X-Service-Attempt'] = String(number);
    if (trace.traceparent !== undefined) headers['traceparent'] = trace.traceparent;
  }
  return { url: endpoint.url, headers, body, sink, tunnel, faulty: fault !== null };
}

/** Returns the trace of the call that made the message, code or template of an event. */
export function traceOf({ tables: { messages, otps, templates } }: AccountStore, subject: string): Traced {
  const { traceparent } = messages.get(subject) ?? otps.get(subject) ?? templates.get(subject) ?? {};
  return traceparent === undefined ? {} : { traceparent };
}

/**
 * The outcome of an attempt that failed because of a bug in the sandbox. It counts as an ordinary failure, so that the
 * retry schedule continues.
 */
export function brokenOutcome({ endpoint, event }: DueAttempt): Outcome {
  const failure = new SendFailure(
    'internal_error',
    'The sandbox failed to make this attempt; see its log for the reason.',
    'This is a bug of the sandbox, not of the receiver. Please report it with the line of the log.',
  );
  return new Exchange({ url: endpoint.url, headers: {}, body: eventBody(event) }).outcome(failure, 0);
}

/**
 * Stores an attempt, and applies its outcome to the delivery and to the endpoint's failure streak. Call it only inside a
 * write.
 * @param plan null if the sandbox failed to make the attempt
 * @param pending false if its job was cancelled meanwhile
 */
export function recordAttempt(
  parts: OutcomeParts,
  due: DueAttempt,
  plan: AttemptPlan | null,
  outcome: Outcome,
  pending: boolean,
): void {
  const { delivery, job, number } = due;
  const { deliveries } = parts.store.tables;
  const attempt = storeAttempt(parts.store, due, plan, outcome);
  // A redelivery restarts the retry schedule, whatever the number of its attempt.
  if (pending && job.data === 'redelivery') deliveries.patch(delivery, { attemptsBefore: number - 1 });
  if (deliveries.get(delivery.id) !== delivery) return;
  if (pending) recordOutcome(parts, due, attempt, outcome.ok);
  else recordLateOutcome(parts, delivery, attempt, outcome.ok);
}

/** A delivery keeps its newest attempts. */
function storeAttempt(store: AccountStore, due: DueAttempt, plan: AttemptPlan | null, outcome: Outcome): Attempt {
  const { delivery, job, number, step } = due;
  const { ok: _, ...result } = outcome;
  const { attempts } = store.tables;
  const seq = store.nextSeq();
  const attempt = attempts.insert({
    id: `att_${seq}`,
    seq,
    deliveryId: delivery.id,
    number,
    // Due times are used on every clock, so that the retry schedule is exact even if the machine is late.
    atMs: job.dueMs,
    trigger: job.data === 'redelivery' ? 'redelivery' : 'schedule',
    ...result,
    ...(step !== number && { step }),
    ...(plan?.explain && { explain: plan.explain }),
    ...(plan?.fault && { faults: faultsOfAttempt(plan.fault) }),
  });
  const kept = attempts.list('delivery', attempt.deliveryId);
  const [oldest] = kept;
  if (oldest && kept.length > maxAttemptsKept) store.trim('attempts', oldest);
  return attempt;
}

const MINUTE_MS = 60_000;

/**
 * Gaps after the first, second and third attempt; every later gap is an hour (interface document, sections 6 and 8).
 */
const FIRST_GAPS_MS: readonly number[] = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
const LATER_GAP_MS = 60 * MINUTE_MS;

/**
 * Returns the gap between the starts of attempt `attemptNumber`, which failed, and of the next one, in milliseconds of
 * account time. Attempts thus start at 0, 1, 6, 36, 96, 156 … minutes.
 * @param attemptNumber 1 for the first attempt of a delivery
 */
function nextAttemptDelayMs(attemptNumber: number): number {
  return FIRST_GAPS_MS[attemptNumber - 1] ?? LATER_GAP_MS;
}

/** For a delivery that was held or dropped meanwhile. */
const deliveredAllTheSame = byDefault(
  'Delivered by an attempt that was in progress when the endpoint was paused, removed or unsubscribed.',
);

function recordOutcome(parts: OutcomeParts, due: DueAttempt, attempt: Attempt, ok: boolean): void {
  const { delivery, job, subscribed } = due;
  const { deliveries, endpoints } = parts.store.tables;
  const endpoint = endpoints.get(delivery.endpointId);
  const attemptCount = attempt.number;
  const end = { attemptCount, nextAttemptAtMs: null };
  const step = attemptCount - delivery.attemptsBefore;
  const sinceMs = step === 1 ? attempt.atMs : Math.min(failingSince(delivery), attempt.atMs);
  if (ok) {
    deliveries.patch(delivery, { ...end, state: 'delivered' });
    if (endpoint) followDeliveries(parts, endpoint, sinceMs);
  } else if (!endpoint) {
    deliveries.patch(delivery, { ...end, state: 'dropped', explain: droppedBecauseRemoved });
  } else if (subscribed && !endpoint.events.includes(delivery.eventType)) {
    deliveries.patch(delivery, { ...end, state: 'dropped', explain: droppedBecauseUnsubscribed(delivery) });
  } else if (isForged(delivery)) {
    deliveries.patch(delivery, { ...end, state: 'failed', explain: notRetried(delivery) });
  } else if (endpoint.status === 'paused') {
    deliveries.patch(delivery, { ...end, state: 'held', explain: heldBecausePaused });
  } else {
    const since = endpoint.failingSinceMs;
    if (since === null || sinceMs < since) setStreak(parts, endpoint, sinceMs);
    const nextAttemptAtMs = attempt.atMs + nextAttemptDelayMs(step);
    deliveries.patch(delivery, { state: 'retrying', attemptCount, nextAttemptAtMs, failingSinceMs: sinceMs });
    parts.scheduler.schedule('delivery.attempt', delivery.id, nextAttemptAtMs, undefined, placeOf(job));
  }
}

/**
 * Whether a caller asked for a signature that a receiver must reject, or this is the forged request. The rejection is
 * correct, so it is neither retried nor counted. A rule may forge single attempts of a genuine event; those are
 * retried.
 */
function isForged({ fault }: Delivery): boolean {
  return fault?.once === true || (fault?.by.by === 'header' && fault.signature !== 'valid');
}

function notRetried({ fault, explain }: Delivery): Explain {
  const plan = explain ?? fault?.by ?? byDefault('');
  return { ...plan, text: `${plan.text} Not retried: a forged event gets one attempt.`.trim() };
}

/**
 * Records an attempt whose job was cancelled while it was in flight (the endpoint was paused or removed, or the
 * delivery was redelivered). Only a success still changes the delivery.
 */
function recordLateOutcome(parts: OutcomeParts, delivery: Delivery, attempt: Attempt, ok: boolean): void {
  const { deliveries, endpoints } = parts.store.tables;
  const attemptCount = Math.max(delivery.attemptCount, attempt.number);
  if (!ok) {
    deliveries.patch(delivery, { attemptCount });
    return;
  }
  parts.scheduler.cancelOf(delivery.id);
  const givenUp = delivery.state === 'held' || delivery.state === 'dropped';
  deliveries.patch(delivery, {
    state: 'delivered',
    attemptCount,
    nextAttemptAtMs: null,
    ...(givenUp && { explain: deliveredAllTheSame }),
  });
  const endpoint = endpoints.get(delivery.endpointId);
  if (endpoint) followDeliveries(parts, endpoint, failingSince(delivery));
}
