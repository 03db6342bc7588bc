/**
 * Checks of records from files and uploads: counters and clock, messages, customers, templates, codes. Each check has
 * the type of its record, so a missing field does not compile.
 */
import type { Explain, Hand } from '../../domain/explain.js';
import type { Row } from '../../domain/row.js';
import type { Customer } from '../../domain/customer.js';
import type { EventType } from '../../domain/event.js';
import type { Template, TemplateCategory, TemplateEntry, TemplateStatus } from '../../domain/template.js';
import type { Message, MessageContent, MessageError, StatusEntry, TemplateCopy } from '../../domain/message.js';
import type { ClockMode, ClockState } from '../../time/account-clock.js';
import type { Otp, OtpState } from '../../domain/otp.js';
import type { Meta } from '../tables/account-data.js';
import {
  anyObject,
  anything,
  type Check,
  count,
  type Fields,
  instant,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  orNull,
  partOf,
  record,
  safeMapOf,
  text,
} from './check.js';

export const rowFields: Fields<Row> = { id: text, seq: count };

export const explain = record<Explain>({
  by: oneOf<Explain['by']>({ header: true, rule: true, magic: true, default: true }),
  id: optional(text),
  file: optional(text),
  line: optional(number),
  text,
});

export const hand = oneOf<Hand>({ command: true, timeline: true });

export const eventType = oneOf<EventType>({
  'message.received': true,
  'message.status': true,
  'otp.verified': true,
  'template.status': true,
});

export const headers = mapOf(text);

const clock = record<ClockState>({
  mode: oneOf<ClockMode>({ real: true, frozen: true, scaled: true, auto: true }),
  scale: (value, path, problems) => {
    if (typeof value !== 'number' || !(value > 0) || value === Infinity)
      problems.add(path(), value, 'a number above 0');
  },
  baseMs: instant,
  anchorMs: instant,
  quietMs: optional(count),
});

const meta: Fields<Meta> = {
  createdAtMs: instant,
  seq: count,
  begunSeq: optional(count),
  draws: safeMapOf(count),
  clock,
  trimmed: optional(safeMapOf(count)),
  streams: optional(text),
  nowMs: optional(instant),
};

export const metaCheck: Check<Meta> = record(meta);
export const metaPatchCheck: Check<Partial<Meta>> = partOf(meta);

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
  traceparent: optional(text),
  explain,
};

export const customerFields: Fields<Customer> = {
  ...rowFields,
  profileName: orNull(text),
  lastInboundAtMs: orNull(instant),
  windowClosesAtMs: orNull(instant),
};

const status = oneOf<TemplateStatus>({ pending: true, approved: true, rejected: true, paused: true, deleted: true });

export const templateFields: Fields<Template> = {
  ...rowFields,
  name: text,
  category: oneOf<TemplateCategory>({ marketing: true, utility: true, authentication: true }),
  language: text,
  body: orNull(text),
  buttons: optional(listOf(anything)),
  status,
  history: optional(listOf(record<TemplateEntry>({ status, atMs: instant, by: optional(hand) }))),
  rejectionReason: orNull(text),
  createdAtMs: instant,
  approvedSeq: orNull(count),
  traceparent: optional(text),
  explain,
};

export const otpFields: Fields<Otp> = {
  ...rowFields,
  to: text,
  code: text,
  state: oneOf<OtpState>({ active: true, verified: true, locked: true }),
  maxAttempts: count,
  attemptsLeft: count,
  createdAtMs: instant,
  expiresAtMs: instant,
  verifiedAtMs: orNull(instant),
  templateId: text,
  messageId: text,
  traceparent: optional(text),
  explain,
};
