/** The records of messages: templates, one-time codes and customers included. */
import { z } from 'zod';
import { placeholderProblem } from './placeholders.js';
import {
  actor,
  count,
  errorCode,
  explain,
  instant,
  language,
  like,
  list,
  number,
  object,
  oneOf,
  phone,
  positive,
  record,
  row,
  templateName,
  text,
  traceparent,
  uuid,
  wamid,
  word,
  type Stored,
} from './schema-parts.js';
import { messageStatuses, messageTypes, templateCategories, templateStatuses } from './words.js';

/**
 * Why the channel failed to deliver a message: stable name, sentence, and the channel's own number (null if the message
 * never reached the channel).
 */
export const messageError = record({ code: text, message: text, channel_code: number.nullable() });
export type MessageError = Stored<z.infer<typeof messageError>>;

export const button = z.object({ id: text, title: text }, 'an object with id and title');
export type Button = Stored<z.infer<typeof button>>;

const messageStatus = oneOf([...messageStatuses, 'received']);

/** The content of a message as a customer sees it. Exactly one field is set, depending on the type. */
const content = record({
  text: text.optional(),
  media_url: text.optional(),
  /** Buttons, or the button that a customer tapped. */
  interactive: z
    .union(
      [record({ body: text, buttons: list(button) }), button],
      'an object with body and buttons, or with id and title',
    )
    .optional(),
  /** The template when the message was sent: later edits and reviews do not affect it. */
  template: record({
    id: uuid,
    name: templateName,
    language,
    category: oneOf(templateCategories),
    body: text,
    buttons: list(object).optional(),
    variables: list(text),
  }).optional(),
});
export type MessageContent = Stored<z.infer<typeof content>>;
export type TemplateCopy = NonNullable<MessageContent['template']>;

export const message = row(uuid, {
  wamid,
  /** `api`: sent through POST /v1/messages. `otp`: the message with a code. `inbound`: written by a customer. */
  origin: oneOf(['api', 'otp', 'inbound']),
  /** The customer's number, in either direction. */
  customer: phone,
  type: word(messageTypes),
  content,
  status: messageStatus,
  error: messageError.extend({ code: errorCode }).nullable(),
  createdAtMs: instant,
  history: list(
    record({
      status: messageStatus,
      atMs: instant,
      error: messageError.optional(),
      /** The source of the report, if it was not planned. */
      by: actor.optional(),
    }),
  ),
  batchId: uuid.optional(),
  otpId: uuid.optional(),
  traceparent: traceparent.optional(),
  explain,
});
export type Message = Stored<z.infer<typeof message>>;

const templateStatus = oneOf(templateStatuses);

export const template = row(uuid, {
  name: templateName,
  category: oneOf(templateCategories),
  language,
  /** Null for an authentication template without a body of its own. */
  body: text
    .refine(
      (body) => placeholderProblem(body) === null,
      'a text with placeholders {{1}}, {{2}} and so on, without gaps',
    )
    .nullable(),
  buttons: list(object).optional(),
  status: templateStatus,
  /** Every state in order, with the source of the change if it was not planned. */
  history: list(record({ status: templateStatus, atMs: instant, by: actor.optional() })).optional(),
  rejectionReason: text.nullable(),
  createdAtMs: instant,
  /**
   * The sequence number of the latest approval: the default OTP template is the one approved last, not the one created
   * last.
   */
  approvedSeq: positive.nullable(),
  traceparent: traceparent.optional(),
  explain,
});
export type Template = Stored<z.infer<typeof template>>;

export const otp = row(uuid, {
  to: phone,
  code: like(/^\d{4,8}$/, 'four to eight digits'),
  state: oneOf(['active', 'verified', 'locked']),
  maxAttempts: positive,
  attemptsLeft: count,
  createdAtMs: instant,
  expiresAtMs: instant,
  verifiedAtMs: instant.nullable(),
  templateId: text,
  messageId: text,
  traceparent: traceparent.optional(),
  explain,
});
export type Otp = Stored<z.infer<typeof otp>>;

export const customer = row(phone, {
  profileName: text.nullable(),
  lastInboundAtMs: instant.nullable(),
  /** The instant from which the window is closed; null if it was never open. */
  windowClosesAtMs: instant.nullable(),
});
export type Customer = Stored<z.infer<typeof customer>>;
