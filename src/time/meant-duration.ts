/** Guesses the duration that an invalid text was meant to be, for messages that suggest a correction. */
import { formatDuration } from './duration.js';

/** Milliseconds per unit, under its usual spellings. */
const SPELLINGS: readonly (readonly [pattern: RegExp, unitMs: number])[] = [
  [/^w(?:eeks?)?$/, 604_800_000],
  [/^d(?:ays?)?$/, 86_400_000],
  [/^h(?:rs?|ours?)?$/, 3_600_000],
  [/^m(?:ins?|inutes?)?$/, 60_000],
  [/^s(?:ecs?|econds?)?$/, 1_000],
  [/^m(?:s|secs?|illis|illiseconds?)$/, 1],
];

/** ISO 8601 writes P1DT2H for 1d2h. */
const ISO_LETTERS = /^p(\d+d)?t?(?=\d|$)/;
const PART = /(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)/g;

/**
 * Returns possible meanings of `text` that `parseDuration` can read, the likeliest first: `5` → `5s`, `5ms`; `1.5h` →
 * `1h30m`; `2 hours` → `2h`; `PT5M` → `5m`. Each form is also returned without its sign and in the past; the caller
 * chooses the one that is allowed.
 */
export function meantDurations(text: string): string[] {
  const [, sign = '', rest = ''] = /^\s*([+-]?)(.{1,40}?)\s*$/s.exec(text.toLowerCase()) ?? [];
  const found = /^\d{1,9}$/.test(rest) ? [`${rest}s`, `${rest}ms`] : written(rest.replace(ISO_LETTERS, '$1'));
  return [...new Set([sign, '', '-'])].flatMap((given) => found.map((duration) => given + duration));
}

/** The sum of the parts of `text`, if it consists only of numbers and units. */
function written(text: string): string[] {
  const parts = [...text.matchAll(PART)];
  const isAll = text.replace(PART, '').replace(/[\s,]/g, '') === '';
  let totalMs = 0;
  for (const [, count = '', name = ''] of parts) {
    const unit = SPELLINGS.find(([pattern]) => pattern.test(name));
    if (unit === undefined) return [];
    totalMs += Number(count) * unit[1];
  }
  return isAll && parts.length > 0 ? [formatDuration(totalMs)] : [];
}
