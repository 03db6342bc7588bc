/** A message as it must look when it comes from outside. */
import type { Message, MessageContent, MessageError, StatusEntry, TemplateCopy } from '../../../domain/message.js';
import {
  anyObject,
  anything,
  type Check,
  type Fields,
  instant,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  record,
  text,
} from '../check.js';
import { explain, hand, rowFields } from './parts.js';

const messageError = record<MessageError>({ code: text, message: text, channel_code: orNull(number) });
const messageStatus = oneOf<Message['status']>({
  accepted: true,
  sent: true,
  delivered: true,
  read: true,
  failed: true,
  received: true,
});

const templateCopy = record<TemplateCopy>({
  id: text,
  name: text,
  language: text,
  category: text,
  body: text,
  buttons: optional(listOf(anything)),
  variables: listOf(text),
});

const content = record<MessageContent>({
  text: optional(text),
  media_url: optional(text),
  interactive: optional(anyObject as Check<NonNullable<MessageContent['interactive']>>),
  template: optional(templateCopy),
});

export const messageFields: Fields<Message> = {
  ...rowFields,
  wamid: text,
  origin: oneOf<Message['origin']>({ api: true, otp: true, inbound: true }),
  customer: text,
  type: text,
  content,
  status: messageStatus,
  error: orNull(messageError),
  createdAtMs: instant,
  history: listOf(
    record<StatusEntry>({ status: messageStatus, atMs: instant, error: optional(messageError), by: optional(hand) }),
  ),
  batchId: optional(text),
  otpId: optional(text),
  explain,
};
