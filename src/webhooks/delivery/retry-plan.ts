/** Decides when the next attempt of a delivery is made, and how a rule changes it. */
import type { Delivery, DeliveryFault, DeliveryPlan } from '../../domain/delivery.js';
import type { Event } from '../../domain/event.js';
import type { Explain } from '../../domain/explain.js';
import { placeOf, type Job } from '../../domain/job.js';
import { waitOf } from '../event-log.js';
import { faultsOfDelivery } from './faults.js';
import { failingSince, followDeliveries, type OutcomeParts } from './pause.js';

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
 * @throws RangeError if `attemptNumber` is not a positive whole number
 */
export function nextAttemptDelayMs(attemptNumber: number): number {
  if (!Number.isInteger(attemptNumber) || attemptNumber < 1) {
    throw new RangeError(`nextAttemptDelayMs: attempt ${attemptNumber} does not exist; attempts are counted from 1.`);
  }
  return FIRST_GAPS_MS[attemptNumber - 1] ?? LATER_GAP_MS;
}

/** The fault of an attempt, and the rule or caller behind it. */
export interface AttemptPlan {
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}

/**
 * The plan of a first attempt, decided when the delivery was created. A redelivery before that attempt is sent
 * unchanged and names no rule, unless the caller requested a fault.
 */
export function firstAttempt({ fault = null, explain }: Delivery, job: Job): AttemptPlan {
  const unchanged = explain?.id === undefined || job.data === 'redelivery';
  return { fault, explain: fault?.by ?? (unchanged ? null : explain) };
}

/**
 * Returns whether a rule postpones or drops a retry, after dropping the delivery or scheduling the attempt for later. The
 * retry schedule continues from the attempt, whenever it happens. Call it only inside a write.
 * @param job the job of the attempt, which is finished
 */
export function isPostponed(
  parts: OutcomeParts,
  { delivery, event, number }: { delivery: Delivery; event: Event; number: number },
  plan: DeliveryPlan,
  job: Job,
): boolean {
  const { store, scheduler, now } = parts;
  const { deliveries, endpoints } = store.tables;
  const { explain, fault } = plan;
  const holdUntil = waitOf(store, event, plan);
  if (!plan.drop && plan.delayMs <= 0 && holdUntil === null) return false;
  const faults = [...new Set([...(delivery.faults ?? []), ...faultsOfDelivery(plan)])];
  if (plan.drop) {
    deliveries.patch(delivery, { ...(explain && { explain }), faults, state: 'dropped', nextAttemptAtMs: null });
    const endpoint = endpoints.get(delivery.endpointId);
    if (endpoint) followDeliveries(parts, endpoint, failingSince(delivery));
    return true;
  }
  const dueMs = now() + plan.delayMs;
  deliveries.patch(delivery, {
    ...(explain && { explain }),
    faults,
    nextAttemptAtMs: holdUntil ? null : dueMs,
    decided: { number, fault, explain },
    ...(holdUntil && { holdUntil: job.data === 'redelivery' ? { ...holdUntil, redelivery: true } : holdUntil }),
  });
  if (!holdUntil) scheduler.schedule('delivery.attempt', delivery.id, dueMs, job.data, placeOf(job));
  return true;
}
