import type { components } from '../../../../generated/control.js';
import type { Event } from '../../core/records.js';
import { parsed } from '../../core/words.js';

type EmitInput = components['schemas']['EmitInput'];
export type WebhookSlot = components['schemas']['WebhookSlot'];

export const eventTypes = ['message.received', 'message.status', 'otp.verified', 'template.status'] as const;

/** Fields of each type to begin with. All others are generated. */
export const examples: Readonly<Record<Event['type'], object>> = {
  'message.received': { from: '+12025550110', text: 'Hello?' },
  'message.status': { to: '+12025550110', status: 'failed' },
  'otp.verified': { to: '+12025550110' },
  'template.status': { name: 'order_shipped', status: 'rejected', rejection_reason: 'The category is wrong.' },
};

export function dataOf(text: string): NonNullable<EmitInput['data']> | string {
  const value = text.trim() === '' ? {} : parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return 'This is not a JSON object. Write one such as {"text": "hello"}, or leave it empty.';
}

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

export const noFault = {
  signature: 'valid' as keyof typeof signatures,
  body: 'exact' as keyof typeof bodies,
  receiver: '' as keyof typeof receivers,
  /** Used if `receiver` is `status`. */
  status: '503',
  /** A duration such as `30s`; empty for none. */
  delay: '',
  duplicate: '',
};

export type FaultChoice = Readonly<typeof noFault>;

/** @returns undefined without a fault. The sandbox validates durations and numbers. */
export function slotOf({ signature, body, receiver, status, delay, duplicate }: FaultChoice): WebhookSlot | undefined {
  const slot: WebhookSlot = {
    ...(signature !== 'valid' && { signature }),
    ...(body !== 'exact' && { body }),
    ...(receiver !== '' && { receiver: { simulate: receiver === 'status' ? Number(status) : receiver } }),
    ...(delay.trim() !== '' && { delay: delay.trim() }),
    ...(duplicate.trim() !== '' && { duplicate: Number(duplicate) }),
  };
  return Object.keys(slot).length === 0 ? undefined : slot;
}
