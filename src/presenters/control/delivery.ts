/** A delivery with its attempts, as the control plane shows it. */
import type { Attempt, Delivery } from '../../domain/delivery.js';
import type { Event } from '../../domain/event.js';
import { isoTime, isoTimeOrNull } from '../../domain/instant.js';

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
    /** Returns the request that was sent, or would have been sent. */
    payload: event?.body ?? null,
    ...(faults.length > 0 && { faults }),
    ...(delivery.explain !== undefined && { explain: delivery.explain }),
  };
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
