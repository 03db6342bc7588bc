/** The delivery of one event to one endpoint, and its HTTP attempts. */
import type { EventType } from './event.js';
import type { Explain } from './explain.js';
import type { Row } from './row.js';

/**
 * `pending`: not attempted yet. `retrying`: failed, another attempt is scheduled. `held`: the endpoint is paused.
 * `dropped`: will not be attempted (endpoint removed, or requested as a fault). `delivered`: the receiver responded
 * with 2xx. `failed`: no more retries, while the endpoint stays active.
 */
export const deliveryStates = ['pending', 'delivered', 'retrying', 'held', 'dropped', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

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
  /**
   * Start of the first attempt of the current retry schedule, if that has failed; null if the endpoint was resumed
   * since.
   */
  readonly failingSinceMs?: number | null;
  /** The faults requested by a rule or a caller for the first attempt, or for a requested attempt. */
  readonly fault?: DeliveryFault | null;
  /** The plan of a retry that a rule has postponed, decided when it was postponed. */
  readonly decided?: {
    readonly number: number;
    readonly fault: DeliveryFault | null;
    readonly explain: Explain | null;
  } | null;
  /** Waits until its message has been reported with this status; `redelivery`: it was requested again. */
  readonly holdUntil?: { readonly messageId: string; readonly status: string; readonly redelivery?: boolean } | null;
  /** The faults of the delivery as a whole; absent if there are none. */
  readonly faults?: readonly WebhookFault[];
  /** Why it was dropped or changed. */
  readonly explain?: Explain;
}

export interface Attempt extends Row {
  readonly deliveryId: string;
  readonly number: number;
  readonly atMs: number;
  readonly status: number | null;
  readonly durationMs: number;
  readonly trigger: 'schedule' | 'redelivery';
  /** Its number in the retry schedule; differs from `number` if a redelivery has restarted the schedule. */
  readonly step?: number;
  readonly error?: { readonly code: string; readonly message: string };
  readonly hint?: string;
  /** The URL to which the request was actually sent: after routes, and the choice of plain HTTP. */
  readonly sentTo: string;
  /** The rule or call that caused the fault. */
  readonly explain?: Explain;
  /** The faults of the attempt; absent if there are none. */
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

/** Longer than the body of nearly every event and response: a shorter text is never truncated. */
export const smallBody = 4096;

/** The faults of an attempt. */
export interface DeliveryFault {
  readonly signature: 'valid' | 'wrong_secret' | 'missing' | 'malformed';
  readonly body: 'exact' | 'truncate' | 'reformatted' | 'unknown_type' | 'huge' | 'forged';
  /** The receiver is not contacted: the connection fails in this way, or the response has this status. */
  readonly simulate: 'refused' | 'timeout' | 'reset' | number | null;
  /** The receiver gets the request although its outcome is simulated. */
  readonly contacted?: true;
  /** A request in addition to the real delivery: it has one attempt, whatever its outcome. */
  readonly once?: true;
  /** The rule or call that requested it, for the explanation. */
  readonly by: Explain;
}

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
