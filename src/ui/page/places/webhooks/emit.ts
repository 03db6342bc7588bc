/** The form for an event on demand: fields by type, faults, and the call that it makes. Empty fields are generated. */
import type { components } from '../../../../generated/control.js';
import type { Event } from '../../core/records.js';

export const eventTypes = ['message.received', 'message.status', 'otp.verified', 'template.status'] as const;

export interface EmitField {
  readonly name: string;
  readonly label: string;
  /** The allowed values. */
  readonly options?: readonly string[];
}

export const emitFields: Readonly<Record<Event['type'], readonly EmitField[]>> = {
  'message.received': [
    { name: 'from', label: 'From' },
    { name: 'text', label: 'Text' },
    { name: 'profile_name', label: 'Profile name' },
  ],
  'message.status': [
    { name: 'to', label: 'To' },
    { name: 'status', label: 'Status', options: ['sent', 'delivered', 'read', 'failed'] },
    { name: 'message_id', label: 'Message id' },
  ],
  'otp.verified': [
    { name: 'to', label: 'To' },
    { name: 'otp_id', label: 'OTP id' },
  ],
  'template.status': [
    { name: 'name', label: 'Template name' },
    { name: 'status', label: 'Status', options: ['approved', 'rejected'] },
    { name: 'rejection_reason', label: 'Rejection reason' },
  ],
};

export interface EmitForm {
  readonly type: Event['type'];
  /** By field name, for all types: switching back to a type restores its values. */
  readonly values: Readonly<Record<string, string>>;
  /** More fields of `data` as JSON, or empty. They override the fields above. */
  readonly more: string;
  /** Id of the only endpoint that receives it; empty for all subscribed endpoints. */
  readonly endpoint: string;
}

type EmitInput = components['schemas']['EmitInput'];

/** @returns the body of the call, or an error message */
export function emitBody(form: EmitForm, webhook: WebhookSlot | undefined): EmitInput | string {
  const more = moreOf(form.more);
  if (typeof more === 'string') return more;
  const given = emitFields[form.type].flatMap(({ name }): [string, unknown][] => {
    const value = form.values[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value]];
  });
  const data = { ...Object.fromEntries(given), ...more };
  return {
    type: form.type,
    ...(Object.keys(data).length > 0 && { data }),
    ...(form.endpoint !== '' && { webhook_id: form.endpoint }),
    ...(webhook && { webhook }),
  };
}

function moreOf(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {};
  const wanted = 'Write an object such as {"text": "hello"}, or leave it empty.';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return `More fields are ${Array.isArray(value) ? 'an array' : `"${text.trim()}"`}, not an object. ${wanted}`;
  } catch {
    return `More fields are not JSON. ${wanted}`;
  }
}

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
