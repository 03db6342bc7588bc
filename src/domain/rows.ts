/**
 * The records of an account, each described once: by these schemas a snapshot is validated, and their types are those of
 * the records. Import only the types, so that a start does not load zod.
 */
import { z } from 'zod';
import { button, customer, message, messageError, otp, template } from './message-rows.js';
import {
  bool,
  count,
  duration,
  errorCode,
  eventType,
  explain,
  headers,
  httpStatus,
  instant,
  like,
  list,
  method,
  number,
  numbered,
  object,
  oneLine,
  oneOf,
  parsed,
  phone,
  positive,
  record,
  row,
  text,
  type Stored,
} from './schema-parts.js';
import { attempt, delivery, endpoint, event, sink, sinkRequest } from './webhook-rows.js';
import { jobKinds } from './words.js';

export type {
  Button,
  Customer,
  Message,
  MessageContent,
  MessageError,
  Otp,
  Template,
  TemplateCopy,
} from './message-rows.js';
export type { Explain, Row } from './schema-parts.js';
export type {
  Attempt,
  Delivery,
  DeliveryFault,
  Endpoint,
  Event,
  Sink,
  SinkAnswer,
  SinkRequest,
} from './webhook-rows.js';

const templateMove = record({ status: oneOf(['approved', 'paused', 'deleted']) });

/** The data of each kind of job. A job that cannot run would fail long after the snapshot was accepted. */
const jobData = {
  'message.status': record({
    status: oneOf(['sent', 'delivered', 'read', 'failed']),
    error: messageError.optional(),
    /** The event fires although the stored status cannot change. */
    outOfOrder: bool.optional(),
  }),
  'template.review': record({
    decision: oneOf(['approved', 'rejected']),
    reason: text.nullable(),
    eventLagMs: duration,
    later: list(templateMove.extend({ afterMs: duration })),
  }),
  'template.move': templateMove,
  'customer.writes': record({
    from: phone,
    type: oneOf(['text', 'image', 'document', 'interactive']).optional(),
    text: text.optional(),
    media_url: text.optional(),
    interactive: button.optional(),
    profile_name: text.optional(),
    explain,
  }),
  'scenario.step': object,
  'scenario.judge': record({ index: count }),
  'event.append': record({ type: eventType, data: object }),
  'delivery.attempt': z.literal('redelivery', '"redelivery", or absent').optional(),
  'endpoint.pause': z.undefined('absent'),
} satisfies Record<(typeof jobKinds)[number], z.ZodType>;
export type JobData = { readonly [Kind in keyof typeof jobData]: Stored<z.infer<(typeof jobData)[Kind]>> };

const job = row(numbered('job'), {
  kind: oneOf(jobKinds),
  /** Id of the message, template, customer, delivery or endpoint it is about. */
  subject: oneLine,
  dueMs: instant,
  /** See `JobData`. */
  data: z.unknown().optional(),
  /**
   * Its position among jobs due at the same instant, if it is not the order of scheduling. A repeated job keeps its
   * position, so that the order of retries does not depend on the order of responses.
   */
  place: count.optional(),
});
export type Job = Stored<z.infer<typeof job>>;

const checkedJob = job.superRefine(({ kind, data }, context) => {
  for (const { path, ...issue } of jobData[kind].safeParse(data).error?.issues ?? []) {
    context.addIssue({ ...issue, path: ['data', ...path] });
  }
});

const sent = { headers, text: text.optional(), truncated: bool.optional() };

/** One entry of the journal: an API call with its response. Keys are redacted before an entry is created. */
const request = row(numbered('req'), {
  atMs: instant,
  operation: text.nullable(),
  method,
  /** The target as received: a client of a proxy sends the whole URL. */
  path: oneLine,
  /** Null if a fault suppressed the response. */
  status: httpStatus.nullable(),
  durationMs: duration,
  /** `truncated`: the text is only the beginning of a body that is too large for an entry. */
  request: record({ ...sent, query: text.optional() }),
  response: record(sent),
  warnings: list(text),
  /** The error code of the response. */
  error: errorCode.optional(),
  /** The fault that was injected. */
  fault: text.optional(),
  explain: explain.optional(),
});
export type RequestRecord = Stored<z.infer<typeof request>>;

/** The active scenario. It is plain JSON as returned by the parser. */
const scenario = row(z.literal('active', 'active'), {
  name: oneLine,
  scenario: parsed,
  /** The text of the scenario, for display. */
  text: text.nullable(),
  activatedAtMs: instant,
  /** Skipped steps of its timeline, oldest first, with a sentence for each. */
  passedOver: list(text).optional(),
  /** Steps in which the application did not do what they ask of it, as failed checks. */
  unmet: list(parsed).optional(),
  /** The positions of timeline steps that waited for a call which has arrived. */
  begun: list(number).optional(),
});
export type ActiveScenario = Stored<z.infer<typeof scenario>>;

/** A rule added at run time; `id` is the rule's. */
const rule = row(oneLine, { rule: parsed, addedAtMs: instant.optional() });
export type RunTimeRule = Stored<z.infer<typeof rule>>;

/** A count (of a rule's matches, hits or draws) or the state of a rate limit. `id` is its key. */
const counter = row(oneLine, { value: number });
export type Counter = Stored<z.infer<typeof counter>>;

/** The last application of a rule: when, and to which customer. `id` is the rule's. */
const ruleHit = row(oneLine, { hits: positive, atMs: instant, subject: text });
export type RuleHit = Stored<z.infer<typeof ruleHit>>;

/** An expectation that was evaluated at its instant. `id` is its path in the scenario. */
const judgement = row(like(/^expect\[\d+\]$/, 'an id such as expect[0]'), {
  judgement: record({ passed: bool, at: text, that: text, expected: text, found: text }),
});
export type JudgedExpectation = Stored<z.infer<typeof judgement>>;

const counts = z.record(z.string(), count, 'an object');

/** The counters and the clock of an account; see `Meta` and `ClockState`. */
export const metaSchema = record({
  createdAtMs: instant,
  seq: count.max(2 ** 52, 'a whole number of at least 0'),
  begunSeq: count.optional(),
  draws: counts,
  clock: record({
    mode: oneOf(['real', 'frozen', 'scaled', 'auto']),
    scale: z.number('a number above 0').gt(0, 'a number above 0').max(1_000_000, 'above 0, at most 1000000'),
    baseMs: instant,
    anchorMs: instant,
    quietMs: count.min(1, 'a whole number from 1 to 60000').max(60_000, 'a whole number from 1 to 60000').optional(),
  }),
  trimmed: counts.optional(),
  streams: text.optional(),
  nowMs: instant.optional(),
});

/** The records of each table. */
export const rowSchemas = {
  messages: message,
  templates: template,
  otps: otp,
  customers: customer,
  endpoints: endpoint,
  events: event,
  deliveries: delivery,
  attempts: attempt,
  jobs: checkedJob,
  requests: request,
  scenarios: scenario,
  rules: rule,
  counters: counter,
  ruleHits: ruleHit,
  judgements: judgement,
  sinks: sink,
  sinkRequests: sinkRequest,
} as const;
