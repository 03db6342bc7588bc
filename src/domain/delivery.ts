/** The plan of the delivery of one event to one endpoint. */
import type { DeliveryFault, Explain } from './rows.js';

export type { Attempt, Delivery, DeliveryFault } from './rows.js';

/** The actions on a delivery when it is created. */
export interface DeliveryPlan {
  readonly drop: boolean;
  /** Account milliseconds until the first attempt. */
  readonly delayMs: number;
  /** The number of copies of the delivery, including this one. */
  readonly copies: number;
  /** The status that the message must have been reported with before the first attempt. */
  readonly holdUntil: string | null;
  /** When the accompanying forged request is sent. */
  readonly forgedCopy?: 'before' | 'after';
  /** Null if its attempts are sent without faults. */
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}
