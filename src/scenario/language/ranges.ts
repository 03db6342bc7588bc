/** Durations and ranges of them. */
import { DurationError, parseDuration } from '../../time/duration.js';
import { meantDurations } from '../../time/meant-duration.js';

export interface DurationRange {
  readonly fromMs: number;
  /** Equal to `fromMs` for a plain duration; included in the draw. */
  readonly toMs: number;
}

/** Returns a number in [0, 1) that depends only on the label, so that an additional draw changes no other. */
export type Draw = (label: string) => number;

/** @throws DurationError if the text is neither a duration nor `shorter..longer` */
export function parseRange(text: string): DurationRange {
  const [from = '', to, ...more] = text.split('..');
  if (to === undefined) {
    const ms = parseDuration(from, { signed: from.startsWith('+') });
    return { fromMs: ms, toMs: ms };
  }
  const allowed = 'two durations, the shorter one first, such as 2s..8s';
  if (more.length > 0) throw new DurationError(text, 'it has more than two values', allowed);
  const range = { fromMs: parseDuration(from), toMs: parseDuration(to) };
  if (range.toMs < range.fromMs) throw new DurationError(text, 'it ends before it begins', allowed);
  return range;
}

/**
 * Returns possible meanings of `text` as a range: `8s..2s`, `2-8s`, `2 s - 8 s` → `2s..8s`. Not all of the results are
 * valid.
 */
export function meantRanges(text: string): string[] {
  const [, first = '', second = ''] = /^(.+?)(?:\.{2,3}|-)(.+)$/s.exec(text) ?? [];
  const unit = /[a-z]+\s*$/i.exec(second)?.[0] ?? '';
  const [from = '', to = ''] = [/^\s*\d+\s*$/.test(first) ? first + unit : first, second].map(
    (end) => meantDurations(end)[0],
  );
  return [`${from}..${to}`, `${to}..${from}`];
}

/** Returns a whole number of milliseconds within the range. */
export function drawFrom(range: DurationRange, draw: Draw, label: string): number {
  if (range.fromMs === range.toMs) return range.fromMs;
  return range.fromMs + Math.floor(draw(label) * (range.toMs - range.fromMs + 1));
}

/** Parses an offset from activation, with or without `+`. @throws DurationError */
export function parseOffset(text: string): number {
  return parseDuration(text, { signed: text.startsWith('+') });
}
