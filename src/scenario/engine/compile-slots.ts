/**
 * Compiles the actions of a rule to functions that make effects: durations in milliseconds, ranges drawn at each decision,
 * names resolved. The types of the effects are those of what these functions make.
 */
import { type ChannelError, findChannelError } from '../../domain/errors.js';
import { nearestWord } from '../../domain/text.js';
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
import { parseRate } from '../schema/limit.js';
import type { ReviewSlot, SlotName, Slots, WebhookSlot } from '../schema/actions.js';

/** Makes the effect of one decision. */
type Make<T> = (draw: Draw) => T;

type Slot<S extends SlotName> = Required<Slots>[S];
type Makers = typeof MAKERS;
export type CompiledSlots = { readonly [S in SlotName]?: ReturnType<Makers[S]> };
export type Effects = { readonly [S in SlotName]: Readonly<ReturnType<ReturnType<Makers[S]>>> };
export type RespondEffect = Effects['respond'];
export type ReviewEffect = Effects['review'];
export type OtpEffect = Effects['otp'];
export type WebhookEffect = Effects['webhook'];
export type InboundEffect = Effects['inbound'];
export type LimitEffect = Effects['limit'];

/** One state of a message, `offsetMs` after acceptance. A step that would move the stored status back only sends its event. */
export interface PlannedStatus {
  readonly status: LifecycleStatus;
  readonly offsetMs: number;
  readonly error?: ChannelError;
}
export type LifecyclePlan = readonly PlannedStatus[];

const always =
  <T>(effect: T): Make<T> =>
  () =>
    effect;

const MAKERS = {
  respond: compileRespond,
  refuse: compileRefusal,
  limit: compileLimit,
  lifecycle: compileLifecycle,
  review: compileReview,
  otp: compileOtp,
  webhook: compileWebhook,
  inbound: compileInbound,
  window: (window: Slot<'window'>) => always(window),
} as const satisfies { readonly [S in SlotName]: (slot: never) => Make<unknown> };

/** @throws DurationError, RangeError for slots that the schema does not allow */
export function compileSlots(slots: Slots): CompiledSlots {
  const makers = MAKERS as Readonly<Record<string, (slot: unknown) => Make<unknown>>>;
  return Object.fromEntries(Object.entries(slots).map(([name, slot]) => [name, makers[name]?.(slot)]));
}

/** Returns an object without the keys that are undefined. */
function present<T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Returns a function that draws the duration; undefined makes `fallback`. */
function durationOr<T>(text: string | undefined, label: string, fallback: T): Make<number | T> {
  if (text === undefined) return always(fallback);
  const range = parseRange(text);
  return (draw) => drawFrom(range, draw, label);
}

function compileRespond(slot: RespondSlot) {
  const { status, code, message, body, headers = {}, fault_real: faultReal } = slot;
  const retryAfter = durationOr(slot.retry_after, 'retry_after', undefined);
  const latency = durationOr(slot.latency_real, 'latency_real', undefined);
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
  return always({
    code: failure?.code ?? code,
    message: message ?? failure?.message ?? 'The message was rejected.',
    ...present({ channelCode: failure?.channelCode }),
  });
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
  const offset = durationOr(step[status], `lifecycle ${index}`, 0);
  const error = status === 'failed' ? findChannelError(step.error ?? 'unknown_error') : undefined;
  if (status === 'failed' && !error) throw new RangeError(`The channel has no failure "${String(step.error)}".`);
  return (draw) => ({ status, offsetMs: offset(draw), ...present({ error }) });
}

function compileReview({ status: decision, after, because }: ReviewSlot) {
  const wait = durationOr(after, 'after', 0);
  return (draw: Draw) => ({ decision, afterMs: wait(draw), reason: because ?? null });
}

function compileOtp({ code, attempts, expires }: Slot<'otp'>) {
  const expiry = durationOr(expires, 'expires', undefined);
  return (draw: Draw) => present({ code, attempts, expiresMs: expiry(draw) });
}

/** Returns the code of the scenario, truncated to the requested length. */
export function otpCode(effect: OtpEffect | undefined, length: number): string | undefined {
  return effect?.code?.slice(0, length);
}

/** Compiles a webhook slot, also outside a rule: `POST /_sandbox/events` has one. */
export function compileWebhook(slot: WebhookSlot) {
  const wait = durationOr(slot.delay, 'delay', 0);
  const { body = 'exact', signature = 'valid' } = slot;
  const simulate = slot.receiver?.simulate ?? null;
  const isCopy = body === 'forged_before' || body === 'forged_after';
  const fixed = {
    duplicate: slot.duplicate ?? 0,
    drop: slot.drop ?? false,
    holdUntil: slot.hold_until?.status ?? null,
    signature,
    body: isCopy ? ('exact' as const) : body,
    simulate: simulate === 'late' ? ('timeout' as const) : simulate,
    /** Whether the receiver gets the request although its outcome is simulated. */
    contacted: simulate === 'late',
    /** When one more request, a forged one, is sent. */
    forgedCopy: !isCopy ? null : body === 'forged_before' ? ('before' as const) : ('after' as const),
  };
  return (draw: Draw) => ({ ...fixed, delayMs: wait(draw) });
}

function compileInbound({ after, text, button }: Slot<'inbound'>) {
  const wait = durationOr(after, 'after', 0);
  return (draw: Draw) => ({ afterMs: wait(draw), ...present({ text, button }) });
}

/** `80/s` allows 80 calls at once, then one every 12.5 ms. */
function compileLimit(limit: Slot<'limit'>) {
  const rate = parseRate(limit);
  if (!rate) throw new RangeError(`Invalid rate "${limit}". Allowed: 80/s, 600/m, 5/10s.`);
  return always(rate);
}

interface Admission {
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
export function admit({ tokens, perMs }: LimitEffect, state: number | undefined, nowMs: number): Admission {
  const tokenMs = onGrain(perMs / tokens);
  const fullAt = Math.max(onGrain(state ?? nowMs), nowMs);
  const earliest = fullAt - (tokens - 1) * tokenMs;
  if (earliest > nowMs) return { allowed: false, retryAfterMs: Math.ceil(earliest - nowMs), state: fullAt };
  return { allowed: true, retryAfterMs: 0, state: fullAt + tokenMs };
}
