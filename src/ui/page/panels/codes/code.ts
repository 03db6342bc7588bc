/** The state of a one-time code at an instant, and the search for codes. */
import type { Otp } from '../../core/records.js';

/** Returns the state at `nowMs` of account time: no event reports that a code has expired. */
export function stateAt({ state, expires_at: at }: Otp, nowMs: number | null): Otp['state'] {
  return state === 'active' && nowMs !== null && nowMs >= Date.parse(at) ? 'expired' : state;
}

/** Returns the remaining part of its lifetime, from 1 to 0. */
export function lifeLeft({ created_at: from, expires_at: to }: Otp, nowMs: number): number {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (toMs <= fromMs) return 0;
  return Math.min(1, Math.max(0, (toMs - nowMs) / (toMs - fromMs)));
}

/** Searches codes by number, template or id, newest first. */
export function chosenCodes(codes: readonly Otp[], search: string): Otp[] {
  const wanted = search.trim().toLowerCase();
  const number = wanted.replaceAll(/[\s()-]/g, '');
  const fits = ({ to, template, otp_id: id }: Otp) =>
    wanted === '' || to.includes(number) || template.includes(wanted) || id.includes(wanted);
  return codes.filter(fits).reverse();
}

/** Formats a code in groups: `042 042`, `1234 5678`. */
export function grouped(code: string): string[] {
  if (code.length < 6) return [code];
  const half = Math.ceil(code.length / 2);
  return [code.slice(0, half), code.slice(half)];
}
