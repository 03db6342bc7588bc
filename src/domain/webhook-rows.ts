/** The records of webhooks: endpoints, events, deliveries with their attempts, and the sinks that receive them. */
import { z } from 'zod';
import {
  actor,
  bool,
  count,
  duration,
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
  positive,
  record,
  row,
  text,
  url,
  uuid,
  word,
  type Stored,
} from './schema-parts.js';
import { deliveryStates, webhookFaults } from './words.js';

export const endpoint = row(uuid, {
  url: text.refine((value) => URL.canParse(value) && new URL(value).protocol === 'https:', 'an absolute https:// URL'),
  /** Its name in a scenario. */
  alias: oneLine.optional(),
  events: list(eventType),
  secret: like(/^whsec_[!-~]+$/, 'a secret that starts with "whsec_"'),
  status: oneOf(['active', 'paused']),
  pauseReason: text.nullable(),
  createdAtMs: instant,
  updatedAtMs: instant,
  /** Start of the first failed attempt of the current failure streak; null while there is none. */
  failingSinceMs: instant.nullable(),
  /** Number of changes from active to paused. */
  pauses: count.optional(),
});
export type Endpoint = Stored<z.infer<typeof endpoint>>;

export const event = row(like(/^evt_[A-Za-z0-9_-]+$/, 'an id such as evt_4kJ2'), {
  type: eventType,
  createdAtMs: instant,
  data: object,
  /** The message, OTP or template that it is about. */
  subject: oneLine,
  /** The source of the event, if it was not caused by a call or job. */
  by: actor.optional(),
});
export type Event = Stored<z.infer<typeof event>>;

/** The faults of an attempt. */
const deliveryFault = record({
  signature: oneOf(['valid', 'wrong_secret', 'missing', 'malformed']),
  body: oneOf(['exact', 'truncate', 'reformatted', 'unknown_type', 'huge', 'forged']),
  /** The receiver is not contacted: the connection fails in this way, or the response has this status. */
  simulate: z.union([number, oneOf(['refused', 'timeout', 'reset'])], 'one of refused, timeout, reset').nullable(),
  /** The receiver gets the request although its outcome is simulated. */
  contacted: z.literal(true, 'true').optional(),
  /** A request in addition to the real delivery: it has one attempt, whatever its outcome. */
  once: z.literal(true, 'true').optional(),
  /** The rule or call that requested it, for the explanation. */
  by: explain,
});
export type DeliveryFault = Stored<z.infer<typeof deliveryFault>>;

export const delivery = row(uuid, {
  eventId: text,
  eventType,
  endpointId: text,
  url,
  state: oneOf(deliveryStates),
  createdAtMs: instant,
  attemptCount: count,
  /** Attempts made before a redelivery last restarted the retry schedule. */
  attemptsBefore: count,
  nextAttemptAtMs: instant.nullable(),
  /**
   * Start of the first attempt of the current retry schedule, if that has failed; null if the endpoint was resumed
   * since.
   */
  failingSinceMs: instant.nullable().optional(),
  /** The faults requested by a rule or a caller for the first attempt, or for a requested attempt. */
  fault: deliveryFault.nullable().optional(),
  /** The plan of a retry that a rule has postponed, decided when it was postponed. */
  decided: record({ number: count, fault: deliveryFault.nullable(), explain: explain.nullable() })
    .nullable()
    .optional(),
  /** Waits until its message has been reported with this status; `redelivery`: it was requested again. */
  holdUntil: record({
    messageId: text,
    status: word(['sent', 'delivered', 'read', 'failed']),
    redelivery: bool.optional(),
  })
    .nullable()
    .optional(),
  /** The faults of the delivery as a whole; absent if there are none. */
  faults: list(oneOf(webhookFaults)).optional(),
  /** Why it was dropped or changed. */
  explain: explain.optional(),
});
export type Delivery = Stored<z.infer<typeof delivery>>;

const exchange = { headers, body: text, truncated: bool.optional() };

export const attempt = row(numbered('att'), {
  deliveryId: text,
  number: positive,
  atMs: instant,
  status: httpStatus.nullable(),
  durationMs: duration,
  trigger: oneOf(['schedule', 'redelivery']),
  /** Its number in the retry schedule; differs from `number` if a redelivery has restarted the schedule. */
  step: positive.optional(),
  error: record({ code: text, message: text }).optional(),
  hint: text.optional(),
  /** The rule or call that caused the fault. */
  explain: explain.optional(),
  /** The faults of the attempt; absent if there are none. */
  faults: list(oneOf(webhookFaults)).optional(),
  /** The URL to which the request was actually sent: after routes, and the choice of plain HTTP. */
  sentTo: url,
  plain: bool,
  request: record({ url, ...exchange }),
  response: record(exchange).optional(),
});
export type Attempt = Stored<z.infer<typeof attempt>>;

/** Maximum delay of a response by a sink, in real milliseconds. A socket waits for this long. */
const longestDelayMs = 60_000;

const sinkAnswer = record({
  /** Node cannot send any other status. */
  status: httpStatus.min(200, 'an HTTP status from 200 to 599'),
  /** Real time by which the response is delayed. */
  delayMs: duration.max(longestDelayMs, `milliseconds from 0 to ${longestDelayMs}`),
  /** Number of requests that get this response; null for all further ones. */
  times: count.nullable(),
});
export type SinkAnswer = Stored<z.infer<typeof sinkAnswer>>;

/** `id` is the sink's name; `served` is the number of requests that have got one of the current responses. */
export const sink = row(oneLine, { answers: list(sinkAnswer), served: count });
export type Sink = Stored<z.infer<typeof sink>>;

export const sinkRequest = row(numbered('sink'), {
  sink: text,
  atMs: instant,
  method,
  path: like(/^\//, 'a path that starts with /'),
  headers,
  body: text,
  /** Whether the body was longer than what is kept. */
  truncated: bool.optional(),
  /** Null if the secret is unknown: no endpoint of the account has this URL. */
  signatureValid: bool.nullable(),
  answered: httpStatus,
});
export type SinkRequest = Stored<z.infer<typeof sinkRequest>>;
