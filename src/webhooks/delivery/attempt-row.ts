/** What is kept of an attempt (contract §4, shape of a delivery). */
import type { Attempt, Delivery } from '../../domain/delivery.js';
import type { Explain } from '../../domain/explain.js';
import type { Job } from '../../domain/job.js';
import type { Outcome, ReceivedResponse } from '../sender/sender-types.js';

/** An attempt that has come to its end. */
export interface Made {
  readonly delivery: Delivery;
  readonly job: Job;
  readonly number: number;
  /** The same since the delivery was last asked for again. */
  readonly step: number;
  readonly startedAtMs: number;
  readonly outcome: Outcome;
  /** False when its job was taken back meanwhile. */
  readonly owed: boolean;
  /** Its turn among the attempts of its endpoint. */
  readonly turn: number;
  readonly explain?: Explain;
}

type Draft = { -readonly [K in keyof Attempt]: Attempt[K] };

/** @param seq its place among everything the account has seen */
export function attemptRow({ delivery, job, number, step, startedAtMs, outcome, explain }: Made, seq: number): Attempt {
  const row: Draft = {
    id: `att_${seq}`,
    seq,
    deliveryId: delivery.id,
    number,
    atMs: startedAtMs,
    status: outcome.status,
    durationMs: Math.round(outcome.durationMs),
    trigger: job.data === 'redelivery' ? 'redelivery' : 'timetable',
    sentTo: outcome.sentTo,
    plain: outcome.plain,
    request: outcome.request,
  };
  if (step !== number) row.step = step;
  if (outcome.error) row.error = outcome.error;
  if (outcome.hint !== undefined) row.hint = outcome.hint;
  if (explain) row.explain = explain;
  if (outcome.response) row.response = shownResponse(outcome.response);
  return row;
}

function shownResponse({ headers, body, truncated }: ReceivedResponse): NonNullable<Attempt['response']> {
  return truncated ? { headers, body, truncated } : { headers, body };
}
