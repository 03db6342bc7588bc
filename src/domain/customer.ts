/** A customer and the 24-hour window. */
import { type Of, orNull, text } from './check.js';
import { instant, phone } from './forms.js';
import { rowFields } from './row.js';

export const windowLengthMs = 24 * 60 * 60 * 1000;

export const customerFields = {
  ...rowFields(phone),
  profileName: orNull(text),
  lastInboundAtMs: orNull(instant),
  /** The instant from which the window is closed; null if it was never open. */
  windowClosesAtMs: orNull(instant),
};
export type Customer = Of<typeof customerFields>;

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
