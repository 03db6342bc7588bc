/** Texts in a certain form that several parts of a scenario share. */
import { channelErrors, findChannelError } from '../../domain/channel-errors.js';
import { isPhone } from '../../domain/phone.js';
import { templateNameForm } from '../../domain/template.js';
import { DurationError, parseDuration } from '../../time/duration.js';
import { meantDurations } from '../../time/meant-duration.js';
import { meantRanges, parseOffset, parseRange } from '../engine/ranges.js';
import type { Report } from './problems.js';
import { text } from './scalars.js';
import type { Shape } from './shape.js';

const DURATION = String.raw`(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?:\d+ms)?`;

/** A duration of account time, or a seeded range of them. */
export const duration: Shape<string> = durationText({
  allowed: 'a duration such as 500ms, 90s, 2h or 1h30m, or a range such as 2s..8s',
  example: '2s',
  check: (value) => durationFault(value, parseRange),
  pattern: `^\\+?${DURATION}(?:\\.\\.${DURATION})?$`,
});

/** A duration of real time, or a range of them. */
export const realDuration: Shape<string> = durationText({
  allowed: 'a duration of real time such as 500ms or 2s, at most 5m, or a range such as 1s..3s',
  example: '2s',
  check: (value) =>
    durationFault(value, parseRange) ??
    (parseRange(value).toMs > 300_000
      ? { code: 'out_of_range', message: 'A connection is held for at most 5 minutes of real time.' }
      : undefined),
  pattern: `^\\+?${DURATION}(?:\\.\\.${DURATION})?$`,
});

/** How long the application must be idle, in real time. */
export const quietTime: Shape<string> = durationText({
  allowed: 'a duration of real time from 1ms to 60s, such as 150ms',
  example: '150ms',
  check: (value) =>
    durationFault(value, parseDuration) ??
    (parseDuration(value) < 1 || parseDuration(value) > 60_000
      ? { code: 'out_of_range', message: 'A quiet time lasts from 1ms to 60s.' }
      : undefined),
  pattern: `^${DURATION}$`,
});

/** An offset from activation. */
export const offset: Shape<string> = durationText({
  allowed: 'an offset from activation such as +5m or +24h2m',
  example: '+5m',
  check: (value) => durationFault(value, parseOffset),
  pattern: `^\\+?${DURATION}$`,
});

/** An offset into the past. */
export const past: Shape<string> = durationText({
  allowed: 'a time before activation such as -23h59m',
  example: '-23h59m',
  check(value) {
    const fault = durationFault(value, (given) => parseDuration(given, { signed: true }));
    if (fault !== undefined || value.startsWith('-') || parseDuration(value, { signed: true }) === 0) return fault;
    return { code: 'wrong_sign', message: 'This time is in the past, so it must begin with a minus sign.' };
  },
  pattern: `^-?${DURATION}$`,
});

/** A duration. If the text is not one, suggests what was probably meant, provided that `check` accepts it. */
function durationText({ check, pattern, ...options }: DurationOptions): Shape<string> {
  return text({
    ...options,
    check(value) {
      const fault = check(value);
      if (fault === undefined) return undefined;
      const suggestion = meant(value).find((candidate) => check(candidate) === undefined);
      return { ...fault, ...(suggestion !== undefined && { suggestion }) };
    },
    // A duration is never a number, so an editor may reject one.
    keywords: { type: 'string', pattern },
  });
}

interface DurationOptions {
  readonly allowed: string;
  readonly example: string;
  readonly check: (value: string) => Report | undefined;
  readonly pattern: string;
}

const meant = (value: string): string[] => [...meantDurations(value), ...meantRanges(value)];

function durationFault(value: string, parse: (value: string) => unknown): Report | undefined {
  try {
    parse(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return { code: 'bad_duration', message: `Invalid duration: ${error.reason}.`, allowed: error.allowed };
  }
}

export function phoneFault(value: string): Report | undefined {
  if (isPhone(value)) return undefined;
  const digits = value.replace(/^00/, '').replace(/[^\d]/g, '');
  const fault = { code: 'bad_phone', message: 'This is not a phone number in E.164 form.' };
  return isPhone(`+${digits}`) ? { ...fault, suggestion: `+${digits}` } : fault;
}

export const phone: Shape<string> = text({
  allowed: 'a phone number in E.164 form such as +12025550150',
  example: '"+12025550150"',
  check: phoneFault,
  // An editor reads an unquoted +12025550150 as a number, to which a pattern does not apply.
  keywords: { pattern: '^\\+[1-9][0-9]{6,14}$' },
});

/** The name or number of a failure of the channel. */
export const channelErrorName: Shape<string> = text({
  allowed: 'the name or number of a failure of the channel',
  example: 'undeliverable',
  check: (value) =>
    findChannelError(value) === undefined
      ? {
          code: 'unknown_word',
          message: 'The channel has no failure of this name.',
          words: codes,
          orElse: 'or the number of one',
        }
      : undefined,
  keywords: { enum: channelErrors.flatMap(({ code, channelCode }) => [code, channelCode, String(channelCode)]) },
});

const codes = channelErrors.map(({ code }) => code);
const numbers = channelErrors.map(({ code, channelCode }) => `${channelCode} (${code})`).join(', ');

/** `Order shipped!` → `order_shipped`. */
function snakeCase(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

export const templateName: Shape<string> = text({
  allowed: 'a template name: lower-case letters, digits and underscores, a letter first',
  example: 'order_shipped',
  pattern: templateNameForm,
  meant: snakeCase,
});

export const errorCode: Shape<string> = text({
  allowed: 'an error code in snake_case',
  example: 'unavailable',
  pattern: /^[a-z][a-z0-9_]{0,63}$/,
  meant: snakeCase,
});

/** Why a recipient is rejected: an error code, or the number of a channel failure. */
export const refusalCode: Shape<string> = text({
  allowed: 'an error code in snake_case, or the number of a failure of the channel',
  example: 'undeliverable',
  pattern: /^(?:[a-z][a-z0-9_]{0,63}|\d+)$/,
  check: (value) =>
    /^\d/.test(value) && findChannelError(value) === undefined
      ? { code: 'unknown_word', message: 'The channel has no failure with this number.', allowed: numbers }
      : undefined,
});

export const alias: Shape<string> = text({
  allowed: 'a short name of letters, digits, - and _',
  example: 'app',
  pattern: /^[A-Za-z][\w-]{0,63}$/,
  meant: (value) => value.trim().replace(/[^\w-]+/g, '-'),
});
