/** Values with a form, as checks of the records that have them. */
import { type Check, count, formed, number, text, valueCheck } from './check.js';
import { isInstant } from './instant.js';
import { isPhone } from './phone.js';
import { traceparentForm } from './trace.js';

const like = (pattern: RegExp, expected: string): Check<string> =>
  formed(text, (value) => pattern.test(value), expected);

export const uuid = like(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a UUID in lower case');
export const eventId = like(/^evt_[A-Za-z0-9_-]+$/, 'an id such as evt_4kJ2');
export const wamid = like(/^wamid\.[^\s]+$/, 'an id of the channel, which starts with "wamid."');
export const phone = formed(text, isPhone, 'a phone number such as +12025550110');
export const languageForm =
  /^([A-Za-z]{2,3}([-_][A-Za-z]{3}){0,3}|[A-Za-z]{4,8})([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|\d{3}))?([-_]([A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*([-_][0-9A-WYZa-wyz]([-_][A-Za-z0-9]{2,8})+)*([-_][Xx]([-_][A-Za-z0-9]{1,8})+)?$|^[XxIi]([-_][A-Za-z0-9]{1,8})+$/;
export const language = like(languageForm, 'a BCP-47 language tag such as en or pt-BR');
/** The form of a template name. */
export const templateNameForm = /^[a-z][a-z0-9_]{0,511}$/;
export const templateName = like(templateNameForm, 'a template name such as order_shipped');
export const traceparent = like(traceparentForm, 'a traceparent of W3C Trace Context');
export const oneLine = like(/^\P{Cc}+$/u, 'a text of one line');
export const url = like(/^https?:\/\/[^\s/?#]+\S*$/i, 'an absolute URL');
export const method = like(/^[A-Z-]+$/, 'an HTTP method');
export const requestPath = like(/^\//, 'a path that starts with /');
export const errorCode = like(/^[a-z][a-z0-9_]*$/, 'an error code such as not_found');
export const otpCode = like(/^\d{4,8}$/, 'four to eight digits');
export const secret = like(/^whsec_[!-~]+$/, 'a secret that starts with "whsec_"');
export const judgementId = like(/^expect\[\d+\]$/, 'an id such as expect[0]');

/** An id of a prefix and a number. */
export function numbered(prefix: string): Check<string> {
  return like(new RegExp(`^${prefix}_[0-9a-f]+$`), `an id such as ${prefix}_12`);
}

/** A text that in a snapshot is one of these words. */
export function wordOf(words: readonly string[]): Check<string> {
  return formed(text, (value) => words.includes(value), `one of ${words.join(', ')}`);
}

export function within(check: Check<number>, least: number, most: number, expected: string): Check<number> {
  return formed(check, (value) => value >= least && value <= most, expected);
}

/** From 2^52 on, the account would soon exceed the exact whole numbers. */
export const place = within(count, 1, 2 ** 52, 'a whole number of at least 1');
export const duration = within(number, 0, Infinity, 'a number of milliseconds of at least 0');
export const httpStatus = formed(
  number,
  (value) => Number.isInteger(value) && value >= 100 && value <= 599,
  'an HTTP status from 100 to 599',
);

/** Milliseconds since the epoch, within the range of a date. Scaled clocks yield fractions. */
export const instant = formed(
  valueCheck<number>((value) => typeof value === 'number' && Math.abs(value) <= 8.64e15, 'milliseconds since 1970'),
  isInstant,
  'milliseconds since 1970, in the years 0 to 9999',
);
