/**
 * Slots made ready for the server: durations in milliseconds, ranges drawn, names resolved.
 * A scenario writes {@link Slots}; a decision hands out these.
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

/** One state of a message, `offsetMs` after acceptance. A step that would move the stored state back fires its event only. */
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
  /** Checked at load: names are tokens, values hold no control characters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
  readonly latencyRealMs?: number;
  readonly faultReal?: FaultReal;
  /** true: the operation happens and only its answer is changed; false: nothing happens but this answer. */
  readonly accept: boolean;
}

export interface RefuseEffect {
  readonly code: string;
  readonly message: string;
  /** Present when `code` names a failure of the channel. */
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
  /** How long the `template.status` event lags the decision. */
  readonly eventLagMs: number;
  /** From the decision (from submission with `never`). */
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
  /** Names the bucket of a `limit` (rule and what `per` counts); stable between calls. */
  readonly key: string;
  /** What the rule counts by, and so whose bucket that is. */
  readonly per: Per;
}

/** Slot by slot, what was decided; a slot nobody decided is absent. */
export type Decision = { readonly [S in SlotName]?: Winner<S> };

/** Nobody had anything to say: the decision about most calls, always this one. */
export const undecided: Decision = Object.freeze({});

/** Where counts live; the store keeps them. A key that was never incremented counts 0. */
export interface Counters {
  get(key: string): number;
  /** Adds one and returns the new count. */
  increment(key: string): number;
}

/** What happened before between the account and the customer that a call is about. */
export interface CustomerMemory {
  /** What the customer wrote, the latest first. */
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
  /** Absent where the call is about no customer. */
  readonly customer?: CustomerMemory | undefined;
  readonly counters: Counters;
  /** Account time. */
  readonly nowMs: number;
  /** Account time at which the rules came into force: `active` counts from it. */
  readonly activationMs: number;
  readonly seed: number | string;
}

export interface RuleSet {
  readonly rules: readonly LoadedRule[];
  /** Whether some rule of `api.any` matches the status of an answer. */
  readonly asksAfterAnswer: boolean;
  /** Whether some rule speaks at this hook. */
  speaksAt(hook: Hook): boolean;
  /**
   * Decides what `decided` leaves open and returns both together: `decided` itself when nobody has anything to say. A rule
   * is counted when it fits and has an open slot.
   */
  decide(query: RuleQuery, decided?: Decision): Decision;
}

export interface Script {
  /**
   * What is decided at a hook. Counts, and so only inside a write.
   * @param prefer what the request's own header asks for, before every rule
   */
  decide(hook: Hook, facts: Facts, prefer?: RuleSet | null): Decision;
  /** Whether the window of a customer who never wrote is open. */
  readonly windowOpenByDefault: boolean;
}
