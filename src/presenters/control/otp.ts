/** A one-time code with its code, as the control plane shows it. */
import { isoTime, isoTimeOrNull } from '../../domain/instant.js';
import { type Otp, shownState } from '../../domain/otp.js';
import type { Template } from '../../domain/template.js';

export function showOtp(otp: Otp, template: Template | undefined, nowMs: number) {
  return {
    otp_id: otp.id,
    seq: otp.seq,
    to: otp.to,
    code: otp.code,
    state: shownState(otp, nowMs),
    attempts_remaining: otp.attemptsLeft,
    template: template?.name ?? '',
    message_id: otp.messageId,
    created_at: isoTime(otp.createdAtMs),
    expires_at: isoTime(otp.expiresAtMs),
    verified_at: isoTimeOrNull(otp.verifiedAtMs),
    explain: otp.explain,
  };
}
