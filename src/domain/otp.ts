import type { Otp } from './rows.js';

export type OtpVerdict =
  | { readonly kind: 'spent' | 'locked' | 'expired' }
  | { readonly kind: 'correct' }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number; readonly locks: boolean };

/** The checks in their order: already used, locked, expired (from `expiresAtMs` on), compared. */
export function checkCode(otp: Otp, code: string, nowMs: number): OtpVerdict {
  if (otp.state === 'verified') return { kind: 'spent' };
  if (otp.state === 'locked') return { kind: 'locked' };
  if (nowMs >= otp.expiresAtMs) return { kind: 'expired' };
  if (code === otp.code) return { kind: 'correct' };
  const attemptsLeft = otp.attemptsLeft - 1;
  return { kind: 'wrong', attemptsLeft, locks: attemptsLeft <= 0 };
}

export function shownState(otp: Otp, nowMs: number): Otp['state'] | 'expired' {
  return otp.state === 'active' && nowMs >= otp.expiresAtMs ? 'expired' : otp.state;
}
