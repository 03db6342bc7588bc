/** Times, rates and numbers of calls, as the language writes them and the engine reads them. */
import { DurationError, parseDuration } from '../time/duration.js';
import { HOOKS, type Hook } from './hooks.js';

export interface DurationRange {
  readonly fromMs: number;
  /** Equal to `fromMs` for a plain duration; included in the draw. */
  readonly toMs: number;
}

/** Returns a number in [0, 1) that depends only on the label, so that an additional draw changes no other. */
export type Draw = (label: string) => number;

export function parseRange(text: string): DurationRange {
  const [from = '', to, ...more] = text.split('..');
  if (to === undefined) {
    const ms = parseOffset(from);
    return { fromMs: ms, toMs: ms };
  }
  const allowed = 'two durations, the shorter one first, such as 2s..8s';
  if (more.length > 0) throw new DurationError(text, 'it has more than two values', allowed);
  const range = { fromMs: parseDuration(from), toMs: parseDuration(to) };
  if (range.toMs < range.fromMs) throw new DurationError(text, 'it ends before it begins', allowed);
  return range;
}

export function drawFrom(range: DurationRange, draw: Draw, label: string): number {
  if (range.fromMs === range.toMs) return range.fromMs;
  return range.fromMs + Math.floor(draw(label) * (range.toMs - range.fromMs + 1));
}

/** The sign `+` is optional. @throws DurationError */
export function parseOffset(text: string): number {
  return parseDuration(text, { signed: text.startsWith('+') });
}

/** `message.send`, `first message.send`, or the id of a rule. */
export function awaitedOf(written: string): { readonly hook: Hook } | { readonly rule: string } {
  const name = written.replace(/^first\s+/, '');
  const hook = HOOKS.find((one) => one === name);
  return hook === undefined ? { rule: name } : { hook };
}

/** `80/s` or `5/10s`; undefined for another form. */
export function parseRate(rate: string): { tokens: number; perMs: number } | undefined {
  const [, tokens, count = '', unit = ''] = /^([1-9]\d{0,5})\/(\d{0,9})(ms|s|m|h|d)$/.exec(rate) ?? [];
  if (tokens === undefined) return undefined;
  const perMs = Number(count === '' ? 1 : count) * parseDuration(`1${unit}`);
  return perMs > 0 ? { tokens: Number(tokens), perMs } : undefined;
}

/** `3`, `2..5` or `4..`, from 1; undefined for another form. */
export function parseCalls(calls: string | number): { readonly from: number; readonly to: number } | undefined {
  const [, first = '', range, last = ''] = /^([1-9]\d{0,8})(\.\.([1-9]\d{0,8})?)?$/.exec(String(calls)) ?? [];
  if (first === '') return undefined;
  const from = Number(first);
  const to = range === undefined ? from : last === '' ? Infinity : Number(last);
  return to < from ? undefined : { from, to };
}

/** `10 per second`, `5 / 10 sec` → `10/s`, `5/10s`. A text without a unit is ambiguous. */
export function meantRate(written: string): string | undefined {
  const form = /^\s*(\d+)\s*(?:\/|per|a)\s*(\d*)\s*(?:(ms)|([smhd])(?:ec|econd|in|inute|our|ay)?)s?\s*$/;
  const [, tokens, count = '', ms = '', unit = ms] = form.exec(written.toLowerCase()) ?? [];
  return tokens === undefined ? undefined : `${tokens}/${count}${unit}`;
}

/** `+1h..+2h` as offsets from the activation; null for another text. @throws DurationError */
export function offsetsIn(text: string): { readonly fromMs: number; readonly toMs: number } | null {
  const [, from, to] = /^(.*)\.\.(.*)$/s.exec(text) ?? [];
  if (from === undefined || to === undefined || !/^\+|^$/.test(from)) return null;
  return { fromMs: from === '' ? 0 : parseOffset(from), toMs: to === '' ? Infinity : parseOffset(to) };
}
