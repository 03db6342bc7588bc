import { z } from 'zod';
import { messageStatuses, messageTypes, placeholderProblem, templateCategories, templateStatuses } from './words.js';
import * as s from './schema-parts.js';

export const messageError = s.record({ code: s.text, message: s.text, channel_code: s.number.nullable() });
export type MessageError = s.Stored<z.infer<typeof messageError>>;

export const button = z.object({ id: s.text, title: s.text }, 'an object with id and title');

const messageStatus = s.oneOf([...messageStatuses, 'received']);

/** Exactly one field is set, depending on the type. */
const content = s.record({
  text: s.text.optional(),
  media_url: s.text.optional(),
  interactive: z
    .union(
      [s.record({ body: s.text, buttons: s.list(button) }), button],
      'an object with body and buttons, or with id and title',
    )
    .optional(),
  /** The template when the message was sent: later edits and reviews do not affect it. */
  template: s
    .record({
      id: s.uuid,
      name: s.templateName,
      language: s.language,
      category: s.oneOf(templateCategories),
      body: s.text,
      buttons: s.list(s.object).optional(),
      variables: s.list(s.text),
    })
    .optional(),
});
export type MessageContent = s.Stored<z.infer<typeof content>>;
export type TemplateCopy = NonNullable<MessageContent['template']>;

export const message = s.row(s.uuid, {
  wamid: s.wamid,
  /** `api`: sent through POST /v1/messages. `otp`: the message with a code. `inbound`: written by a customer. */
  origin: s.oneOf(['api', 'otp', 'inbound']),
  customer: s.phone,
  type: s.word(messageTypes),
  content,
  status: messageStatus,
  error: messageError.extend({ code: s.errorCode }).nullable(),
  createdAtMs: s.instant,
  history: s.list(
    s.record({
      status: messageStatus,
      atMs: s.instant,
      error: messageError.optional(),
      by: s.actor.optional(),
    }),
  ),
  batchId: s.uuid.optional(),
  otpId: s.uuid.optional(),
  traceparent: s.traceparent.optional(),
  explain: s.explain,
});
export type Message = s.Stored<z.infer<typeof message>>;

const templateStatus = s.oneOf(templateStatuses);

export const template = s.row(s.uuid, {
  name: s.templateName,
  category: s.oneOf(templateCategories),
  language: s.language,
  /** Null for an authentication template without a body. */
  body: s.text
    .refine(
      (body) => placeholderProblem(body) === null,
      'a text with placeholders {{1}}, {{2}} and so on, without gaps',
    )
    .nullable(),
  buttons: s.list(s.object).optional(),
  status: templateStatus,
  history: s.list(s.record({ status: templateStatus, atMs: s.instant, by: s.actor.optional() })).optional(),
  rejectionReason: s.text.nullable(),
  createdAtMs: s.instant,
  /**
   * The sequence number of the latest approval: the default OTP template is the one approved last, not the one created
   * last.
   */
  approvedSeq: s.positive.nullable(),
  traceparent: s.traceparent.optional(),
  explain: s.explain,
});
export type Template = s.Stored<z.infer<typeof template>>;

export const otp = s.row(s.uuid, {
  to: s.phone,
  code: s.like(/^\d{4,8}$/, 'four to eight digits'),
  state: s.oneOf(['active', 'verified', 'locked']),
  maxAttempts: s.positive,
  attemptsLeft: s.count,
  createdAtMs: s.instant,
  expiresAtMs: s.instant,
  verifiedAtMs: s.instant.nullable(),
  templateId: s.text,
  messageId: s.text,
  traceparent: s.traceparent.optional(),
  explain: s.explain,
});
export type Otp = s.Stored<z.infer<typeof otp>>;

export const customer = s.row(s.phone, {
  profileName: s.text.nullable(),
  lastInboundAtMs: s.instant.nullable(),
  windowClosesAtMs: s.instant.nullable(),
});
export type Customer = s.Stored<z.infer<typeof customer>>;
