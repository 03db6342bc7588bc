/**
 * What each kind of record must look like when it comes from outside. Tied to the record types: a field added there and
 * not here does not compile.
 */
import type { Customer } from '../domain/customer.js';
import type { Attempt, Delivery, DeliveryFault, DeliveryState } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Event, EventType } from '../domain/event.js';
import type { Explain } from '../domain/explain.js';
import type { JobKind } from '../domain/job.js';
import type { Message, MessageContent, MessageError, StatusEntry, TemplateCopy } from '../domain/message.js';
import type { Otp, OtpState } from '../domain/otp.js';
import type { RequestRecord } from '../domain/request-record.js';
import type { Row } from '../domain/row.js';
import type { ActiveScenario, Counter, JudgedExpectation, RuleHit, RunTimeRule } from '../domain/script-state.js';
import type { Sink, SinkAnswer, SinkRequest } from '../domain/sink.js';
import type { Template, TemplateCategory, TemplateStatus } from '../domain/template.js';
import type { ClockMode, ClockState } from '../time/clock.js';
import type { Meta, TableName, Tables } from './account-data.js';
import {
  anyObject,
  anything,
  bool,
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
  plainJson,
  record,
  safeMapOf,
  text,
} from './check.js';
import type { Table } from './table.js';

const row: Fields<Row> = { id: text, seq: count };

const explain = record<Explain>({
  by: oneOf<Explain['by']>({ header: true, rule: true, magic: true, default: true }),
  id: optional(text),
  file: optional(text),
  line: optional(number),
  text,
});

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

const eventType = oneOf<EventType>({
  'message.received': true,
  'message.status': true,
  'otp.verified': true,
  'template.status': true,
});

const headers = mapOf(text);

const simulated = oneOf<Extract<DeliveryFault['simulate'], string>>({ refused: true, timeout: true, reset: true });

const fault = record<DeliveryFault>({
  signature: oneOf<DeliveryFault['signature']>({ valid: true, wrong_secret: true, missing: true, malformed: true }),
  body: oneOf<DeliveryFault['body']>({
    exact: true,
    truncate: true,
    reformatted: true,
    unknown_type: true,
    huge: true,
  }),
  simulate: (value, path, problems) => {
    if (value === null) return;
    if (typeof value === 'number') number(value, path, problems);
    else simulated(value, path, problems);
  },
  by: explain,
});

type RowOf<T> = T extends Table<infer R, infer _> ? R : never;

/** The fields of every table's rows. */
const fields: { readonly [N in TableName]: Fields<RowOf<Tables[N]>> } = {
  messages: {
    ...row,
    wamid: text,
    origin: oneOf<Message['origin']>({ api: true, otp: true, inbound: true }),
    customer: text,
    type: text,
    content,
    status: messageStatus,
    error: orNull(messageError),
    createdAtMs: instant,
    history: listOf(record<StatusEntry>({ status: messageStatus, atMs: instant, error: optional(messageError) })),
    batchId: optional(text),
    otpId: optional(text),
    explain,
  } satisfies Fields<Message>,
  templates: {
    ...row,
    name: text,
    category: oneOf<TemplateCategory>({ marketing: true, utility: true, authentication: true }),
    language: text,
    body: orNull(text),
    buttons: optional(listOf(anything)),
    status: oneOf<TemplateStatus>({ pending: true, approved: true, rejected: true, paused: true, deleted: true }),
    rejectionReason: orNull(text),
    createdAtMs: instant,
    approvedSeq: orNull(count),
    explain,
  } satisfies Fields<Template>,
  otps: {
    ...row,
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
    explain,
  } satisfies Fields<Otp>,
  customers: {
    ...row,
    profileName: orNull(text),
    lastInboundAtMs: orNull(instant),
    windowClosesAtMs: orNull(instant),
  } satisfies Fields<Customer>,
  endpoints: {
    ...row,
    url: text,
    alias: optional(text),
    events: listOf(eventType),
    secret: text,
    status: oneOf<Endpoint['status']>({ active: true, paused: true }),
    pauseReason: orNull(text),
    createdAtMs: instant,
    updatedAtMs: instant,
    failingSinceMs: orNull(instant),
  } satisfies Fields<Endpoint>,
  events: { ...row, type: eventType, createdAtMs: instant, body: text, subject: text } satisfies Fields<Event>,
  deliveries: {
    ...row,
    eventId: text,
    eventType,
    endpointId: text,
    url: text,
    state: oneOf<DeliveryState>({ pending: true, delivered: true, retrying: true, held: true, dropped: true }),
    createdAtMs: instant,
    attemptCount: count,
    attemptsBefore: count,
    nextAttemptAtMs: orNull(instant),
    fault: optional(fault),
    holdUntil: optional(orNull(record<NonNullable<Delivery['holdUntil']>>({ messageId: text, status: text }))),
    explain: optional(explain),
  } satisfies Fields<Delivery>,
  attempts: {
    ...row,
    deliveryId: text,
    number: count,
    atMs: instant,
    status: orNull(number),
    durationMs: number,
    trigger: oneOf<Attempt['trigger']>({ timetable: true, redelivery: true }),
    error: optional(record<NonNullable<Attempt['error']>>({ code: text, message: text })),
    hint: optional(text),
    explain: optional(explain),
    sentTo: text,
    plain: bool,
    request: record<Attempt['request']>({ url: text, headers, body: text }),
    response: optional(record<NonNullable<Attempt['response']>>({ headers, body: text, truncated: optional(bool) })),
  } satisfies Fields<Attempt>,
  jobs: {
    ...row,
    kind: oneOf<JobKind>({
      'message.status': true,
      'template.review': true,
      'template.move': true,
      'customer.writes': true,
      'scenario.step': true,
      'scenario.judge': true,
      'event.append': true,
      'delivery.attempt': true,
      'endpoint.pause': true,
    }),
    subject: text,
    dueMs: instant,
    data: optional(plainJson),
  },
  requests: {
    ...row,
    atMs: instant,
    operation: orNull(text),
    method: text,
    path: text,
    status: orNull(number),
    durationMs: number,
    request: record<RequestRecord['request']>({
      headers,
      query: optional(text),
      body: optional(anything),
    }),
    response: record<RequestRecord['response']>({ headers, body: optional(anything) }),
    warnings: listOf(text),
    error: optional(text),
    fault: optional(text),
    explain: optional(explain),
  } satisfies Fields<RequestRecord>,
  scenarios: {
    ...row,
    name: text,
    scenario: anyObject,
    text: orNull(text),
    activatedAtMs: instant,
  } satisfies Fields<ActiveScenario>,
  rules: { ...row, rule: anyObject, addedAtMs: optional(instant) } satisfies Fields<RunTimeRule>,
  counters: { ...row, value: number } satisfies Fields<Counter>,
  ruleHits: { ...row, hits: count, atMs: instant, subject: text } satisfies Fields<RuleHit>,
  judgements: { ...row, judgement: anyObject } satisfies Fields<JudgedExpectation>,
  sinks: {
    ...row,
    answers: listOf(record<SinkAnswer>({ status: number, delayMs: number, times: orNull(count) })),
    served: count,
  } satisfies Fields<Sink>,
  sinkRequests: {
    ...row,
    sink: text,
    atMs: instant,
    method: text,
    path: text,
    headers,
    body: text,
    signatureValid: orNull(bool),
    answered: number,
  } satisfies Fields<SinkRequest>,
};

const clock = record<ClockState>({
  mode: oneOf<ClockMode>({ real: true, frozen: true, scaled: true, auto: true }),
  scale: (value, path, problems) => {
    if (typeof value !== 'number' || !(value > 0) || value === Infinity)
      problems.add(path(), value, 'a number above 0');
  },
  baseMs: instant,
  anchorMs: instant,
});

const meta: Fields<Meta> = { createdAtMs: instant, seq: count, draws: safeMapOf(count), clock };

export const metaCheck: Check<Meta> = record(meta);
export const metaPatchCheck: Check<Partial<Meta>> = partOf(meta);

interface RowChecks {
  /** A whole row. */
  readonly row: Check<unknown>;
  /** Some of its fields. */
  readonly patch: Check<unknown>;
}

export const rowChecks: ReadonlyMap<string, RowChecks> = new Map(
  Object.entries(fields).map(([name, of]) => [
    name,
    { row: record(of as Fields<Row>), patch: partOf(of as Fields<Row>) },
  ]),
);
