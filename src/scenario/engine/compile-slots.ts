/**
 * Compiles slots to functions that make effects: durations in milliseconds, ranges drawn at each decision, names resolved.
 * The types of the effects are those of what these functions make.
 */
import { findChannelError, type ChannelError } from '../../domain/channel-errors.js';
import { nearestWord } from '../../domain/nearest-word.js';
import {
  LIFECYCLE_STATUSES,
  lifecycleSteps,
  lifecycleWords,
  type Lifecycle,
  type LifecycleStatus,
  type LifecycleStep,
} from '../schema/lifecycle.js';
import { drawFrom, parseRange, type Draw } from '../schema/durations.js';
import type { Refusal, RespondSlot } from '../schema/respond.js';
import { parseRate, TEMPLATE_MOVES, type ReviewSlot, type Slots, type WebhookSlot } from '../schema/actions.js';

/** Makes the effect of one decision. */
type Make<T> = (draw: Draw) => T;

export type CompiledSlots = ReturnType<typeof compileSlots>;
export type Effects = { readonly [S in keyof CompiledSlots]-?: Readonly<ReturnType<NonNullable<CompiledSlots[S]>>> };
export type RespondEffect = Effects['respond'];
export type ReviewEffect = Effects['review'];
export type OtpEffect = Effects['otp'];
export type WebhookEffect = Effects['webhook'];
export type InboundEffect = Effects['inbound'];

/** One state of a message, `offsetMs` after acceptance. A step that would move the stored status back only sends its event. */
export interface PlannedStatus {
  readonly status: LifecycleStatus;
  readonly offsetMs: number;
  readonly error?: ChannelError;
}
export type LifecyclePlan = readonly PlannedStatus[];

/** Returns an object without the keys that are undefined. */
function present<T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** @throws DurationError, RangeError for slots that the schema does not allow */
export function compileSlots(slots: Slots) {
  const { respond, refuse = respond?.refuse, limit, lifecycle, review, otp, webhook, inbound, window } = slots;
  const limitEffect = limit && compileLimit(limit);
  return present({
    respond: respond && compileRespond(respond),
    refuse: refuse && compileRefusal(refuse),
    limit: limitEffect && (() => limitEffect),
    lifecycle: lifecycle === undefined ? undefined : compileLifecycle(lifecycle),
    review: review && compileReview(review),
    otp: otp && compileOtp(otp),
    webhook: webhook && compileWebhook(webhook),
    inbound: inbound && compileInbound(inbound),
    window: window && (() => window),
  });
}

/** A `respond` that only rejects a batch entry does not change the response. */
function compileRespond(slot: RespondSlot) {
  const { status, code, message, body, headers = {}, fault_real: faultReal } = slot;
  if (slot.refuse !== undefined && Object.keys(slot).length === 1) return undefined;
  const retryAfter = optionalDuration(slot.retry_after, 'retry_after');
  const latency = optionalDuration(slot.latency_real, 'latency_real');
  const fixed = {
    ...present({ status, code, message, body, faultReal }),
    headers,
    /** true: the operation happens and only its response changes; false: the operation does not happen. */
    accept: !answersInstead(slot),
  };
  return (draw: Draw) => ({ ...fixed, ...present({ retryAfterMs: retryAfter(draw), latencyRealMs: latency(draw) }) });
}

/** Returns whether the response replaces the operation. */
export function answersInstead({ status, code, message, body, retry_after, fault_real, accept }: RespondSlot): boolean {
  if (accept !== undefined) return !accept;
  if (fault_real === 'reset' || fault_real === 'empty' || fault_real === 'hang') return true;
  // A success status alone changes only the status; with a body, it replaces the whole response.
  if (status !== undefined && status >= 300) return true;
  return [code, message, body, retry_after].some((part) => part !== undefined);
}

/** With a failure of the channel, it has that failure's number. */
function compileRefusal({ code = 'send_failed', message }: Refusal) {
  const failure = findChannelError(code);
  const effect = {
    code: failure?.code ?? code,
    message: message ?? failure?.message ?? 'The message was rejected.',
    ...present({ channelCode: failure?.channelCode }),
  };
  return () => effect;
}

/**
 * Compiles a lifecycle to a function that makes the plan of one message.
 * @throws RangeError for an unknown name; scenario files are checked before
 */
export function compileLifecycle(lifecycle: Lifecycle): Make<LifecyclePlan> {
  const steps = typeof lifecycle === 'string' ? stepsOf(lifecycle) : lifecycle;
  const compiled = steps.map(compileStep);
  // The sort is stable: of two steps at one instant, the first written comes first.
  return (draw) => compiled.map((step) => step(draw)).toSorted((a, b) => a.offsetMs - b.offsetMs);
}

function stepsOf(name: string): readonly LifecycleStep[] {
  const steps = lifecycleSteps(name);
  if (steps !== undefined) return steps;
  const nearest = nearestWord(name, lifecycleWords);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new RangeError(`Unknown lifecycle "${name}".${meant} Allowed: ${lifecycleWords.join(', ')}.`);
}

function compileStep(step: LifecycleStep, index: number): Make<PlannedStatus> {
  const status = LIFECYCLE_STATUSES.find((name) => step[name] !== undefined) ?? 'sent';
  const offset = compileDuration(step[status], `lifecycle ${index}`);
  const error = status === 'failed' ? findChannelError(step.error ?? 'unknown_error') : undefined;
  if (status === 'failed' && !error) throw new RangeError(`The channel has no failure "${String(step.error)}".`);
  return (draw) => ({ status, offsetMs: offset(draw), ...present({ error }) });
}

/** The moves count from the decision, or with `never` from the submission. */
function compileReview(slot: ReviewSlot) {
  const after = compileDuration(slot.after, 'after');
  const lag = compileDuration(slot.event_lag, 'event_lag');
  const later = (slot.later ?? []).map((step, index) => {
    const status = TEMPLATE_MOVES.find((name) => step[name] !== undefined) ?? 'paused';
    const wait = compileDuration(step[status], `later ${index}`);
    return (draw: Draw) => ({ status, afterMs: wait(draw) });
  });
  const decision = slot.never === true ? 'never' : slot.reject === true ? 'rejected' : 'approved';
  const reason = slot.reason ?? null;
  return (draw: Draw) => ({
    decision,
    afterMs: after(draw),
    reason,
    eventLagMs: lag(draw),
    later: later.map((step) => step(draw)).toSorted((a, b) => a.afterMs - b.afterMs) as readonly {
      readonly status: (typeof TEMPLATE_MOVES)[number];
      readonly afterMs: number;
    }[],
  });
}

function compileOtp({ code, attempts, expires }: NonNullable<Slots['otp']>) {
  const expiry = optionalDuration(expires, 'expires');
  return (draw: Draw) => present({ code, attempts, expiresMs: expiry(draw) });
}

/** Returns the code of the scenario, truncated to the requested length. */
export function otpCode(effect: OtpEffect | undefined, length: number): string | undefined {
  return effect?.code?.slice(0, length);
}

/** Compiles a webhook slot, also outside a rule: `POST /_sandbox/events` has one. */
export function compileWebhook(slot: WebhookSlot) {
  const delay = compileDuration(slot.delay, 'delay');
  const fixed = {
    duplicate: slot.duplicate ?? 0,
    drop: slot.drop ?? false,
    holdUntil: slot.hold_until?.status ?? null,
    signature: slot.signature ?? ('valid' as const),
    body: slot.body ?? ('exact' as const),
    simulate: slot.receiver?.simulate ?? null,
    contacted: slot.receiver?.contacted ?? false,
    forgedCopy: slot.forged_copy ?? null,
  };
  return (draw: Draw) => ({ ...fixed, delayMs: delay(draw) });
}

function compileInbound({ after, text, button }: NonNullable<Slots['inbound']>) {
  const wait = compileDuration(after, 'after');
  return (draw: Draw) => ({ afterMs: wait(draw), ...present({ text, button }) });
}

function compileDuration(text: string | undefined, label: string): Make<number> {
  const range = parseRange(text ?? '0s');
  return (draw) => drawFrom(range, draw, label);
}

function optionalDuration(text: string | undefined, label: string): Make<number | undefined> {
  return text === undefined ? () => undefined : compileDuration(text, label);
}

/** A token bucket in account time: `tokens` per `perMs`, at most `burst` at once. */
export interface LimitEffect {
  readonly tokens: number;
  readonly perMs: number;
  readonly burst: number;
}

/** Compiles a limit. The default burst is the number in the rate: `80/s` allows 80 calls, then one every 12.5 ms. */
export function compileLimit(slot: NonNullable<Slots['limit']>): LimitEffect {
  const rate = parseRate(slot.rate);
  if (rate === undefined) throw new RangeError(`Invalid rate "${slot.rate}". Allowed: 80/s, 600/m, 5/10s.`);
  return { ...rate, burst: slot.burst ?? rate.tokens };
}

export interface Admission {
  readonly allowed: boolean;
  /** Time until the next call is allowed; 0 if this one was. */
  readonly retryAfterMs: number;
  /** State for the next call: a plain number, so that it can be stored. */
  readonly state: number;
}

/**
 * A fraction of a millisecond. It is a power of two, so that instants are exact: sums of token times would otherwise be
 * slightly less than a burst.
 */
const grain = 1024;

const onGrain = (ms: number): number => Math.floor(ms * grain) / grain;

/**
 * Takes one token. The whole bucket is one number, the instant at which it would be full again, so the times of the
 * calls do not cause rounding errors.
 * @param state of the last admission, undefined for an untouched bucket
 * @param nowMs account time
 */
export function admit(limit: LimitEffect, state: number | undefined, nowMs: number): Admission {
  const tokenMs = onGrain(limit.perMs / limit.tokens);
  const fullAt = Math.max(onGrain(state ?? nowMs), nowMs);
  const earliest = fullAt - (limit.burst - 1) * tokenMs;
  if (earliest > nowMs) return { allowed: false, retryAfterMs: Math.ceil(earliest - nowMs), state: fullAt };
  return { allowed: true, retryAfterMs: 0, state: fullAt + tokenMs };
}
