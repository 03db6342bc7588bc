/** Rate limits. */
import { parseDuration } from '../../time/duration.js';
import { once } from './kit.js';
import { text } from './scalars.js';

const RATE = /^([1-9]\d{0,5})\/(\d{0,9})(ms|s|m|h|d)$/;

/** Parses `80/s` or `5/10s` to tokens and the milliseconds in which they come back; undefined for another form. */
export function parseRate(text: string): { tokens: number; perMs: number } | undefined {
  const [, tokens, count = '', unit = ''] = RATE.exec(text) ?? [];
  if (tokens === undefined) return undefined;
  const perMs = Number(count === '' ? 1 : count) * parseDuration(`1${unit}`);
  return perMs > 0 ? { tokens: Number(tokens), perMs } : undefined;
}

/** `10 per second`, `5 / 10 sec` → `10/s`, `5/10s`. A text without a unit is ambiguous. */
function meantRate(text: string): string | undefined {
  const [, tokens, count = '', unit = ''] =
    /^\s*(\d+)\s*(?:\/|per|a)\s*(\d*)\s*(ms|s|m|h|d|sec|second|min|minute|hour|day)s?\s*$/i.exec(text) ?? [];
  if (tokens === undefined) return undefined;
  return `${tokens}/${count}${unit.toLowerCase() === 'ms' ? 'ms' : unit.charAt(0).toLowerCase()}`;
}

/** `{ rate: 80/s, burst: 10 }` → `10/125ms` */
function rateOf(source: string): string | undefined {
  const [, written = ''] = /\brate: *["']?([^"',}]+)/.exec(source) ?? [];
  const rate = parseRate(written.trim()) ? written.trim() : (meantRate(written) ?? '');
  const [, burst] = /\bburst: *(\d+)/.exec(source) ?? [];
  const parsed = parseRate(rate);
  if (parsed === undefined || burst === undefined || Number(burst) === parsed.tokens) return parsed && rate;
  const ms = (parsed.perMs * Number(burst)) / parsed.tokens;
  return Number.isInteger(ms) ? `${burst}/${ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`}` : undefined;
}

export const limit = once(() =>
  text({
    allowed: 'a rate such as 80/s, 600/m or 5/10s',
    example: '80/s',
    check: (value) => (parseRate(value) ? undefined : { code: 'bad_rate', message: 'Invalid rate.' }),
    meant: meantRate,
    ofOther: rateOf,
    keywords: { pattern: '^[1-9][0-9]{0,5}/[0-9]{0,9}(ms|s|m|h|d)$' },
  }),
);
