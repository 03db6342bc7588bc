import { parseInstant } from '../domain/instant.js';
import type { ClockSettings } from '../time/account-clock.js';
import { ValueError } from './error.js';

const ALLOWED = 'real, frozen, frozen:2026-03-01T09:00:00Z, x60 (any factor from x0.001 to x1000000) or auto';
const INSTANT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const LEAST_SCALE = 0.001;
const MOST_SCALE = 1_000_000;

/**
 * Reads `--clock real|frozen[:ISO]|x60|auto` (contract §3, §8): how the clock of every new account starts.
 * @throws ValueError
 */
export function parseClockSetting(text: string): ClockSettings {
  if (text === 'real' || text === 'auto' || text === 'frozen') return { mode: text, scale: 1, startMs: null };
  if (text.startsWith('frozen:')) {
    return { mode: 'frozen', scale: 1, startMs: startInstant(text.slice('frozen:'.length), text) };
  }
  const scale = /^x(\d+(?:\.\d+)?)$/.exec(text)?.[1];
  if (scale === undefined) throw ValueError.of(text, 'is no clock', ALLOWED);
  const factor = Number(scale);
  if (factor < LEAST_SCALE || factor > MOST_SCALE) {
    throw ValueError.of(text, 'is outside the factors that make sense', ALLOWED);
  }
  return { mode: 'scaled', scale: factor, startMs: null };
}

/** Milliseconds since the epoch. A bare date means midnight UTC; a time needs its offset, or each machine would differ. */
function startInstant(text: string, whole: string): number {
  const [, date, offset] = INSTANT.exec(text) ?? [];
  if (date === undefined) throw ValueError.of(whole, `names no instant: "${text}" is not ISO 8601`, ALLOWED);
  if (text.includes('T') && offset === undefined) {
    throw ValueError.of(whole, `leaves the time zone open (write ${text}Z for UTC)`, ALLOWED);
  }
  const ms = parseInstant(text);
  if (ms === null) throw ValueError.of(whole, `names an instant that no calendar has: "${text}"`, ALLOWED);
  return ms;
}
