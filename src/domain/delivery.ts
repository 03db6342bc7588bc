/** The delivery of one event to one endpoint, and its HTTP attempts. */
import type { EventType } from './event.js';
import type { Explain } from './explain.js';
import type { Row } from './row.js';

/**
 * `pending`: not tried yet. `retrying`: failed, another try is due. `held`: the endpoint is paused.
 * `dropped`: will not be made (endpoint removed, fault asked for it). `delivered`: the receiver answered 2xx.
 * `failed`: not retried any more, while the endpoint stays active.
 */
export const deliveryStates = ['pending', 'delivered', 'retrying', 'held', 'dropped', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What a rule or a caller can do to a delivery, then what it can do to a single attempt. */
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
export type WebhookFault = (typeof webhookFaults)[number];

export interface Delivery extends Row {
  readonly eventId: string;
  readonly eventType: EventType;
  readonly endpointId: string;
  readonly url: string;
  readonly state: DeliveryState;
  readonly createdAtMs: number;
  readonly attemptCount: number;
  /** Attempts made before a redelivery last restarted the retry schedule. */
  readonly attemptsBefore: number;
  readonly nextAttemptAtMs: number | null;
  /** Start of the first attempt of the present retry schedule, once that has failed; null when the endpoint was resumed since. */
  readonly failingSinceMs?: number | null;
  /** What a rule or a caller wants done to the first attempt, or to the one a caller asked for. */
  readonly fault?: DeliveryFault | null;
  /** Of a later attempt that a rule has put off: what was decided about it then. */
  readonly decided?: {
    readonly number: number;
    readonly fault: DeliveryFault | null;
    readonly explain: Explain | null;
  } | null;
  /** Waits until the message it tells of has been reported with this status; `redelivery`: it was asked for again. */
  readonly holdUntil?: { readonly messageId: string; readonly status: string; readonly redelivery?: boolean } | null;
  /** What was done to it as a whole; absent when nothing was. */
  readonly faults?: readonly WebhookFault[];
  /** Why it was not made, or made otherwise than plainly. */
  readonly explain?: Explain;
}

export interface Attempt extends Row {
  readonly deliveryId: string;
  readonly number: number;
  readonly atMs: number;
  readonly status: number | null;
  readonly durationMs: number;
  readonly trigger: 'schedule' | 'redelivery';
  /** Its number on the retry schedule, if a redelivery has restarted the schedule; then it differs from `number`. */
  readonly step?: number;
  readonly error?: { readonly code: string; readonly message: string };
  readonly hint?: string;
  /** The URL the request really went to: after routes, and the choice of plain HTTP. */
  readonly sentTo: string;
  /** Which rule or call spoiled it. */
  readonly explain?: Explain;
  /** What was done to it; absent when nothing was. */
  readonly faults?: readonly WebhookFault[];
  readonly plain: boolean;
  readonly request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly truncated?: boolean;
  };
  readonly response?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly truncated?: boolean;
  };
}

/** Longer than the body of nearly every event and response: what is shorter is never cut. */
export const smallBody = 4096;

/** The faults of an attempt. */
export interface DeliveryFault {
  readonly signature: 'valid' | 'wrong_secret' | 'missing' | 'malformed';
  readonly body: 'exact' | 'truncate' | 'reformatted' | 'unknown_type' | 'huge' | 'forged';
  /** The receiver is not contacted: a connection that fails in this way, or this status as its answer. */
  readonly simulate: 'refused' | 'timeout' | 'reset' | number | null;
  /** The receiver gets the request although its outcome is simulated. */
  readonly contacted?: true;
  /** A request beside the true delivery: it has one attempt, whatever comes of it. */
  readonly once?: true;
  /** Who wanted it, for the explanation. */
  readonly by: Explain;
}

/** The actions on a delivery when it is created. */
export interface DeliveryPlan {
  readonly drop: boolean;
  /** Account milliseconds until the first attempt. */
  readonly delayMs: number;
  /** How often the delivery is made, this one included. */
  readonly copies: number;
  /** The status that the message must be reported with before the first attempt. */
  readonly holdUntil: string | null;
  /** Where a forged request beside it goes. */
  readonly forgedCopy?: 'before' | 'after';
  /** Null when its attempts go out plainly. */
  readonly fault: DeliveryFault | null;
  readonly explain: Explain | null;
}
