/** A customer and the 24-hour window. */
import type { Row } from './row.js';

export const windowLengthMs = 24 * 60 * 60 * 1000;

/** `id` is the phone number. */
export interface Customer extends Row {
  readonly profileName: string | null;
  readonly lastInboundAtMs: number | null;
  /** The instant from which the window is closed; null if it was never open. */
  readonly windowClosesAtMs: number | null;
}

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
