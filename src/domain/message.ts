/** A message in either direction, and the transitions of its status. */
import {
  anyObject,
  anything,
  type Check,
  formed,
  isObject,
  listOf,
  number,
  type Of,
  oneOf,
  optional,
  orNull,
  record,
  text,
  type TypeOf,
} from './check.js';
import { explain, type Hand, hand } from './explain.js';
import { errorCode, instant, language, phone, templateName, traceparent, uuid, wamid, wordOf } from './forms.js';
import { rowFields } from './row.js';
import { templateCategories } from './template.js';

export const messageStatuses = ['accepted', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** The types of messages of the account; a customer can send all of them except `template`. */
export const messageTypes = ['text', 'image', 'document', 'interactive', 'template'] as const;

const errorFields = { code: text, message: text, channel_code: orNull(number) };
export const messageError = record(errorFields);
/**
 * Why the channel failed to deliver a message: stable name, sentence, and the channel's own number (null if the message
 * never reached the channel).
 */
export type MessageError = Of<typeof errorFields>;

export interface Button {
  readonly id: string;
  readonly title: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isButton = (value: unknown): boolean => isObject(value) && isText(value.id) && isText(value.title);
const buttons = listOf(formed(anything as Check<Button>, isButton, 'an object with id and title'));

/** Buttons, or the button that a customer tapped. */
type Interactive = { readonly body: string; readonly buttons: readonly Button[] } | Button;
const anyInteractive = formed(
  anyObject as Check<Interactive>,
  (value) => ('buttons' in value && Array.isArray(value.buttons) ? isText(value.body) : isButton(value)),
  'an object with body and buttons, or with id and title',
);
const interactive: Check<Interactive> = (value, path, problems) => {
  anyInteractive(value, path, problems);
  if (!problems.isStrict || !isObject(value) || !Array.isArray(value.buttons)) return;
  buttons(value.buttons, () => `${path()}.buttons`, problems);
};

const templateCopyFields = {
  id: uuid,
  name: templateName,
  language,
  category: wordOf(templateCategories),
  body: text,
  buttons: optional(listOf(formed(anything, isObject, 'an object'))),
  variables: listOf(text),
};
/** The template when the message was sent: later edits and reviews do not affect it. */
export type TemplateCopy = Of<typeof templateCopyFields>;

const contentFields = {
  text: optional(text),
  media_url: optional(text),
  interactive: optional(interactive),
  template: optional(record(templateCopyFields)),
};
/** The content of a message as a customer sees it. Exactly one field is set, depending on the type. */
export type MessageContent = Of<typeof contentFields>;

const status = oneOf([...messageStatuses, 'received']);
const statusEntry = record({
  status,
  atMs: instant,
  error: optional(messageError),
  /** The source of the report, if it was not planned. */
  by: optional(hand),
});
type StatusEntry = TypeOf<typeof statusEntry>;

export const messageFields = {
  ...rowFields(uuid),
  wamid,
  /** `api`: sent through POST /v1/messages. `otp`: the message with a code. `inbound`: written by a customer. */
  origin: oneOf(['api', 'otp', 'inbound']),
  /** The customer's number, in either direction. */
  customer: phone,
  type: wordOf(messageTypes),
  content: record(contentFields),
  status,
  error: orNull(record({ ...errorFields, code: errorCode })),
  createdAtMs: instant,
  history: listOf(statusEntry),
  batchId: optional(uuid),
  otpId: optional(uuid),
  traceparent: optional(traceparent),
  explain,
};
export type Message = Of<typeof messageFields>;

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
