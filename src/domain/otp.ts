/** The validation of a one-time code. */
import type { Otp } from './rows.js';

export type OtpVerdict =
  | { readonly kind: 'spent' | 'locked' | 'expired' }
  | { readonly kind: 'correct' }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number; readonly locks: boolean };

/**
 * Validates a code at an instant, in this order: already used, locked, expired (from `expiresAtMs` on), compared.
 * @param nowMs account time
 */
export function checkCode(otp: Otp, code: string, nowMs: number): OtpVerdict {
  if (otp.state === 'verified') return { kind: 'spent' };
  if (otp.state === 'locked') return { kind: 'locked' };
  if (nowMs >= otp.expiresAtMs) return { kind: 'expired' };
  if (code === otp.code) return { kind: 'correct' };
  const attemptsLeft = otp.attemptsLeft - 1;
  return { kind: 'wrong', attemptsLeft, locks: attemptsLeft <= 0 };
}

/** Returns the state for testers: an active code is shown as `expired` after its time. */
export function shownState(otp: Otp, nowMs: number): Otp['state'] | 'expired' {
  return otp.state === 'active' && nowMs >= otp.expiresAtMs ? 'expired' : otp.state;
}
