/** Checks of records from files and uploads: endpoints, deliveries, jobs, journal, scenario, sinks. */
import type { RequestRecord } from '../../domain/request-record.js';
import { longestSinkDelayMs, type Sink, type SinkAnswer, type SinkRequest } from '../../domain/sink.js';
import type { Job, JobKind } from '../../domain/job.js';
import {
  type Attempt,
  type Delivery,
  type DeliveryFault,
  type DeliveryState,
  type WebhookFault,
  webhookFaults,
} from '../../domain/delivery.js';
import type { Event } from '../../domain/event.js';
import type { ActiveScenario, Counter, JudgedExpectation, RuleHit, RunTimeRule } from '../../domain/script-state.js';
import type { Endpoint } from '../../domain/endpoint.js';
import {
  anyObject,
  anything,
  bool,
  type Check,
  count,
  type Fields,
  instant,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  plainJson,
  record,
  text,
} from './check.js';
import { eventType, explain, hand, headers, rowFields } from './account-rows.js';

const httpsUrl: Check<string> = (value, path, problems) => {
  const known = typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:';
  if (!known) problems.add(path(), value, 'an absolute https:// URL');
};

export const endpointFields: Fields<Endpoint> = {
  ...rowFields,
  url: httpsUrl,
  alias: optional(text),
  events: listOf(eventType),
  secret: text,
  status: oneOf<Endpoint['status']>({ active: true, paused: true }),
  pauseReason: orNull(text),
  createdAtMs: instant,
  updatedAtMs: instant,
  failingSinceMs: orNull(instant),
  pauses: optional(count),
};

const simulated = oneOf<Extract<DeliveryFault['simulate'], string>>({ refused: true, timeout: true, reset: true });

const yes: Check<true> = (value, path, problems) => {
  if (value !== true) problems.add(path(), value, 'true');
};

const fault = record<DeliveryFault>({
  signature: oneOf<DeliveryFault['signature']>({ valid: true, wrong_secret: true, missing: true, malformed: true }),
  body: oneOf<DeliveryFault['body']>({
    exact: true,
    truncate: true,
    reformatted: true,
    unknown_type: true,
    huge: true,
    forged: true,
  }),
  simulate: (value, path, problems) => {
    if (value === null) return;
    if (typeof value === 'number') number(value, path, problems);
    else simulated(value, path, problems);
  },
  contacted: optional(yes),
  once: optional(yes),
  by: explain,
});

export const eventFields: Fields<Event> = {
  ...rowFields,
  type: eventType,
  createdAtMs: instant,
  body: text,
  subject: text,
  by: optional(hand),
};

const faults = listOf(
  oneOf<WebhookFault>(Object.fromEntries(webhookFaults.map((name) => [name, true])) as Record<WebhookFault, true>),
);

export const deliveryFields: Fields<Delivery> = {
  ...rowFields,
  eventId: text,
  eventType,
  endpointId: text,
  url: text,
  state: oneOf<DeliveryState>({
    pending: true,
    delivered: true,
    retrying: true,
    held: true,
    dropped: true,
    failed: true,
  }),
  createdAtMs: instant,
  attemptCount: count,
  attemptsBefore: count,
  nextAttemptAtMs: orNull(instant),
  failingSinceMs: optional(orNull(instant)),
  fault: optional(orNull(fault)),
  decided: optional(
    orNull(record<NonNullable<Delivery['decided']>>({ number: count, fault: orNull(fault), explain: orNull(explain) })),
  ),
  holdUntil: optional(
    orNull(record<NonNullable<Delivery['holdUntil']>>({ messageId: text, status: text, redelivery: optional(bool) })),
  ),
  faults: optional(faults),
  explain: optional(explain),
};

export const attemptFields: Fields<Attempt> = {
  ...rowFields,
  deliveryId: text,
  number: count,
  atMs: instant,
  status: orNull(number),
  durationMs: number,
  trigger: oneOf<Attempt['trigger']>({ schedule: true, redelivery: true }),
  step: optional(count),
  error: optional(record<NonNullable<Attempt['error']>>({ code: text, message: text })),
  hint: optional(text),
  explain: optional(explain),
  faults: optional(faults),
  sentTo: text,
  plain: bool,
  request: record<Attempt['request']>({ url: text, headers, body: text, truncated: optional(bool) }),
  response: optional(record<NonNullable<Attempt['response']>>({ headers, body: text, truncated: optional(bool) })),
};

export const jobFields: Fields<Job> = {
  ...rowFields,
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
  place: optional(count),
};

export const requestFields: Fields<RequestRecord> = {
  ...rowFields,
  atMs: instant,
  operation: orNull(text),
  method: text,
  path: text,
  status: orNull(number),
  durationMs: number,
  request: record<RequestRecord['request']>({
    headers,
    query: optional(text),
    text: optional(text),
    body: optional(anything),
  }),
  response: record<RequestRecord['response']>({
    headers,
    text: optional(text),
    body: optional(anything),
    truncated: optional(bool),
  }),
  bytes: optional(count),
  warnings: listOf(text),
  error: optional(text),
  fault: optional(text),
  explain: optional(explain),
};

export const scenarioFields: Fields<ActiveScenario> = {
  ...rowFields,
  name: text,
  scenario: anyObject,
  text: orNull(text),
  activatedAtMs: instant,
  passedOver: optional(listOf(text)),
  begun: optional(listOf(number)),
};

export const ruleFields: Fields<RunTimeRule> = { ...rowFields, rule: anyObject, addedAtMs: optional(instant) };

export const counterFields: Fields<Counter> = { ...rowFields, value: number };

export const ruleHitFields: Fields<RuleHit> = { ...rowFields, hits: count, atMs: instant, subject: text };

export const judgementFields: Fields<JudgedExpectation> = { ...rowFields, judgement: anyObject };

/** Node cannot send any other status. */
const httpStatus: Check<number> = (value, path, problems) => {
  const known = typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599;
  if (!known) problems.add(path(), value, 'an HTTP status from 200 to 599');
};

/** A socket waits for this long, so a file has the same limit as a call. */
const shortDelay: Check<number> = (value, path, problems) => {
  const short = typeof value === 'number' && value >= 0 && value <= longestSinkDelayMs;
  if (!short) problems.add(path(), value, `milliseconds from 0 to ${longestSinkDelayMs}`);
};

export const sinkFields: Fields<Sink> = {
  ...rowFields,
  answers: listOf(record<SinkAnswer>({ status: httpStatus, delayMs: shortDelay, times: orNull(count) })),
  served: count,
};

export const sinkRequestFields: Fields<SinkRequest> = {
  ...rowFields,
  sink: text,
  atMs: instant,
  method: text,
  path: text,
  headers,
  body: text,
  signatureValid: orNull(bool),
  answered: number,
};
