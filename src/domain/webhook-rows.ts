import { z } from 'zod';
import { longestSinkDelayMs } from './limits.js';
import * as s from './schema-parts.js';
import { deliveryStates, webhookFaults } from './words.js';

export const endpoint = s.row(s.uuid, {
  url: s.text.refine(
    (value) => URL.canParse(value) && new URL(value).protocol === 'https:',
    'an absolute https:// URL',
  ),
  alias: s.oneLine.optional(),
  events: s.list(s.eventType),
  secret: s.like(/^whsec_[!-~]+$/, 'a secret that starts with "whsec_"'),
  status: s.oneOf(['active', 'paused']),
  pauseReason: s.text.nullable(),
  createdAtMs: s.instant,
  updatedAtMs: s.instant,
  /** Start of the first failed attempt of the current failure streak; null while there is none. */
  failingSinceMs: s.instant.nullable(),
  pauses: s.count.optional(),
});
export type Endpoint = s.Stored<z.infer<typeof endpoint>>;

export const event = s.row(s.like(/^evt_[A-Za-z0-9_-]+$/, 'an id such as evt_4kJ2'), {
  type: s.eventType,
  createdAtMs: s.instant,
  data: s.object,
  /** The text of every attempt, if the dialect of its time did not write it in our form. */
  body: s.text.optional(),
  subject: s.oneLine,
  by: s.actor.optional(),
});
export type Event = s.Stored<z.infer<typeof event>>;

const deliveryFault = s.record({
  signature: s.oneOf(['valid', 'wrong_secret', 'missing', 'malformed']),
  body: s.oneOf(['exact', 'truncate', 'reformatted', 'unknown_type', 'huge', 'forged']),
  /** The receiver is not contacted: the connection fails in this way, or the response has this status. */
  simulate: z.union([s.number, s.oneOf(['refused', 'timeout', 'reset'])], 'one of refused, timeout, reset').nullable(),
  /** The receiver gets the request although its outcome is simulated. */
  contacted: z.literal(true, 'true').optional(),
  /** A request in addition to the real delivery: it has one attempt, whatever its outcome. */
  once: z.literal(true, 'true').optional(),
  by: s.explain,
});
export type DeliveryFault = s.Stored<z.infer<typeof deliveryFault>>;

export const delivery = s.row(s.uuid, {
  eventId: s.text,
  eventType: s.eventType,
  endpointId: s.text,
  url: s.url,
  state: s.oneOf(deliveryStates),
  createdAtMs: s.instant,
  attemptCount: s.count,
  /** Attempts made before a redelivery last restarted the retry schedule. */
  attemptsBefore: s.count,
  nextAttemptAtMs: s.instant.nullable(),
  /**
   * Start of the first attempt of the current retry schedule, if that has failed; null if the endpoint was resumed
   * since.
   */
  failingSinceMs: s.instant.nullable().optional(),
  fault: deliveryFault.nullable().optional(),
  /** The plan of a retry that a rule has postponed, decided when it was postponed. */
  decided: s
    .record({ number: s.count, fault: deliveryFault.nullable(), explain: s.explain.nullable() })
    .nullable()
    .optional(),
  /** Waits until its message has been reported with this status; `redelivery`: it was requested again. */
  holdUntil: s
    .record({
      messageId: s.text,
      status: s.word(['sent', 'delivered', 'read', 'failed']),
      redelivery: s.bool.optional(),
    })
    .nullable()
    .optional(),
  faults: s.list(s.oneOf(webhookFaults)).optional(),
  explain: s.explain.optional(),
});
export type Delivery = s.Stored<z.infer<typeof delivery>>;

const exchange = { headers: s.headers, body: s.text, truncated: s.bool.optional() };

export const attempt = s.row(s.numbered('att'), {
  deliveryId: s.text,
  number: s.positive,
  atMs: s.instant,
  status: s.httpStatus.nullable(),
  durationMs: s.duration,
  trigger: s.oneOf(['schedule', 'redelivery']),
  /** Its number in the retry schedule; differs from `number` if a redelivery has restarted the schedule. */
  step: s.positive.optional(),
  error: s.record({ code: s.text, message: s.text }).optional(),
  hint: s.text.optional(),
  explain: s.explain.optional(),
  faults: s.list(s.oneOf(webhookFaults)).optional(),
  /** The URL to which the request was actually sent: after routes, and the choice of plain HTTP. */
  sentTo: s.url,
  plain: s.bool,
  request: s.record({ url: s.url, ...exchange }),
  response: s.record(exchange).optional(),
});
export type Attempt = s.Stored<z.infer<typeof attempt>>;

const sinkAnswer = s.record({
  /** Node cannot send any other status. */
  status: s.httpStatus.min(200, 'an HTTP status from 200 to 599'),
  /** Real time by which the response is delayed. */
  delayMs: s.duration.max(longestSinkDelayMs, `milliseconds from 0 to ${longestSinkDelayMs}`),
  times: s.count.nullable(),
});
export type SinkAnswer = s.Stored<z.infer<typeof sinkAnswer>>;

/** `id` is the sink's name; `served` is the number of requests that have got one of the current responses. */
export const sink = s.row(s.oneLine, { answers: s.list(sinkAnswer), served: s.count });
export type Sink = s.Stored<z.infer<typeof sink>>;

export const sinkRequest = s.row(s.numbered('sink'), {
  sink: s.text,
  atMs: s.instant,
  method: s.method,
  path: s.like(/^\//, 'a path that starts with /'),
  headers: s.headers,
  body: s.text,
  truncated: s.bool.optional(),
  /** Null if the secret is unknown: no endpoint of the account has this URL. */
  signatureValid: s.bool.nullable(),
  answered: s.httpStatus,
});
export type SinkRequest = s.Stored<z.infer<typeof sinkRequest>>;
