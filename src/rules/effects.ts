import { type ChannelError, findChannelError } from '../domain/errors.js';
import type { Explain } from '../domain/rows.js';
import type { Lifecycle, ReviewSlot, Slots, WebhookSlot } from '../language/actions.js';
import type { Hook, SlotName } from '../language/hooks.js';
import { drawFrom, parseRange, parseRate, type Draw } from '../language/durations.js';
import type { Facts } from '../language/match.js';
import { LIFECYCLE_STATUSES, lifecycleSteps, type LifecycleStatus } from '../language/lifecycle.js';
import type { Refusal, RespondSlot } from '../language/respond.js';
import type { Per } from '../language/rule.js';

type Slot<S extends SlotName> = Required<Slots>[S];

export const EFFECTS = {
  respond: respondEffect,
  refuse: refusalEffect,
  limit: (limit: Slot<'limit'>) => {
    const rate = parseRate(limit);
    if (!rate) throw new RangeError(`Invalid rate "${limit}".`);
    return rate;
  },
  lifecycle: lifecyclePlan,
  review: ({ status: decision, after, because }: ReviewSlot, draw: Draw) => {
    return { decision, afterMs: msOf(after, draw, 'after') ?? 0, reason: because ?? null };
  },
  otp: ({ code, attempts, expires }: Slot<'otp'>, draw: Draw) =>
    present({ code, attempts, expiresMs: msOf(expires, draw, 'expires') }),
  webhook: webhookEffect,
  inbound: ({ after, text, button }: Slot<'inbound'>, draw: Draw) => {
    return { afterMs: msOf(after, draw, 'after') ?? 0, ...present({ text, button }) };
  },
  window: (window: Slot<'window'>) => window,
} as const satisfies { readonly [S in SlotName]: (slot: never, draw: Draw) => unknown };

export type Effects = { readonly [S in SlotName]: Readonly<ReturnType<(typeof EFFECTS)[S]>> };
export type RespondEffect = Effects['respond'];
export type ReviewEffect = Effects['review'];
export type WebhookEffect = Effects['webhook'];
export type InboundEffect = Effects['inbound'];

/**
 * One state of a message, `offsetMs` after acceptance. A step that would move the stored status back only sends its
 * event.
 */
export interface PlannedStatus {
  readonly status: LifecycleStatus;
  readonly offsetMs: number;
  readonly error?: ChannelError;
}
export type LifecyclePlan = readonly PlannedStatus[];

export interface Winner<S extends SlotName> {
  readonly effect: Effects[S];
  readonly explain: Explain & { readonly id: string };
  /** Key of the bucket of a `limit`: the rule and what `per` counts. */
  readonly key: string;
  readonly per: Per;
}

/** A slot without a winner is absent. */
export type Decision = { readonly [S in SlotName]?: Winner<S> };

/** The decision if no rule applies. It is always this object, which most calls get. */
export const undecided: Decision = Object.freeze({});

/** Counters in the store. A key that was never incremented is 0. */
export interface Counters {
  increment(key: string): number;
}

export interface RuleQuery {
  readonly hook: Hook;
  readonly facts: Facts;
  readonly counters: Counters;
  /** Account time. */
  readonly nowMs: number;
  /** Account time of the activation, from which `active` counts. */
  readonly activationMs: number;
  readonly seed: number | string;
}

export interface RuleSet {
  readonly asksAfterAnswer: boolean;
  speaksAt(hook: Hook): boolean;
  /**
   * Fills the slots that `decided` leaves open; returns `decided` itself if no rule applies. A rule counts every call
   * that it matches.
   */
  decide(query: RuleQuery, decided?: Decision): Decision;
}

function present<T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function msOf(text: string | undefined, draw: Draw, label: string): number | undefined {
  return text === undefined ? undefined : drawFrom(parseRange(text), draw, label);
}

function respondEffect(slot: RespondSlot, draw: Draw) {
  const { status, code, message, body, headers = {}, fault_real: faultReal, results } = slot;
  return {
    ...present({ status, code, message, body, faultReal, results }),
    headers,
    /** true: the operation happens and only its response changes; false: the operation does not happen. */
    accept: !answersInstead(slot),
    ...present({
      retryAfterMs: msOf(slot.retry_after, draw, 'retry_after'),
      latencyRealMs: msOf(slot.latency_real, draw, 'latency_real'),
    }),
  };
}

export function answersInstead({ status, code, message, body, retry_after, fault_real, accept }: RespondSlot): boolean {
  if (accept !== undefined) return !accept;
  if (fault_real === 'reset' || fault_real === 'empty' || fault_real === 'hang') return true;
  // A success status alone changes only the status; with a body, it replaces the whole response.
  if (status !== undefined && status >= 300) return true;
  return [code, message, body, retry_after].some((part) => part !== undefined);
}

/** With a failure of the channel, it has that failure's number. */
function refusalEffect({ code = 'send_failed', message }: Refusal) {
  const failure = findChannelError(code);
  return {
    code: failure?.code ?? code,
    message: message ?? failure?.message ?? 'The message was rejected.',
    ...present({ channelCode: failure?.channelCode }),
  };
}

/** Names were checked when the rule was read. */
function lifecyclePlan(lifecycle: Lifecycle, draw: Draw): LifecyclePlan {
  const steps = typeof lifecycle === 'string' ? (lifecycleSteps(lifecycle) ?? []) : lifecycle;
  const plan = steps.map((step, index): PlannedStatus => {
    const status = LIFECYCLE_STATUSES.find((name) => step[name] !== undefined) ?? 'sent';
    const error = status === 'failed' ? findChannelError(step.error ?? 'unknown_error') : undefined;
    return { status, offsetMs: msOf(step[status], draw, `lifecycle ${index}`) ?? 0, ...present({ error }) };
  });
  // The sort is stable: of two steps at one instant, the first written comes first.
  return plan.toSorted((a, b) => a.offsetMs - b.offsetMs);
}

/** The effect of a webhook slot, also outside a rule: `POST /_sandbox/events` has one. */
export function webhookEffect(slot: WebhookSlot, draw: Draw) {
  const { body: wanted = 'exact', signature = 'valid' } = slot;
  const outcome = slot.receiver?.simulate ?? null;
  const isLate = outcome === 'late';
  const isCopy = wanted === 'forged_before' || wanted === 'forged_after';
  const simulate = isLate ? ('timeout' as const) : outcome;
  const body = isCopy ? ('exact' as const) : wanted;
  // A forged copy has its own signature.
  const own = isCopy ? 'valid' : signature;
  const isPlain = own === 'valid' && body === 'exact' && simulate === null;
  return {
    drop: slot.drop ?? false,
    /** Account milliseconds until the first attempt. */
    delayMs: msOf(slot.delay, draw, 'delay') ?? 0,
    copies: 1 + (slot.duplicate ?? 0),
    holdUntil: slot.hold_until?.status ?? null,
    forgedCopy: !isCopy
      ? null
      : {
          when: wanted === 'forged_before' ? ('before' as const) : ('after' as const),
          signature: slot.signature ?? ('wrong_secret' as const),
        },
    /**
     * The faults that change a single attempt; with `contacted`, the receiver gets it although its outcome is
     * simulated.
     */
    fault: isPlain ? null : { signature: own, body, simulate, ...(isLate && { contacted: true as const }) },
  };
}

/**
 * A fraction of a millisecond. It is a power of two, so that instants are exact: sums of token times would otherwise be
 * slightly less than a burst.
 */
const grain = 1024;
const onGrain = (ms: number): number => Math.floor(ms * grain) / grain;

/**
 * `80/s` allows 80 calls at once, then one every 12.5 ms. The whole bucket is one number, the instant at which it would
 * be full again, so the times of the calls do not cause rounding errors. Times are account milliseconds.
 */
export function admit({ tokens, perMs }: Effects['limit'], state: number | undefined, nowMs: number) {
  const tokenMs = onGrain(perMs / tokens);
  const fullAt = Math.max(onGrain(state ?? nowMs), nowMs);
  const earliest = fullAt - (tokens - 1) * tokenMs;
  if (earliest > nowMs) return { allowed: false, retryAfterMs: Math.ceil(earliest - nowMs), state: fullAt };
  return { allowed: true, retryAfterMs: 0, state: fullAt + tokenMs };
}
