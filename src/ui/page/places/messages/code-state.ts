/** The state of a one-time code at an instant. */
import type { Otp } from '../../core/records.js';

/** The state at `nowMs` of account time: no event reports that a code has expired. */
export function stateAt({ state, expires_at: at }: Otp, nowMs: number | null): Otp['state'] {
  return state === 'active' && nowMs !== null && nowMs >= Date.parse(at) ? 'expired' : state;
}
