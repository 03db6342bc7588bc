/** A message in either direction, and the transitions of its status. */
import type { Explain, Hand } from './explain.js';
import type { Row } from './row.js';

export const messageStatuses = ['accepted', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** The types of messages of the account; a customer can send all of them except `template`. */
export const messageTypes = ['text', 'image', 'document', 'interactive', 'template'] as const;

/**
 * Why the channel failed to deliver a message: stable name, sentence, and the channel's own number (null if the message
 * never reached the channel).
 */
export interface MessageError {
  readonly code: string;
  readonly message: string;
  readonly channel_code: number | null;
}

export interface Button {
  readonly id: string;
  readonly title: string;
}

/** The template when the message was sent: later edits and reviews do not affect it. */
export interface TemplateCopy {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly body: string;
  readonly buttons?: readonly unknown[];
  readonly variables: readonly string[];
}

/** The content of a message as a customer sees it. Exactly one field is set, depending on the type. */
export interface MessageContent {
  readonly text?: string;
  readonly media_url?: string;
  readonly interactive?:
    { readonly body: string; readonly buttons: readonly Button[] } | { readonly id: string; readonly title: string };
  readonly template?: TemplateCopy;
}

export interface StatusEntry {
  readonly status: MessageStatus | 'received';
  readonly atMs: number;
  readonly error?: MessageError;
  /** The source of the report, if it was not planned. */
  readonly by?: Hand;
}

export interface Message extends Row {
  readonly wamid: string;
  /** `api`: sent through POST /v1/messages. `otp`: the message with a code. `inbound`: written by a customer. */
  readonly origin: 'api' | 'otp' | 'inbound';
  /** The customer's number, in either direction. */
  readonly customer: string;
  readonly type: string;
  readonly content: MessageContent;
  readonly status: MessageStatus | 'received';
  readonly error: MessageError | null;
  readonly createdAtMs: number;
  readonly history: readonly StatusEntry[];
  readonly batchId?: string;
  readonly otpId?: string;
  readonly traceparent?: string;
  readonly explain: Explain;
}

const height: Record<MessageStatus, number> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 3 };

/**
 * Whether the stored status may change. It goes from accepted to sent, delivered and read; steps may be skipped,
 * because the channel does not report every one. `failed` is reached from any of the first three; `read` and `failed`
 * are final.
 */
export function mayMove(from: Message['status'], to: MessageStatus): boolean {
  if (from === 'received' || from === 'read' || from === 'failed') return false;
  return height[to] > height[from];
}

/** Returns the possible next states of a message, for the text of an error. */
export function movesFrom(from: Message['status']): MessageStatus[] {
  return (['sent', 'delivered', 'read', 'failed'] as const).filter((to) => mayMove(from, to));
}

/** Returns the changes that a legal transition makes to the stored message. */
export function moved(
  message: Message,
  status: MessageStatus,
  atMs: number,
  error?: MessageError,
  by?: Hand,
): Pick<Message, 'status' | 'error' | 'history'> {
  const plain: StatusEntry = error ? { status, atMs, error } : { status, atMs };
  const entry = by ? { ...plain, by } : plain;
  // An array built by spreading reserves space for sixteen more entries, and each message keeps its own array.
  return { status, error: error ?? null, history: message.history.concat(entry) };
}

/** A lookup shows four states: an accepted message is shown as `sent` until the channel reports. */
export function lookupStatus(status: Message['status']): string {
  return status === 'accepted' ? 'sent' : status;
}
