/** A delivery on demand with a fault: the form, and the `webhook` action that it makes. */
import type { components } from '../../../../generated/control.js';

export type WebhookSlot = components['schemas']['WebhookSlot'];

export const signatures = {
  valid: 'right',
  wrong_secret: 'of another secret',
  missing: 'left out',
  malformed: 'malformed',
};
export const bodies = {
  exact: 'exact',
  truncate: 'cut off in the middle',
  reformatted: 'with unusual spacing and escapes',
  unknown_type: 'of an unknown type',
  huge: 'two megabytes long',
  forged: 'forged: other content',
};
export const receivers = {
  '': 'is really called',
  refused: 'rejects the connection',
  timeout: 'does not respond in time',
  reset: 'hangs up',
  status: 'responds with a status …',
};

export const holds = { '': '(not held)', sent: 'sent', delivered: 'delivered', read: 'read', failed: 'failed' };

export interface FaultChoice {
  readonly signature: keyof typeof signatures;
  readonly body: keyof typeof bodies;
  readonly receiver: keyof typeof receivers;
  /** Used if `receiver` is `status`. */
  readonly status: string;
  /** A duration such as `30s`; empty for none. */
  readonly delay: string;
  /** Additional copies. */
  readonly duplicate: string;
  readonly holdUntil: keyof typeof holds;
}

export const noFault: FaultChoice = {
  signature: 'valid',
  body: 'exact',
  receiver: '',
  status: '503',
  delay: '',
  duplicate: '',
  holdUntil: '',
};

/** @returns undefined without a fault. The sandbox validates durations and numbers. */
export function slotOf(choice: FaultChoice): WebhookSlot | undefined {
  const slot: WebhookSlot = {
    ...(choice.signature !== 'valid' && { signature: choice.signature }),
    ...(choice.body !== 'exact' && { body: choice.body }),
    ...(choice.receiver !== '' && {
      receiver: { simulate: choice.receiver === 'status' ? Number(choice.status) : choice.receiver },
    }),
    ...(choice.delay.trim() !== '' && { delay: choice.delay.trim() }),
    ...(choice.duplicate.trim() !== '' && { duplicate: Number(choice.duplicate) }),
    ...(choice.holdUntil !== '' && { hold_until: { status: choice.holdUntil } }),
  };
  return Object.keys(slot).length === 0 ? undefined : slot;
}
