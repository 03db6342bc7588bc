/**
 * The decisions about slots: durations in milliseconds, ranges resolved to one value, names resolved. A scenario has
 * {@link Slots}; a decision has these.
 */
import type { ChannelError } from '../../domain/channel-errors.js';
import type { Explain } from '../../domain/explain.js';
import type {
  LifecycleStatus,
  BodyMode,
  FaultReal,
  ForgedCopy,
  JsonValue,
  SignatureMode,
  Simulation,
  SlotName,
  TemplateMove,
} from '../language/slots.js';
import type { LoadedRule, Per } from '../language/rules.js';
import type { Facts, Hook } from '../language/hooks.js';

/** One state of a message, `offsetMs` after acceptance. A step that would move the stored status back only sends its event. */
export interface PlannedStatus {
  readonly status: LifecycleStatus;
  readonly offsetMs: number;
  readonly error?: ChannelError;
}
export type LifecyclePlan = readonly PlannedStatus[];

export interface RespondEffect {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly body?: JsonValue;
  /** Checked at load: names are tokens, values have no control characters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
  readonly latencyRealMs?: number;
  readonly faultReal?: FaultReal;
  /** true: the operation happens and only its response changes; false: the operation does not happen. */
  readonly accept: boolean;
}

export interface RefuseEffect {
  readonly code: string;
  readonly message: string;
  /** Present if `code` is a channel failure. */
  readonly channelCode?: number;
}

/** A token bucket in account time: `tokens` per `perMs`, at most `burst` at once. */
export interface LimitEffect {
  readonly tokens: number;
  readonly perMs: number;
  readonly burst: number;
}

export interface ReviewEffect {
  readonly decision: 'approved' | 'rejected' | 'never';
  /** From submission. */
  readonly afterMs: number;
  readonly reason: string | null;
  /** Time from the decision to the `template.status` event. */
  readonly eventLagMs: number;
  /** Counted from the decision; from submission with `never`. */
  readonly later: readonly { readonly status: TemplateMove; readonly afterMs: number }[];
}

export interface OtpEffect {
  readonly code?: string;
  readonly attempts?: number;
  readonly expiresMs?: number;
}

export interface WebhookEffect {
  readonly duplicate: number;
  readonly delayMs: number;
  readonly drop: boolean;
  readonly holdUntil: LifecycleStatus | null;
  readonly signature: SignatureMode;
  readonly body: BodyMode;
  readonly simulate: Simulation | number | null;
  /** Whether the receiver gets the request although its outcome is simulated. */
  readonly contacted: boolean;
  readonly forgedCopy: ForgedCopy | null;
}

export interface InboundEffect {
  readonly afterMs: number;
  readonly text?: string;
  readonly button?: number;
}

export interface Effects {
  readonly respond: RespondEffect;
  readonly refuse: RefuseEffect;
  readonly limit: LimitEffect;
  readonly lifecycle: LifecyclePlan;
  readonly review: ReviewEffect;
  readonly otp: OtpEffect;
  readonly webhook: WebhookEffect;
  readonly inbound: InboundEffect;
  readonly window: 'open' | 'closed';
}

export interface Winner<S extends SlotName> {
  readonly effect: Effects[S];
  readonly explain: Explain & { readonly id: string };
  /** Key of the bucket of a `limit`: the rule and what `per` counts. */
  readonly key: string;
  /** The value by which the rule counts. */
  readonly per: Per;
}

/** The winner of each slot; a slot without a winner is absent. */
export type Decision = { readonly [S in SlotName]?: Winner<S> };

/** The decision if no rule applies. It is always this object, which most calls get. */
export const undecided: Decision = Object.freeze({});

/** Counters in the store. A key that was never incremented is 0. */
export interface Counters {
  get(key: string): number;
  /** Adds one and returns the new count. */
  increment(key: string): number;
}

/** History between the account and the customer of a call. */
export interface CustomerMemory {
  /** Texts of the customer, the latest first. */
  readonly said: () => readonly string[];
  readonly lastStatus: () => string | undefined;
  readonly sends: () => number;
  /** Whether a rule has applied to the customer. */
  readonly hasMet: (ruleId: string) => boolean;
}

export interface RuleQuery {
  readonly hook: Hook;
  readonly facts: Facts;
  /** The fact `account`, for all of an account's calls. */
  readonly account?: string;
  /** Absent if the call has no customer. */
  readonly customer?: CustomerMemory | undefined;
  readonly counters: Counters;
  /** Account time. */
  readonly nowMs: number;
  /** Account time of the activation, from which `active` counts. */
  readonly activationMs: number;
  readonly seed: number | string;
}

export interface RuleSet {
  readonly rules: readonly LoadedRule[];
  /** Whether a rule of `api.any` matches the status of a response. */
  readonly asksAfterAnswer: boolean;
  /** Returns whether a rule has this hook. */
  speaksAt(hook: Hook): boolean;
  /**
   * Adds winners for the slots that `decided` leaves open; returns `decided` itself if no rule applies. A rule counts a call
   * if it matches and has an open slot.
   */
  decide(query: RuleQuery, decided?: Decision): Decision;
}

export interface Script {
  /**
   * Returns the decision at a hook. Counts calls, so call it only inside a write.
   * @param prefer rules of the request's own header, which take precedence
   */
  decide(hook: Hook, facts: Facts, prefer?: RuleSet | null): Decision;
  /** Whether the window of a customer who never wrote is open. */
  readonly windowOpenByDefault: boolean;
}
