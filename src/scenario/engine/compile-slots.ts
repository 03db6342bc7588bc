/**
 * Compiles the slots of a scenario to functions that make effects: they are parsed once, and ranges are drawn at each
 * decision.
 */
import { findChannelError } from '../../domain/channel-errors.js';
import type {
  Effects,
  InboundEffect,
  OtpEffect,
  RefuseEffect,
  RespondEffect,
  ReviewEffect,
  WebhookEffect,
} from './effects.js';
import { compileLifecycle } from './lifecycles.js';
import { compileLimit } from './limit.js';
import { drawFrom, parseRange, type Draw } from './ranges.js';
import {
  type LaterStep,
  type OtpSlot,
  type InboundSlot,
  type Refusal,
  type RespondSlot,
  type ReviewSlot,
  type Slots,
  type WebhookSlot,
  TEMPLATE_MOVES,
} from '../language/slots.js';

/** Makes the effect of one decision. */
export type Make<T> = (draw: Draw) => T;
export type CompiledSlots = { readonly [S in keyof Effects]?: Make<Effects[S]> };

/** @throws DurationError, RangeError for slots that the schema does not allow */
export function compileSlots(slots: Slots): CompiledSlots {
  const { respond, refuse, limit, lifecycle, review, otp, webhook, inbound, window } = slots;
  const answer = respond === undefined ? undefined : compileRespond(respond);
  const refusal = refuse ?? respond?.refuse;
  const limitEffect = limit === undefined ? undefined : compileLimit(limit);
  return {
    ...(answer !== undefined && { respond: answer }),
    ...(refusal !== undefined && { refuse: compileRefusal(refusal) }),
    ...(limitEffect !== undefined && { limit: () => limitEffect }),
    ...(lifecycle !== undefined && { lifecycle: compileLifecycle(lifecycle) }),
    ...(review !== undefined && { review: compileReview(review) }),
    ...(otp !== undefined && { otp: compileOtp(otp) }),
    ...(webhook !== undefined && { webhook: compileWebhook(webhook) }),
    ...(inbound !== undefined && { inbound: compileInbound(inbound) }),
    ...(window !== undefined && { window: () => window }),
  };
}

/** A `respond` that only rejects a batch entry does not change the response. */
function compileRespond(slot: RespondSlot): Make<RespondEffect> | undefined {
  const {
    status,
    code,
    message,
    body,
    headers = {},
    retry_after,
    latency_real,
    fault_real,
    accept: _accept,
    refuse,
    ...rest
  } = slot;
  rest satisfies Record<string, never>;
  if (refuse !== undefined && Object.keys(slot).length === 1) return undefined;
  const retryAfter = optionalDuration(retry_after, 'retry_after');
  const latency = optionalDuration(latency_real, 'latency_real');
  const fixed = {
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(body !== undefined && { body }),
    headers,
    ...(fault_real !== undefined && { faultReal: fault_real }),
    accept: !answersInstead(slot),
  };
  return (draw) => {
    const retryAfterMs = retryAfter(draw);
    const latencyRealMs = latency(draw);
    return {
      ...fixed,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(latencyRealMs !== undefined && { latencyRealMs }),
    };
  };
}

/** Returns whether the response replaces the operation. */
export function answersInstead({ status, code, message, body, retry_after, fault_real, accept }: RespondSlot): boolean {
  // A success status alone changes only the status; with a body, it replaces the whole response.
  const answers =
    (status !== undefined && status >= 300) ||
    code !== undefined ||
    message !== undefined ||
    body !== undefined ||
    retry_after !== undefined;
  const cutsOff = fault_real === 'reset' || fault_real === 'empty' || fault_real === 'hang';
  return accept === undefined ? answers || cutsOff : !accept;
}

function compileRefusal({ code = 'send_failed', message }: Refusal): Make<RefuseEffect> {
  const failure = findChannelError(code);
  const effect = {
    code: failure?.code ?? code,
    message: message ?? failure?.message ?? 'The message was refused.',
    ...(failure !== undefined && { channelCode: failure.channelCode }),
  };
  return () => effect;
}

function compileReview(slot: ReviewSlot): Make<ReviewEffect> {
  const after = compileDuration(slot.after, 'after');
  const lag = compileDuration(slot.event_lag, 'event_lag');
  const later = (slot.later ?? []).map(compileLater);
  const decision = slot.never === true ? 'never' : slot.reject === true ? 'rejected' : 'approved';
  const reason = slot.reason ?? null;
  return (draw) => ({
    decision,
    afterMs: after(draw),
    reason,
    eventLagMs: lag(draw),
    later: later.map((step) => step(draw)).toSorted((a, b) => a.afterMs - b.afterMs),
  });
}

function compileLater(step: LaterStep, index: number): Make<ReviewEffect['later'][number]> {
  const status = TEMPLATE_MOVES.find((name) => step[name] !== undefined) ?? 'paused';
  const after = compileDuration(step[status], `later ${index}`);
  return (draw) => ({ status, afterMs: after(draw) });
}

function compileOtp({ code, attempts, expires }: OtpSlot): Make<OtpEffect> {
  const expiry = optionalDuration(expires, 'expires');
  return (draw) => {
    const expiresMs = expiry(draw);
    return {
      ...(code !== undefined && { code }),
      ...(attempts !== undefined && { attempts }),
      ...(expiresMs !== undefined && { expiresMs }),
    };
  };
}

/** Returns the code of the scenario, truncated to the requested length. */
export function otpCode(effect: OtpEffect | undefined, length: number): string | undefined {
  return effect?.code?.slice(0, length);
}

/** Compiles a webhook slot, also outside a rule: `POST /_sandbox/events` has one. */
export function compileWebhook(slot: WebhookSlot): Make<WebhookEffect> {
  const delay = compileDuration(slot.delay, 'delay');
  const fixed = {
    duplicate: slot.duplicate ?? 0,
    drop: slot.drop ?? false,
    holdUntil: slot.hold_until?.status ?? null,
    signature: slot.signature ?? 'valid',
    body: slot.body ?? 'exact',
    simulate: slot.receiver?.simulate ?? null,
    contacted: slot.receiver?.contacted ?? false,
    forgedCopy: slot.forged_copy ?? null,
  } as const;
  return (draw) => ({ ...fixed, delayMs: delay(draw) });
}

function compileInbound({ after, text, button }: InboundSlot): Make<InboundEffect> {
  const wait = compileDuration(after, 'after');
  return (draw) => ({
    afterMs: wait(draw),
    ...(text !== undefined && { text }),
    ...(button !== undefined && { button }),
  });
}

function compileDuration(text: string | undefined, label: string): Make<number> {
  const range = parseRange(text ?? '0s');
  return (draw) => drawFrom(range, draw, label);
}

function optionalDuration(text: string | undefined, label: string): Make<number | undefined> {
  return text === undefined ? () => undefined : compileDuration(text, label);
}
