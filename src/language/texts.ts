import type { z } from 'zod';
import { isPhone } from '../domain/customer.js';
import { channelErrors, findChannelError } from '../domain/errors.js';
import { templateNameForm } from '../domain/words.js';
import { DurationError, formatDuration, meantDurations, parseDuration } from '../time/duration.js';
import { parseOffset, parseRange } from './durations.js';
import { object, text, type TextOptions } from './kit.js';
import type { Report } from './problems.js';
import { meantWords } from './words.js';

const DURATION = String.raw`(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?:\d+ms)?`;
const RANGE = `^\\+?${DURATION}(?:\\.\\.${DURATION})?$`;

/** `what` is the beginning of the sentence. */
function timeFault(parse: () => unknown, what: string): (Report & { readonly allowed: string }) | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return { code: 'bad_duration', message: `${what}: ${error.reason}.`, allowed: error.allowed };
  }
}

function neither(parse: () => unknown, what: string): Report | undefined {
  const { allowed: _allowed, ...fault } = timeFault(parse, what) ?? {};
  return 'code' in fault ? fault : undefined;
}

/** `8s..2s`, `2-8s`, `2 s - 8 s` → `2s..8s`. Not all of the results are valid. */
function meantRanges(text: string): string[] {
  const [, first = '', second = ''] = /^(.+?)(?:\.{2,3}|-)(.+)$/s.exec(text) ?? [];
  const unit = /[a-z]+\s*$/i.exec(second)?.[0] ?? '';
  const [from = '', to = ''] = [/^\s*\d+\s*$/.test(first) ? first + unit : first, second].map(
    (end) => meantDurations(end)[0],
  );
  return [`${from}..${to}`, `${to}..${from}`];
}

/** `00:01:30` → `+1m30s`, besides other forms. */
function meantTimes(text: string): string[] {
  const [, sign = '', ...parts] = /^\s*(\+?)(\d{1,3}):(\d\d):(\d\d)\s*$/.exec(text) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map(Number);
  const written = formatDuration(((hours * 60 + minutes) * 60 + seconds) * 1000);
  return parts.length === 0
    ? meantDurations(text.replace(/^\s*(?:after|in)\s+/i, ''))
    : [`${sign}${written}`, `+${written}`];
}

/** A duration. The JSON Schema allows no number, because a duration is never one. */
function durationText(allowed: string, pattern: string, parse: (text: string) => unknown) {
  return text({
    allowed,
    check: (value) => timeFault(() => parse(value), 'Invalid duration'),
    meant: (value) => [...meantTimes(value), ...meantRanges(value)],
    keywords: { type: 'string', pattern },
  });
}

export const duration = durationText(
  'a duration such as 500ms, 90s, 2h or 1h30m, or a range such as 2s..8s',
  RANGE,
  parseRange,
);

/** Never a range. */
export const plainDuration = durationText('a duration such as 500ms, 90s, 2h or 1h30m', `^${DURATION}$`, (value) =>
  parseDuration(value),
);

/** A record always has a time, and no record is within no time. @throws DurationError */
function parseLength(value: string): number {
  const ms = parseDuration(value);
  if (ms > 0) return ms;
  throw new DurationError(value, 'it has no length', 'a duration of at least 1ms, such as 2m or 1h30m');
}

export const length = durationText('a duration such as 90s, 2m or 1h30m', `^(?=.*[1-9])${DURATION}$`, parseLength);

/** The same, or the time that the Retry-After header of the earlier response asks for. */
export const durationOrRetryAfter = durationText(
  'a duration such as 500ms, 90s, 2h or 1h30m, or retry_after',
  `^(?=.*[1-9])${DURATION}$|^retry_after$`,
  (value) => value === 'retry_after' || parseLength(value),
);

export const realDuration = text({
  allowed: 'a duration of real time such as 500ms or 2s, at most 5m, or a range such as 1s..3s',
  check: (value) =>
    timeFault(() => parseRange(value), 'Invalid duration') ??
    (parseRange(value).toMs > 300_000
      ? { code: 'out_of_range', message: 'A connection is held for at most 5 minutes of real time.' }
      : undefined),
  // Nobody waits for 200 seconds.
  meant: (value) => [...(/^\d{3,6}$/.test(value) ? [`${value}ms`] : []), ...meantTimes(value), ...meantRanges(value)],
  keywords: { type: 'string', pattern: RANGE },
});

export const offset = durationText('an offset from activation such as +5m or +24h2m', `^\\+?${DURATION}$`, parseOffset);

export const judgementTime = text({
  allowed: 'finish, or an offset from activation such as +24h2m',
  example: 'finish',
  check: (value) => neither(() => value === 'finish' || parseOffset(value), 'This is neither finish nor an offset'),
  meant: (value) => [...meantWords(value, ['finish']), ...meantTimes(value)],
  keywords: { type: 'string', pattern: `^(?:finish|\\+?(?=\\d)${DURATION})$` },
});

export const timeOfDay = text({
  allowed: 'a time of day in UTC such as "09:00"',
  pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
  meant: (value) => `0${value}`,
});
export const clockTime = object({
  clock: timeOfDay.describe('Time on the clock of the account, in UTC: the next time that it shows it.'),
});
export type ClockTime = z.output<typeof clockTime>;

export const givenWindow = text({
  allowed: 'open, closed, or a time before activation such as -23h59m',
  example: 'open',
  check(value) {
    if (value === 'open' || value === 'closed') return undefined;
    const isPast = () => parseDuration(value, { signed: true }) === 0 || value.startsWith('-');
    const fault = neither(isPast, 'This is neither open, closed nor a time');
    if (fault !== undefined || isPast()) return fault;
    return { code: 'wrong_sign', message: 'This time is in the past, so it must begin with a minus sign.' };
  },
  meant: (value) => [
    ...meantWords(value, ['open', 'closed']),
    `-${value}`,
    ...meantDurations(value).map((one) => `-${one.replace(/^[+-]/, '')}`),
  ],
  keywords: { pattern: `^(?:open|closed|-?${DURATION})$` },
});

export function phoneFault(value: string): Report | undefined {
  return isPhone(value) ? undefined : { code: 'bad_phone', message: 'This is not a phone number in E.164 form.' };
}

/** Ten digits of North America, without the 1 of the country. */
const NORTH_AMERICA = /^[2-9]\d{2}[2-9]\d{6}$/;

/**
 * `00 1 202-555-0150` → `+12025550150`. Ten digits without a country are a number of North America, since a plus alone
 * would make them a number of another country.
 */
export function meantPhone(value: string): string {
  const digits = value.replace(/[^\d]/g, '');
  if (/^\s*(?:\+|00)/.test(value)) return `+${digits.replace(/^00/, '')}`;
  return NORTH_AMERICA.test(digits) ? `+1${digits}` : `+${digits}`;
}

export const phone = text({
  allowed: 'a phone number in E.164 form such as +12025550150',
  check: phoneFault,
  meant: meantPhone,
  // An editor reads an unquoted +12025550150 as a number, to which a pattern does not apply.
  keywords: { pattern: '^\\+[1-9][0-9]{6,14}$' },
});

export const channelErrorName = text({
  allowed: 'the name or number of a failure of the channel',
  example: 'undeliverable',
  check(value) {
    if (findChannelError(value) !== undefined) return undefined;
    const words = channelErrors.map(({ code }) => code);
    return {
      code: 'unknown_word',
      message: 'The channel has no failure of this name.',
      words,
      orElse: 'or the number of one',
    };
  },
  keywords: { enum: channelErrors.flatMap(({ code, channelCode }) => [code, channelCode, String(channelCode)]) },
});

/** `Order shipped!` → `order_shipped`. */
export const snakeCase = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** `my app!` → `my-app-`. */
const hyphened = (value: string) => value.trim().replace(/[^\w-]+/g, '-');

export const templateName = text({
  allowed: 'a template name: lower-case letters, digits and underscores, a letter first',
  example: 'order_shipped',
  pattern: templateNameForm,
  meant: snakeCase,
});

export const alias = text({
  allowed: 'a short name of letters, digits, - and _',
  example: 'app',
  pattern: /^[A-Za-z][\w-]{0,63}$/,
  meant: hyphened,
});

const CONTROLS = /\s*[\p{Cc}\p{Cs}]+\s*/gu;

/** A title for people: files, keys and URLs have the name of the file. */
export const scenarioName = text({
  allowed: 'a name of one line',
  example: 'Reminder the day before',
  maxLength: 100,
  check: (value) =>
    value.trim() !== '' && value.search(CONTROLS) === -1
      ? undefined
      : { code: 'wrong_form', message: 'This is not a name of one line.' },
  meant: (value) => value.replace(CONTROLS, ' ').trim(),
  keywords: { pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*\S[^\u0000-\u001f\u007f-\u009f]*$` },
});

export const webhookSecret = text({
  allowed: 'a secret that begins with whsec_',
  example: 'whsec_fixed_for_tests',
  pattern: /^whsec_[\x21-\x7e]{1,200}$/,
});

export function url(begins: RegExp, message: string, options: Pick<TextOptions, 'allowed' | 'example' | 'meant'>) {
  const isUrl = (value: string) => begins.test(value) && (value.startsWith('/') || URL.canParse(value));
  return text({
    ...options,
    maxLength: 2048,
    check: (value) => (isUrl(value) ? undefined : { code: 'bad_url', message }),
    keywords: { pattern: begins.source.replaceAll('\\/', '/') },
  });
}
