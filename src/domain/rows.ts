/**
 * Each record is described once: these schemas validate snapshots, and have the types of the records. Import only the
 * types, so that a start does not load zod.
 */
import { z } from 'zod';
import { button, customer, message, messageError, otp, template } from './message-rows.js';
import * as s from './schema-parts.js';
import { attempt, delivery, endpoint, event, sink, sinkRequest } from './webhook-rows.js';
import { jobKinds } from './words.js';

export type * from './message-rows.js';
export type { Explain, Row } from './schema-parts.js';
export type * from './webhook-rows.js';

/** A job that cannot run would fail long after the snapshot was accepted. */
const jobData = {
  'message.status': s.record({
    status: s.oneOf(['sent', 'delivered', 'read', 'failed']),
    error: messageError.optional(),
    /** The event fires although the stored status cannot change. */
    outOfOrder: s.bool.optional(),
  }),
  'template.review': s.record({
    decision: s.oneOf(['approved', 'rejected']),
    reason: s.text.nullable(),
  }),
  'customer.writes': s.record({
    from: s.phone,
    type: s.oneOf(['text', 'image', 'document', 'interactive']).optional(),
    text: s.text.optional(),
    media_url: s.text.optional(),
    interactive: button.optional(),
    profile_name: s.text.optional(),
    explain: s.explain,
  }),
  'scenario.step': s.object,
  'scenario.judge': s.record({ index: s.count }),
  'delivery.attempt': z.literal('redelivery', '"redelivery", or absent').optional(),
  'endpoint.pause': z.undefined('absent'),
} satisfies Record<(typeof jobKinds)[number], z.ZodType>;
export type JobData = { readonly [Kind in keyof typeof jobData]: s.Stored<z.infer<(typeof jobData)[Kind]>> };

const job = s.row(s.numbered('job'), {
  kind: s.oneOf(jobKinds),
  subject: s.oneLine,
  dueMs: s.instant,
  data: z.unknown().optional(),
  /**
   * Position among jobs that are due at the same instant. A repeated job keeps its position, so that the order of
   * retries does not depend on the order of responses.
   */
  place: s.count.optional(),
});
export type Job = s.Stored<z.infer<typeof job>>;

const checkedJob = job.superRefine(({ kind, data }, context) => {
  for (const { path, ...issue } of jobData[kind].safeParse(data).error?.issues ?? []) {
    context.addIssue({ ...issue, path: ['data', ...path] });
  }
});

const sent = { headers: s.headers, text: s.text.optional(), truncated: s.bool.optional() };

/** Keys are redacted before an entry is created. */
const request = s.row(s.numbered('req'), {
  atMs: s.instant,
  operation: s.text.nullable(),
  method: s.method,
  /** The target as received: a client of a proxy sends the whole URL. */
  path: s.oneLine,
  /** Null if a fault suppressed the response. */
  status: s.httpStatus.nullable(),
  durationMs: s.duration,
  /** Machine time of its arrival: a client that really waits does so in machine time. */
  realMs: s.instant.optional(),
  /** `truncated`: the text is only the beginning of a body that is too large for an entry. */
  request: s.record({ ...sent, query: s.text.optional() }),
  response: s.record(sent),
  warnings: s.list(s.text),
  error: s.errorCode.optional(),
  fault: s.text.optional(),
  explain: s.explain.optional(),
});
export type RequestRecord = s.Stored<z.infer<typeof request>>;

const scenario = s.row(z.literal('active', 'active'), {
  name: s.oneLine,
  scenario: s.parsed,
  text: s.text.nullable(),
  activatedAtMs: s.instant,
  passedOver: s.list(s.text).optional(),
  /** Steps in which the application did not do what they ask of it, as failed checks. */
  unmet: s.list(s.parsed).optional(),
  played: s.list(s.record({ id: s.text, atMs: s.instant, seq: s.positive })).optional(),
  hasPlayed: s.bool.optional(),
  begun: s.list(s.number).optional(),
});
export type ActiveScenario = s.Stored<z.infer<typeof scenario>>;

const rule = s.row(s.oneLine, { rule: s.parsed, addedAtMs: s.instant.optional() });
export type RunTimeRule = s.Stored<z.infer<typeof rule>>;

const counter = s.row(s.oneLine, { value: s.number });
export type Counter = s.Stored<z.infer<typeof counter>>;

const ruleHit = s.row(s.oneLine, { hits: s.positive, atMs: s.instant, subject: s.text });
export type RuleHit = s.Stored<z.infer<typeof ruleHit>>;

const judgement = s.row(s.like(/^expect\[\d+\]$/, 'an id such as expect[0]'), {
  judgement: s.record({ passed: s.bool, at: s.text, that: s.text, expected: s.text, found: s.text }),
});
export type JudgedExpectation = s.Stored<z.infer<typeof judgement>>;

const counts = z.record(z.string(), s.count, 'an object');

export const metaSchema = s.record({
  createdAtMs: s.instant,
  seq: s.count.max(2 ** 52, 'a whole number of at least 0'),
  begunSeq: s.count.optional(),
  draws: counts,
  clock: s.record({
    mode: s.oneOf(['real', 'frozen', 'scaled', 'auto']),
    scale: z.number('a number above 0').gt(0, 'a number above 0').max(1_000_000, 'above 0, at most 1000000'),
    baseMs: s.instant,
    anchorMs: s.instant,
    quietMs: s.count.min(1, 'a whole number from 1 to 60000').max(60_000, 'a whole number from 1 to 60000').optional(),
    learns: s.bool.optional(),
    jumpsOnly: s.bool.optional(),
  }),
  trimmed: counts.optional(),
  streams: s.text.optional(),
  nowMs: s.instant.optional(),
});

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
