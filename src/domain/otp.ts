/** A one-time code and its validation. */
import type { Explain } from './explain.js';
import type { Row } from './row.js';

export type OtpState = 'active' | 'verified' | 'locked';

export interface Otp extends Row {
  readonly to: string;
  readonly code: string;
  readonly state: OtpState;
  readonly maxAttempts: number;
  readonly attemptsLeft: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly verifiedAtMs: number | null;
  readonly templateId: string;
  readonly messageId: string;
  readonly traceparent?: string;
  readonly explain: Explain;
}

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
export function shownState(otp: Otp, nowMs: number): OtpState | 'expired' {
  return otp.state === 'active' && nowMs >= otp.expiresAtMs ? 'expired' : otp.state;
}
