/** A one-time code as it must look when it comes from outside. */
import type { Otp, OtpState } from '../../../domain/otp.js';
import { count, type Fields, instant, oneOf, orNull, text } from '../check.js';
import { explain, rowFields } from './parts.js';

export const otpFields: Fields<Otp> = {
  ...rowFields,
  to: text,
  code: text,
  state: oneOf<OtpState>({ active: true, verified: true, locked: true }),
  maxAttempts: count,
  attemptsLeft: count,
  createdAtMs: instant,
  expiresAtMs: instant,
  verifiedAtMs: orNull(instant),
  templateId: text,
  messageId: text,
  explain,
};
