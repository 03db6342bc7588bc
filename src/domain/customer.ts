/** The 24-hour window of a customer. */
import type { Customer } from './rows.js';

export type { Customer } from './rows.js';

export const windowLengthMs = 24 * 60 * 60 * 1000;

/** The state of the window at one instant. */
export interface WindowState {
  readonly open: boolean;
  /** The instant from which it is closed; null if it was never open, or is open for a customer who never wrote. */
  readonly closesAtMs: number | null;
}

/** Closed at exactly 24 h after the latest inbound message. */
export function windowOpen(customer: Customer | undefined, nowMs: number): boolean {
  return typeof customer?.windowClosesAtMs === 'number' && nowMs < customer.windowClosesAtMs;
}
