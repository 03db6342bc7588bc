import { isShallow } from '../../domain/json.js';
import type { Attempt, Delivery, Event, SinkRequest } from '../../domain/rows.js';
import { eventBody } from '../../domain/event.js';
import { isoTime, isoTimeOrNull } from '../../domain/instant.js';
import { keptBody } from '../../domain/limits.js';
import { withoutBody } from './records.js';

export function showEvent(event: Event) {
  return {
    id: event.id,
    seq: event.seq,
    type: event.type,
    created_at: isoTime(event.createdAtMs),
    ...cutData(event.data),
  };
}

/** More than 64 KiB are cut: the longest texts are shortened, and large objects omitted. */
function cutData(data: Event['data']): { readonly data: object; readonly truncated?: true } {
  if (JSON.stringify(data).length <= keptBody) return { data };
  const sized = Object.entries(data).map(([name, value]) => ({
    name,
    value,
    size: JSON.stringify({ [name]: value }).length,
  }));
  const kept = new Map<string, unknown>();
  let left = keptBody;
  for (const { name, value, size } of sized.toSorted((a, b) => a.size - b.size)) {
    if (size <= left) kept.set(name, value);
    else if (typeof value === 'string') kept.set(name, value.slice(0, Math.floor((value.length * left) / size)));
    left = Math.max(0, left - size);
  }
  const shown = Object.keys(data).flatMap((name) => (kept.has(name) ? [[name, kept.get(name)] as const] : []));
  return { data: Object.fromEntries(shown), truncated: true };
}

export function showDelivery(delivery: Delivery, made: Iterable<Attempt>, event: Event | undefined) {
  // A redelivery may get its response before the attempt that it overtook.
  const attempts = [...made].sort((a, b) => a.number - b.number);
  const faults = [...new Set([...(delivery.faults ?? []), ...attempts.flatMap((attempt) => attempt.faults ?? [])])];
  return {
    id: delivery.id,
    seq: delivery.seq,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    webhook_id: delivery.endpointId,
    url: delivery.url,
    state: delivery.state,
    attempts: attempts.map(showAttempt),
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAtMs),
    created_at: isoTime(delivery.createdAtMs),
    ...cutPayload(event),
    ...(faults.length > 0 && { faults }),
    ...(delivery.explain !== undefined && { explain: delivery.explain }),
  };
}

/** The event is shown once, and each attempt without bodies. */
export function showDeliveryInList(...row: Parameters<typeof showDelivery>) {
  const { attempts, ...delivery } = showDelivery(...row);
  const shown = attempts.map(({ request, response, ...attempt }) => ({
    ...attempt,
    request: withoutBody(request),
    ...(response && { response: withoutBody(response) }),
  }));
  return { ...delivery, attempts: shown };
}

function cutPayload(event: Event | undefined): { readonly payload: string | null; readonly truncated?: true } {
  const payload = event ? eventBody(event) : null;
  return payload === null || payload.length <= keptBody
    ? { payload }
    : { payload: payload.slice(0, keptBody), truncated: true };
}

export function showAttempt(attempt: Attempt) {
  return {
    number: attempt.number,
    at: isoTime(attempt.atMs),
    status: attempt.status,
    duration_ms: attempt.durationMs,
    trigger: attempt.trigger,
    ...(attempt.error && { error: attempt.error.code, reason: attempt.error.message }),
    ...(attempt.hint !== undefined && { hint: attempt.hint }),
    ...(attempt.explain && { explain: attempt.explain }),
    ...(attempt.faults && { faults: attempt.faults }),
    sent_to: attempt.sentTo,
    plain: attempt.plain,
    request: attempt.request,
    ...(attempt.response && { response: attempt.response }),
  };
}

export function showSinkRequest(request: SinkRequest) {
  return {
    seq: request.seq,
    at: isoTime(request.atMs),
    method: request.method,
    path: request.path,
    headers: request.headers,
    body: request.body,
    ...(request.truncated === true ? { truncated: true } : jsonOf(request.body)),
    signature_valid: request.signatureValid,
    answered: request.answered,
  };
}

function jsonOf(body: string): { json?: unknown } {
  try {
    const json = JSON.parse(body) as unknown;
    // A value that cannot be serialised again cannot be shown; the bytes are in `body`.
    return isShallow(json) ? { json } : {};
  } catch {
    return {};
  }
}
