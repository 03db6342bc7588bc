/**
 * What a rule wants done before an attempt after the first: the delivery is dropped, the attempt put off, or it waits for a
 * later status of its message (contract §5, slot `webhook`). Only inside a write.
 */
import type { Delivery, DeliveryPlan } from '../../domain/delivery.js';
import type { Event } from '../../domain/event.js';
import { placeOf, type Job } from '../../domain/job.js';
import { waitOf } from './fan-out.js';
import type { SettleParts } from './record-outcome.js';

/** Whether the attempt is not made now. The timetable goes on from the attempt, whenever that comes. */
export function putOff({ store }: Pick<SettleParts, 'store'>, event: Event, plan: DeliveryPlan): boolean {
  return plan.drop || plan.delayMs > 0 || waitOf(store, event, plan) !== null;
}

/** @param job of the attempt, which is over */
export function followPlan(
  { store, scheduler, now }: SettleParts,
  { delivery, event, number }: { delivery: Delivery; event: Event; number: number },
  plan: DeliveryPlan,
  job: Job,
): void {
  const { deliveries } = store.tables;
  const { explain, fault } = plan;
  if (plan.drop) {
    deliveries.patch(delivery, { ...(explain && { explain }), state: 'dropped', nextAttemptAtMs: null });
    return;
  }
  const holdUntil = waitOf(store, event, plan);
  const dueMs = now() + plan.delayMs;
  deliveries.patch(delivery, {
    ...(explain && { explain }),
    nextAttemptAtMs: holdUntil ? null : dueMs,
    decided: { number, fault, explain },
    ...(holdUntil && { holdUntil: job.data === 'redelivery' ? { ...holdUntil, redelivery: true } : holdUntil }),
  });
  if (!holdUntil) scheduler.schedule('delivery.attempt', delivery.id, dueMs, job.data, placeOf(job));
}
