/** Texts with a form of their own that several parts of a scenario share. */
import { channelErrors, findChannelError } from '../../domain/channel-errors.js';
import { isPhone } from '../../domain/phone.js';
import { templateNameForm } from '../../domain/template.js';
import { DurationError, parseDuration } from '../../time/duration.js';
import { parseOffset, parseRange } from '../ranges.js';
import { text, type TextFault } from './scalars.js';
import type { Shape } from './shape.js';

const DURATION = String.raw`(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?:\d+ms)?`;

/** A duration of account time, or a seeded range of them. */
export const duration: Shape<string> = text({
  allowed: 'a duration such as 500ms, 90s, 2h or 1h30m, or a range such as 2s..8s',
  example: '2s',
  check: (value) => durationFault(value, parseRange),
  keywords: { pattern: `^\\+?${DURATION}(?:\\.\\.${DURATION})?$` },
});

/** A duration of real time; ranges make sense here too. */
export const realDuration: Shape<string> = text({
  allowed: 'a duration of real time such as 500ms or 2s, at most 5m, or a range such as 1s..3s',
  example: '2s',
  check: (value) =>
    durationFault(value, parseRange) ??
    (parseRange(value).toMs > 300_000
      ? { code: 'out_of_range', message: 'Sockets are held for at most 5 minutes of real time.' }
      : undefined),
  keywords: { pattern: `^\\+?${DURATION}(?:\\.\\.${DURATION})?$` },
});

/** An offset from activation. */
export const offset: Shape<string> = text({
  allowed: 'an offset from activation such as +5m or +24h2m',
  example: '+5m',
  check: (value) => durationFault(value, parseOffset),
  keywords: { pattern: `^\\+?${DURATION}$` },
});

/** An offset into the past. */
export const past: Shape<string> = text({
  allowed: 'a time before activation such as -23h59m',
  example: '-23h59m',
  check(value) {
    const fault = durationFault(value, (given) => parseDuration(given, { signed: true }));
    if (fault !== undefined || value.startsWith('-') || parseDuration(value, { signed: true }) === 0) return fault;
    const suggestion = `-${value.replace(/^\+/, '')}`;
    return { code: 'wrong_sign', message: 'This lies in the past, so it begins with a minus sign.', suggestion };
  },
  keywords: { pattern: `^-?${DURATION}$` },
});

function durationFault(value: string, parse: (value: string) => unknown): TextFault | undefined {
  try {
    parse(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    const withUnit = /^[+-]?\d{1,9}$/.test(value) ? { suggestion: `${value}s` } : {};
    return {
      code: 'bad_duration',
      message: `This is no duration: ${error.reason}.`,
      allowed: error.allowed,
      ...withUnit,
    };
  }
}

export const phone: Shape<string> = text({
  allowed: 'a phone number in E.164 form such as +12025550150',
  example: '"+12025550150"',
  check(value) {
    if (isPhone(value)) return undefined;
    const digits = value.replace(/^00/, '').replace(/[^\d]/g, '');
    const fault = { code: 'bad_phone', message: 'This is no phone number in E.164 form.' };
    return isPhone(`+${digits}`) ? { ...fault, suggestion: `+${digits}` } : fault;
  },
  keywords: { pattern: '^\\+?[1-9][0-9]{6,14}$' },
});

/** The name or number of a failure of the channel. */
export const channelErrorName: Shape<string> = text({
  allowed: 'the name or number of a failure of the channel',
  example: 'undeliverable',
  check: (value) =>
    findChannelError(value) === undefined
      ? {
          code: 'unknown_word',
          message: 'The channel knows no such failure.',
          allowed: channelErrorWords,
          words: codes,
        }
      : undefined,
  keywords: { enum: channelErrors.flatMap(({ code, channelCode }) => [code, channelCode, String(channelCode)]) },
});

const codes = channelErrors.map(({ code }) => code);
const channelErrorWords = channelErrors.map(({ code, channelCode }) => `${code} (${channelCode})`).join(', ');

export const templateName: Shape<string> = text({
  allowed: 'a template name: lower-case letters, digits and underscores, a letter first',
  example: 'order_shipped',
  pattern: templateNameForm,
});

export const errorCode: Shape<string> = text({
  allowed: 'an error code in snake_case',
  example: 'unavailable',
  pattern: /^[a-z][a-z0-9_]{0,63}$/,
});

export const alias: Shape<string> = text({
  allowed: 'a short name of letters, digits, - and _',
  example: 'app',
  pattern: /^[A-Za-z][\w-]{0,63}$/,
});
