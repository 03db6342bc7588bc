/** One attempt: its request, and the row that is stored for it. */
import { smallBody, type Attempt, type Delivery, type DeliveryFault } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Event } from '../domain/event.js';
import type { Explain } from '../domain/explain.js';
import type { Job } from '../domain/job.js';
import type { Traced } from '../domain/trace.js';
import { maxAttemptBytes, maxAttemptsKept } from '../domain/limits.js';
import type { AccountStore } from '../store/tables/account-store.js';
import { weightOf } from '../store/tables/memory-budget.js';
import { Exchange, type DirectReceiver, type Outcome, type SendRequest } from './exchange.js';
import { SendFailure } from './failure.js';
import { bodyToSend, faultsOfAttempt, signatureHeader, unknownType } from './faults.js';
import { SIGNATURE_HEADER } from './sign.js';

/** An attempt that is due. */
export interface DueAttempt {
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
  const body = bodyToSend(fault?.body ?? 'exact', event.body);
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
  return new Exchange({ url: endpoint.url, headers: {}, body: event.body }).outcome(failure, 0);
}

export interface FinishedAttempt extends Pick<DueAttempt, 'delivery' | 'number' | 'step' | 'subscribed'> {
  readonly job: Job;
  readonly startedAtMs: number;
  readonly outcome: Outcome;
  /** False if its job was cancelled meanwhile. */
  readonly pending: boolean;
  readonly explain?: Explain;
  readonly fault: DeliveryFault | null | undefined;
}

/** Number of attempts of unfinished deliveries to skip in the search for one to remove. */
const mostPassedOver = 100;

/**
 * Stores an attempt. A delivery keeps its newest attempts. If all attempts together take too much memory, the oldest
 * ones of finished deliveries are removed; if there are none, the bodies of this one are truncated. Call it only inside
 * a write.
 */
export function storeAttempt(store: AccountStore, finished: FinishedAttempt, most = maxAttemptBytes): Attempt {
  const attempt = attemptRow(finished, store.nextSeq());
  const { attempts } = store.tables;
  const weight = weightOf(attempt);
  while (attempts.weight + weight > most) {
    const removable = oldestFinished(store);
    if (!removable) break;
    store.trim('attempts', removable);
  }
  attempts.insert(attempts.weight + weight > most ? withTruncatedBodies(attempt) : attempt);
  const own = attempts.list('delivery', attempt.deliveryId);
  const oldest = own.at(0);
  if (own.size > maxAttemptsKept && oldest) store.trim('attempts', oldest);
  return attempt;
}

function oldestFinished({ tables: { attempts, deliveries } }: AccountStore): Attempt | undefined {
  const all = attempts.all();
  for (let position = 0; position < Math.min(all.size, mostPassedOver); position += 1) {
    const attempt = all.at(position);
    const state = attempt && deliveries.get(attempt.deliveryId)?.state;
    if (state !== 'pending' && state !== 'retrying') return attempt;
  }
  return undefined;
}

function attemptRow(finished: FinishedAttempt, seq: number): Attempt {
  const { delivery, job, number, step, startedAtMs, outcome, explain, fault } = finished;
  const { ok: _, ...result } = outcome;
  return {
    id: `att_${seq}`,
    seq,
    deliveryId: delivery.id,
    number,
    atMs: startedAtMs,
    trigger: job.data === 'redelivery' ? 'redelivery' : 'schedule',
    ...result,
    ...(step !== number && { step }),
    ...(explain && { explain }),
    ...(fault && { faults: faultsOfAttempt(fault) }),
  };
}

function withTruncatedBodies(attempt: Attempt): Attempt {
  const { request, response } = attempt;
  return { ...attempt, request: truncate(request), ...(response && { response: truncate(response) }) };
}

function truncate<Part extends { readonly body: string }>(part: Part): Part {
  if (part.body.length <= smallBody) return part;
  return { ...part, body: part.body.slice(0, smallBody), truncated: true };
}
