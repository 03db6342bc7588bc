/** Texts in a certain form that several parts of a scenario share. */
import { parseDuration } from '../../time/duration.js';
import type { Lazy } from './kit.js';
import { text, type TextOptions } from './values.js';
import { channelErrors, findChannelError } from '../../domain/errors.js';
import { isPhone } from '../../domain/customer.js';
import { templateNameForm } from '../../domain/words.js';
import type { Report } from './problems.js';

export function phoneFault(value: string): Report | undefined {
  if (isPhone(value)) return undefined;
  const digits = value.replace(/^00/, '').replace(/[^\d]/g, '');
  const fault = { code: 'bad_phone', message: 'This is not a phone number in E.164 form.' };
  return isPhone(`+${digits}`) ? { ...fault, suggestion: `+${digits}` } : fault;
}

export const phone = text({
  allowed: 'a phone number in E.164 form such as +12025550150',
  example: '"+12025550150"',
  check: phoneFault,
  // An editor reads an unquoted +12025550150 as a number, to which a pattern does not apply.
  keywords: { pattern: '^\\+[1-9][0-9]{6,14}$' },
});

const codes = channelErrors.map(({ code }) => code);
const numbers = channelErrors.map(({ code, channelCode }) => `${channelCode} (${code})`).join(', ');

/** The name or number of a failure of the channel. */
export const channelErrorName = text({
  allowed: 'the name or number of a failure of the channel',
  example: 'undeliverable',
  check(value) {
    if (findChannelError(value) !== undefined) return undefined;
    const message = 'The channel has no failure of this name.';
    return { code: 'unknown_word', message, words: codes, orElse: 'or the number of one' };
  },
  keywords: { enum: channelErrors.flatMap(({ code, channelCode }) => [code, channelCode, String(channelCode)]) },
});

/** `Order shipped!` → `order_shipped`. */
function snakeCase(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

export const templateName = text({
  allowed: 'a template name: lower-case letters, digits and underscores, a letter first',
  example: 'order_shipped',
  pattern: templateNameForm,
  meant: snakeCase,
});

export const errorCode = text({
  allowed: 'an error code in snake_case',
  example: 'unavailable',
  pattern: /^[a-z][a-z0-9_]{0,63}$/,
  meant: snakeCase,
});

/** Why a recipient is rejected: an error code, or the number of a channel failure. */
export const refusalCode = text({
  allowed: 'an error code in snake_case, or the number of a failure of the channel',
  example: 'undeliverable',
  pattern: /^(?:[a-z][a-z0-9_]{0,63}|\d+)$/,
  check: (value) =>
    /^\d/.test(value) && findChannelError(value) === undefined
      ? { code: 'unknown_word', message: 'The channel has no failure with this number.', allowed: numbers }
      : undefined,
});

export const alias = text({
  allowed: 'a short name of letters, digits, - and _',
  example: 'app',
  pattern: /^[A-Za-z][\w-]{0,63}$/,
  meant: (value) => value.trim().replace(/[^\w-]+/g, '-'),
});

export const webhookSecret = text({
  allowed: 'a secret that begins with whsec_',
  example: 'whsec_fixed_for_tests',
  pattern: /^whsec_[\x21-\x7e]{1,200}$/,
});

const RATE = /^([1-9]\d{0,5})\/(\d{0,9})(ms|s|m|h|d)$/;

/** Parses `80/s` or `5/10s` to tokens and the milliseconds in which they come back; undefined for another form. */
export function parseRate(rate: string): { tokens: number; perMs: number } | undefined {
  const [, tokens, count = '', unit = ''] = RATE.exec(rate) ?? [];
  if (tokens === undefined) return undefined;
  const perMs = Number(count === '' ? 1 : count) * parseDuration(`1${unit}`);
  return perMs > 0 ? { tokens: Number(tokens), perMs } : undefined;
}

/** `10 per second`, `5 / 10 sec` → `10/s`, `5/10s`. A text without a unit is ambiguous. */
function meantRate(written: string): string | undefined {
  const [, tokens, count = '', unit = ''] =
    /^\s*(\d+)\s*(?:\/|per|a)\s*(\d*)\s*(ms|s|m|h|d|sec|second|min|minute|hour|day)s?\s*$/i.exec(written) ?? [];
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

export const limit = text({
  allowed: 'a rate such as 80/s, 600/m or 5/10s',
  example: '80/s',
  check: (value) => (parseRate(value) ? undefined : { code: 'bad_rate', message: 'Invalid rate.' }),
  meant: meantRate,
  ofOther: rateOf,
  keywords: { pattern: '^[1-9][0-9]{0,5}/[0-9]{0,9}(ms|s|m|h|d)$' },
});

/** A URL, or a path if it may begin so. */
export function url(
  begins: RegExp,
  { message, ...rest }: Pick<TextOptions, 'allowed' | 'example' | 'meant'> & { readonly message: string },
): Lazy<string> {
  const isUrl = (value: string) => begins.test(value) && (value.startsWith('/') || URL.canParse(value));
  return text({
    ...rest,
    maxLength: 2048,
    check: (value) => (isUrl(value) ? undefined : { code: 'bad_url', message }),
    keywords: { pattern: begins.source.replaceAll('\\/', '/') },
  });
}
