/** One attempt: its request, and the row that is stored for it. */
import type { Attempt, Delivery, DeliveryFault, Endpoint, Event, Explain, Job } from '../domain/rows.js';
import { eventBody } from '../domain/event.js';
import type { Traced } from '../domain/request.js';
import { keptBody, maxAttemptsKept } from '../domain/limits.js';
import type { AccountStore } from '../store/account-store.js';
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

export interface FinishedAttempt extends Pick<DueAttempt, 'delivery' | 'number' | 'step' | 'subscribed'> {
  readonly job: Job;
  readonly startedAtMs: number;
  readonly outcome: Outcome;
  /** False if its job was cancelled meanwhile. */
  readonly pending: boolean;
  readonly explain?: Explain;
  readonly fault: DeliveryFault | null | undefined;
}

/** Stores an attempt, with the beginning of a long body. A delivery keeps its newest attempts. Call it only inside a write. */
export function storeAttempt(store: AccountStore, finished: FinishedAttempt): Attempt {
  const { attempts } = store.tables;
  const attempt = attempts.insert(attemptRow(finished, store.nextSeq()));
  const kept = attempts.list('delivery', attempt.deliveryId);
  const [oldest] = kept;
  if (oldest && kept.length > maxAttemptsKept) store.trim('attempts', oldest);
  return attempt;
}

function attemptRow(finished: FinishedAttempt, seq: number): Attempt {
  const { delivery, job, number, step, startedAtMs, outcome, explain, fault } = finished;
  const { ok: _, request, response, ...result } = outcome;
  return {
    id: `att_${seq}`,
    seq,
    deliveryId: delivery.id,
    number,
    atMs: startedAtMs,
    trigger: job.data === 'redelivery' ? 'redelivery' : 'schedule',
    ...result,
    request: truncate(request),
    ...(response && { response: truncate(response) }),
    ...(step !== number && { step }),
    ...(explain && { explain }),
    ...(fault && { faults: faultsOfAttempt(fault) }),
  };
}

function truncate<Part extends { readonly body: string }>(part: Part): Part {
  return part.body.length <= keptBody ? part : { ...part, body: part.body.slice(0, keptBody), truncated: true };
}
