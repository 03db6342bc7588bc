/** What is kept of an attempt (contract §4, shape of a delivery). */
import type { Attempt, Delivery } from '../domain/delivery.js';
import type { Explain } from '../domain/explain.js';
import type { Job } from '../domain/job.js';
import type { Outcome, ReceivedResponse } from './sender-types.js';

/** An attempt that has come to its end. */
export interface Made {
  readonly delivery: Delivery;
  readonly job: Job;
  readonly number: number;
  readonly startedAtMs: number;
  readonly outcome: Outcome;
  /** False when its job was taken back meanwhile. */
  readonly owed: boolean;
  readonly explain?: Explain;
}

/** @param seq its place among everything the account has seen */
export function attemptRow({ delivery, job, number, startedAtMs, outcome, explain }: Made, seq: number): Attempt {
  return {
    id: `att_${seq}`,
    seq,
    deliveryId: delivery.id,
    number,
    atMs: startedAtMs,
    status: outcome.status,
    durationMs: Math.round(outcome.durationMs),
    trigger: job.data === 'redelivery' ? 'redelivery' : 'timetable',
    ...(outcome.error && { error: outcome.error }),
    ...(outcome.hint !== undefined && { hint: outcome.hint }),
    ...(explain && { explain }),
    sentTo: outcome.sentTo,
    plain: outcome.plain,
    request: { url: outcome.request.url, headers: { ...outcome.request.headers }, body: outcome.request.body },
    ...(outcome.response && { response: shownResponse(outcome.response) }),
  };
}

function shownResponse({ headers, body, truncated }: ReceivedResponse) {
  return { headers: { ...headers }, body, ...(truncated && { truncated }) };
}
