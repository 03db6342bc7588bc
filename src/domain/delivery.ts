/** The delivery of one event to one endpoint, and its HTTP attempts. */
import {
  bool,
  type Check,
  count,
  listOf,
  mapOf,
  number,
  type Of,
  oneOf,
  optional,
  orNull,
  record,
  text,
  type TypeOf,
  valueCheck,
} from './check.js';
import { eventType } from './event.js';
import { type Explain, explain } from './explain.js';
import { duration, httpStatus, instant, numbered, place, url, uuid, wordOf } from './forms.js';
import { rowFields } from './row.js';

/**
 * `pending`: not attempted yet. `retrying`: failed, another attempt is scheduled. `held`: the endpoint is paused.
 * `dropped`: will not be attempted (endpoint removed, or requested as a fault). `delivered`: the receiver responded
 * with 2xx. `failed`: no more retries, while the endpoint stays active.
 */
export const deliveryStates = ['pending', 'delivered', 'retrying', 'held', 'dropped', 'failed'] as const;

/** The faults that a rule or a caller can apply to a delivery, then those for a single attempt. */
export const webhookFaults = [
  'delayed',
  'duplicated',
  'held_back',
  'dropped',
  'wrong_secret',
  'missing_signature',
  'malformed_signature',
  'truncated',
  'reformatted',
  'unknown_type',
  'huge',
  'forged',
  'simulated',
] as const;
const webhookFault = oneOf(webhookFaults);
export type WebhookFault = TypeOf<typeof webhookFault>;

type Simulated = 'refused' | 'timeout' | 'reset' | number | null;
const simulated = oneOf(['refused', 'timeout', 'reset']);
const simulate: Check<Simulated> = (value, path, problems) => {
  if (value !== null) (typeof value === 'number' ? number : simulated)(value, path, problems);
};
const yes = valueCheck<true>((value) => value === true, 'true');

const faultFields = {
  signature: oneOf(['valid', 'wrong_secret', 'missing', 'malformed']),
  body: oneOf(['exact', 'truncate', 'reformatted', 'unknown_type', 'huge', 'forged']),
  /** The receiver is not contacted: the connection fails in this way, or the response has this status. */
  simulate,
  /** The receiver gets the request although its outcome is simulated. */
  contacted: optional(yes),
  /** A request in addition to the real delivery: it has one attempt, whatever its outcome. */
  once: optional(yes),
  /** The rule or call that requested it, for the explanation. */
  by: explain,
};
/** The faults of an attempt. */
export type DeliveryFault = Of<typeof faultFields>;
const fault = orNull(record(faultFields));

export const deliveryFields = {
  ...rowFields(uuid),
  eventId: text,
  eventType,
  endpointId: text,
  url,
  state: oneOf(deliveryStates),
  createdAtMs: instant,
  attemptCount: count,
  /** Attempts made before a redelivery last restarted the retry schedule. */
  attemptsBefore: count,
  nextAttemptAtMs: orNull(instant),
  /**
   * Start of the first attempt of the current retry schedule, if that has failed; null if the endpoint was resumed
   * since.
   */
  failingSinceMs: optional(orNull(instant)),
  /** The faults requested by a rule or a caller for the first attempt, or for a requested attempt. */
  fault: optional(fault),
  /** The plan of a retry that a rule has postponed, decided when it was postponed. */
  decided: optional(orNull(record({ number: count, fault, explain: orNull(explain) }))),
  /** Waits until its message has been reported with this status; `redelivery`: it was requested again. */
  holdUntil: optional(
    orNull(
      record({
        messageId: text,
        status: wordOf(['sent', 'delivered', 'read', 'failed']),
        redelivery: optional(bool),
      }),
    ),
  ),
  /** The faults of the delivery as a whole; absent if there are none. */
  faults: optional(listOf(webhookFault)),
  /** Why it was dropped or changed. */
  explain: optional(explain),
};
export type Delivery = Of<typeof deliveryFields>;

const exchange = { headers: mapOf(text), body: text, truncated: optional(bool) };

export const attemptFields = {
  ...rowFields(numbered('att')),
  deliveryId: text,
  number: place,
  atMs: instant,
  status: orNull(httpStatus),
  durationMs: duration,
  trigger: oneOf(['schedule', 'redelivery']),
  /** Its number in the retry schedule; differs from `number` if a redelivery has restarted the schedule. */
  step: optional(place),
  error: optional(record({ code: text, message: text })),
  hint: optional(text),
  /** The rule or call that caused the fault. */
  explain: optional(explain),
  /** The faults of the attempt; absent if there are none. */
  faults: optional(listOf(webhookFault)),
  /** The URL to which the request was actually sent: after routes, and the choice of plain HTTP. */
  sentTo: url,
  plain: bool,
  request: record({ url, ...exchange }),
  response: optional(record(exchange)),
};
export type Attempt = Of<typeof attemptFields>;

/** The actions on a delivery when it is created. */
export interface DeliveryPlan {
  readonly drop: boolean;
  /** Account milliseconds until the first attempt. */
  readonly delayMs: number;
  /** The number of copies of the delivery, including this one. */
  readonly copies: number;
  /** The status that the message must have been reported with before the first attempt. */
  readonly holdUntil: string | null;
  /** When the accompanying forged request is sent. */
  readonly forgedCopy?: 'before' | 'after';
  /** Null if its attempts are sent without faults. */
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}
