/** A one-time code and its validation. */
import { count, type Of, oneOf, optional, orNull, text } from './check.js';
import { explain } from './explain.js';
import { instant, otpCode, phone, place, traceparent, uuid } from './forms.js';
import { rowFields } from './row.js';

export const otpFields = {
  ...rowFields(uuid),
  to: phone,
  code: otpCode,
  state: oneOf(['active', 'verified', 'locked']),
  maxAttempts: place,
  attemptsLeft: count,
  createdAtMs: instant,
  expiresAtMs: instant,
  verifiedAtMs: orNull(instant),
  templateId: text,
  messageId: text,
  traceparent: optional(traceparent),
  explain,
};
export type Otp = Of<typeof otpFields>;

export type OtpVerdict =
  | { readonly kind: 'spent' | 'locked' | 'expired' }
  | { readonly kind: 'correct' }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number; readonly locks: boolean };

/**
 * Validates a code at an instant, in this order: already used, locked, expired (from `expiresAtMs` on), compared.
 * @param nowMs account time
 */
export function judgeCode(otp: Otp, code: string, nowMs: number): OtpVerdict {
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
