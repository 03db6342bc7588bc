/** Rate limits in account time. */
import { parseDuration } from '../../time/duration.js';
import type { LimitEffect } from './effects.js';
import type { LimitSlot } from '../language/slots.js';

const RATE = /^([1-9]\d{0,5})\/(\d{0,9})(ms|s|m|h|d)$/;

/** `80/s`, `5/10s` → tokens and the milliseconds in which they come back; undefined when the text has another form. */
export function parseRate(text: string): { tokens: number; perMs: number } | undefined {
  const match = RATE.exec(text);
  if (match === null) return undefined;
  const [, tokens = '', count = '', unit = ''] = match;
  const perMs = Number(count === '' ? 1 : count) * parseDuration(`1${unit}`);
  return perMs > 0 ? { tokens: Number(tokens), perMs } : undefined;
}

/** Without `burst`, as many at once as the rate names: `80/s` lets 80 through and then one every 12.5 ms. */
export function compileLimit(slot: LimitSlot): LimitEffect {
  const rate = parseRate(slot.rate);
  if (rate === undefined) throw new RangeError(`"${slot.rate}" is no rate. Allowed: 80/s, 600/m, 5/10s.`);
  return { ...rate, burst: slot.burst ?? rate.tokens };
}

export interface Admission {
  readonly allowed: boolean;
  /** Until the next one is let through; 0 when this one was. */
  readonly retryAfterMs: number;
  /** To be kept for the next call; plain number, so that it can be stored. */
  readonly state: number;
}

/**
 * Parts of a millisecond. A power of two, so that an instant of this age is a number without an error: sums of token times
 * would be short of a burst otherwise.
 */
const grain = 1024;

const onGrain = (ms: number): number => Math.floor(ms * grain) / grain;

/**
 * Takes one token. The whole bucket is one number, the instant at which it would be full again, so nothing is lost or
 * gained by when it is asked.
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
