/** The slots: the actions of a rule, as written in a scenario. */

/** The states that the channel reports. */
export const LIFECYCLE_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

/** Durations are kept as written: `500ms`, `1h30m`, or a seeded range `2s..8s`. */
export type DurationText = string;

/** Exactly one of the four states, with its offset from acceptance; `error` belongs to `failed` alone. */
export interface LifecycleStep {
  sent?: DurationText;
  delivered?: DurationText;
  read?: DurationText;
  failed?: DurationText;
  /** Name or number of a failure of the channel. */
  error?: string;
}

/** The name of a preset (`happy`), the name or number of a failure of the channel, or the steps themselves. */
export type Lifecycle = string | LifecycleStep[];

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export const FAULTS_REAL = ['reset', 'empty', 'hang', 'truncate', 'garbage'] as const;
export type FaultReal = (typeof FAULTS_REAL)[number];

export interface Refusal {
  code?: string;
  message?: string;
}

export interface RespondSlot {
  status?: number;
  code?: string;
  message?: string;
  body?: JsonValue;
  headers?: Record<string, string>;
  retry_after?: DurationText;
  latency_real?: DurationText;
  fault_real?: FaultReal;
  /** Whether the operation still happens. */
  accept?: boolean;
  /** In a batch: fails only that entry. The same as the slot `refuse`. */
  refuse?: Refusal;
}

export interface LimitSlot {
  /** `80/s`, `600/m`, `1000/h`, `5/10s`: tokens per account time. */
  rate: string;
  burst?: number;
}

export const TEMPLATE_MOVES = ['paused', 'approved', 'deleted'] as const;
export type TemplateMove = (typeof TEMPLATE_MOVES)[number];

/** Exactly one state, with its offset from the review's decision. */
export interface LaterStep {
  paused?: DurationText;
  approved?: DurationText;
  deleted?: DurationText;
}

export interface ReviewSlot {
  approve?: true;
  reject?: true;
  never?: true;
  after?: DurationText;
  reason?: string;
  event_lag?: DurationText;
  later?: LaterStep[];
}

export interface OtpSlot {
  /** 4 to 8 digits. */
  code?: string;
  attempts?: number;
  expires?: DurationText;
}

export const SIGNATURES = ['valid', 'wrong_secret', 'missing', 'malformed'] as const;
export type SignatureMode = (typeof SIGNATURES)[number];
export const BODY_MODES = ['exact', 'truncate', 'reformatted', 'unknown_type', 'huge', 'forged'] as const;
export type BodyMode = (typeof BODY_MODES)[number];
export const SIMULATIONS = ['refused', 'timeout', 'reset'] as const;
export type Simulation = (typeof SIMULATIONS)[number];

export const FORGED_COPIES = ['before', 'after'] as const;
export type ForgedCopy = (typeof FORGED_COPIES)[number];

export interface ReceiverSlot {
  simulate: Simulation | number;
  contacted?: boolean;
}

export interface WebhookSlot {
  /** Extra copies of the delivery, with the same event id. */
  duplicate?: number;
  delay?: DurationText;
  drop?: boolean;
  hold_until?: { status: LifecycleStatus };
  signature?: SignatureMode;
  body?: BodyMode;
  /** One more request with the event's id, other content and a wrong signature, a second before or after the delivery. */
  forged_copy?: ForgedCopy;
  /**
   * The outcome: a failed connection, or this HTTP status. The receiver is contacted only with `contacted`, and its response
   * does not count.
   */
  receiver?: ReceiverSlot;
}

export interface InboundSlot {
  after?: DurationText;
  text?: string;
  /** Taps the n-th button of the message (1 is the first). */
  button?: number;
}

export interface Slots {
  respond?: RespondSlot;
  refuse?: Refusal;
  limit?: LimitSlot;
  lifecycle?: Lifecycle;
  review?: ReviewSlot;
  otp?: OtpSlot;
  webhook?: WebhookSlot;
  inbound?: InboundSlot;
  /** Forces the state of the customer's 24-hour window. */
  window?: 'open' | 'closed';
}

export const SLOT_NAMES = [
  'respond',
  'refuse',
  'limit',
  'lifecycle',
  'review',
  'otp',
  'webhook',
  'inbound',
  'window',
] as const satisfies readonly (keyof Slots)[];
export type SlotName = (typeof SLOT_NAMES)[number];
