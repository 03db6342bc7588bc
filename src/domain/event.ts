/** An event: one fact, serialised once. The same bytes are signed, sent, stored and shown. */
import { type Check, formed, isObject, type Of, oneOf, optional, text, type TypeOf } from './check.js';
import { type Hand, hand } from './explain.js';
import { eventId, instant, oneLine } from './forms.js';
import { isoTime } from './instant.js';
import type { Message, MessageError, MessageStatus } from './message.js';
import type { Otp } from './otp.js';
import { rowFields } from './row.js';
import type { Template } from './template.js';

export const eventTypes = ['message.received', 'message.status', 'otp.verified', 'template.status'] as const;
export const eventType = oneOf(eventTypes);
export type EventType = TypeOf<typeof eventType>;

export function isEventType(text: string): text is EventType {
  return (eventTypes as readonly string[]).includes(text);
}

/** Its text is parsed whenever it is shown. */
function isEnvelope(body: string): boolean {
  try {
    const event: unknown = JSON.parse(body);
    return isObject(event) && isObject(event.data);
  } catch {
    return false;
  }
}

export const eventFields = {
  ...rowFields(eventId),
  type: eventType,
  createdAtMs: instant,
  /** The JSON text that every attempt sends, byte for byte. */
  body: formed(text, isEnvelope, 'the JSON text of an event, with its data'),
  /** The message, OTP or template that it is about. */
  subject: oneLine,
  /** The source of the event, if it was not caused by a call or job. */
  by: optional(hand as Check<Hand | undefined>),
};
export type Event = Of<typeof eventFields>;

/** An event that this process has created. Its bytes are created on first access, which is rare. */
export class FreshEvent implements Event {
  #body: string | null = null;

  /** @param data must not change afterwards */
  constructor(
    readonly id: string,
    readonly seq: number,
    readonly type: EventType,
    readonly createdAtMs: number,
    readonly data: object,
    readonly subject: string,
    readonly by?: Hand,
  ) {}

  get body(): string {
    const { id, type, data } = this;
    return (this.#body ??= JSON.stringify({ id, type, created_at: isoTime(this.createdAtMs), data }));
  }

  /** Stored like every other record, with its bytes. */
  toJSON(): Event {
    const { id, seq, type, createdAtMs, body, subject, by } = this;
    return { id, seq, type, createdAtMs, body, subject, ...(by && { by }) };
  }
}

/** Returns the data of an event without its envelope; parsed from its bytes if it was loaded from disk. */
export function dataOf(event: Event): Readonly<Record<string, unknown>> {
  if (event instanceof FreshEvent) return event.data as Record<string, unknown>;
  return (JSON.parse(event.body) as { data: Record<string, unknown> }).data;
}

export function messageReceivedData(
  message: Pick<Message, 'id' | 'wamid' | 'customer' | 'type' | 'content'>,
  profileName: string | null,
  atMs: number,
): object {
  const { text, media_url, interactive } = message.content;
  return {
    message_id: message.id,
    wamid: message.wamid,
    from: message.customer,
    to: accountNumber,
    type: message.type,
    ...(text !== undefined && { text }),
    ...(media_url !== undefined && { media_url }),
    ...(interactive !== undefined && { interactive }),
    profile_name: profileName,
    timestamp: isoTime(atMs),
  };
}

export function messageStatusData(
  message: Pick<Message, 'id' | 'wamid' | 'customer' | 'type'>,
  status: MessageStatus,
  error: MessageError | null,
  atMs: number,
): object {
  return {
    message_id: message.id,
    wamid: message.wamid,
    to: message.customer,
    type: message.type,
    status,
    error,
    timestamp: isoTime(atMs),
  };
}

export function otpVerifiedData(otp: Pick<Otp, 'id' | 'to'>, atMs: number): object {
  return { otp_id: otp.id, to: otp.to, verified_at: isoTime(atMs) };
}

export function templateStatusData(
  template: Pick<Template, 'id' | 'name' | 'language' | 'category' | 'status' | 'rejectionReason'>,
  atMs: number,
): object {
  return {
    template_id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    status: template.status,
    rejection_reason: template.rejectionReason,
    timestamp: isoTime(atMs),
  };
}

/** The number that customers write to. An account has one; it is reserved for fiction. */
export const accountNumber = '+12015550100';
