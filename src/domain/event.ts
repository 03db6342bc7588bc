import { isoTime } from './instant.js';
import type { Event, Message, MessageError, Otp, Template } from './rows.js';
import type { MessageStatus } from './words.js';

/** Returns the JSON text that every attempt sends, byte for byte: whatever the dialect is by then. */
export function eventBody({
  id,
  type,
  createdAtMs,
  data,
  body,
}: Pick<Event, 'id' | 'type' | 'createdAtMs' | 'data' | 'body'>): string {
  return body ?? JSON.stringify({ id, type, created_at: isoTime(createdAtMs), data });
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
