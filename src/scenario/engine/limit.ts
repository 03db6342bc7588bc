/** Rate limits in account time. */
import { parseRate, type Slots } from '../language/slots.js';

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
