/** What a one-time code is at an instant, and which of them are looked for. */
import type { Otp } from '../../core/records.js';

/** The state at `nowMs` of account time: nothing is told when a code expires, so it is told here. */
export function stateAt({ state, expires_at: at }: Otp, nowMs: number | null): Otp['state'] {
  return state === 'active' && nowMs !== null && nowMs >= Date.parse(at) ? 'expired' : state;
}

/** The part of its life that is left, from 1 down to 0. */
export function lifeLeft({ created_at: from, expires_at: to }: Otp, nowMs: number): number {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (toMs <= fromMs) return 0;
  return Math.min(1, Math.max(0, (toMs - nowMs) / (toMs - fromMs)));
}

/** Newest first; those whose number holds these digits, or whose template or id holds these letters. */
export function chosenCodes(codes: readonly Otp[], search: string): Otp[] {
  const wanted = search.trim().toLowerCase();
  const number = wanted.replaceAll(/[\s()-]/g, '');
  const fits = ({ to, template, otp_id: id }: Otp) =>
    wanted === '' || to.includes(number) || template.includes(wanted) || id.includes(wanted);
  return codes.filter(fits).reverse();
}

/** A code in groups that are read at a glance: `042 042`, `1234 5678`. */
export function grouped(code: string): string[] {
  if (code.length < 6) return [code];
  const half = Math.ceil(code.length / 2);
  return [code.slice(0, half), code.slice(half)];
}
