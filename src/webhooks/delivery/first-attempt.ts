/** What was decided about a delivery's first attempt when the delivery was made (contract §5, slot `webhook`). */
import type { Delivery, DeliveryFault } from '../../domain/delivery.js';
import type { Explain } from '../../domain/explain.js';
import type { Job } from '../../domain/job.js';

/** What is done to an attempt, and who wants that. */
export interface Decided {
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}

/** One that was asked for again before it was made goes out plainly, unless the caller said otherwise, and names no rule. */
export function firstAttempt({ fault = null, explain }: Delivery, job: Job): Decided {
  const unspoiled = explain?.id === undefined || job.data === 'redelivery';
  return { fault, explain: fault?.by ?? (unspoiled ? null : explain) };
}
