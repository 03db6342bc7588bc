/** Texts in a certain form that several parts of a scenario share. */
import { once } from './kit.js';
import { text } from './scalars.js';
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

export const phone = once(() =>
  text({
    allowed: 'a phone number in E.164 form such as +12025550150',
    example: '"+12025550150"',
    check: phoneFault,
    // An editor reads an unquoted +12025550150 as a number, to which a pattern does not apply.
    keywords: { pattern: '^\\+[1-9][0-9]{6,14}$' },
  }),
);

const codes = channelErrors.map(({ code }) => code);
const numbers = channelErrors.map(({ code, channelCode }) => `${channelCode} (${code})`).join(', ');

/** The name or number of a failure of the channel. */
export const channelErrorName = once(() =>
  text({
    allowed: 'the name or number of a failure of the channel',
    example: 'undeliverable',
    check(value) {
      if (findChannelError(value) !== undefined) return undefined;
      const message = 'The channel has no failure of this name.';
      return { code: 'unknown_word', message, words: codes, orElse: 'or the number of one' };
    },
    keywords: { enum: channelErrors.flatMap(({ code, channelCode }) => [code, channelCode, String(channelCode)]) },
  }),
);

/** `Order shipped!` → `order_shipped`. */
function snakeCase(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

export const templateName = once(() =>
  text({
    allowed: 'a template name: lower-case letters, digits and underscores, a letter first',
    example: 'order_shipped',
    pattern: templateNameForm,
    meant: snakeCase,
  }),
);

export const errorCode = once(() =>
  text({
    allowed: 'an error code in snake_case',
    example: 'unavailable',
    pattern: /^[a-z][a-z0-9_]{0,63}$/,
    meant: snakeCase,
  }),
);

/** Why a recipient is rejected: an error code, or the number of a channel failure. */
export const refusalCode = once(() =>
  text({
    allowed: 'an error code in snake_case, or the number of a failure of the channel',
    example: 'undeliverable',
    pattern: /^(?:[a-z][a-z0-9_]{0,63}|\d+)$/,
    check: (value) =>
      /^\d/.test(value) && findChannelError(value) === undefined
        ? { code: 'unknown_word', message: 'The channel has no failure with this number.', allowed: numbers }
        : undefined,
  }),
);

export const alias = once(() =>
  text({
    allowed: 'a short name of letters, digits, - and _',
    example: 'app',
    pattern: /^[A-Za-z][\w-]{0,63}$/,
    meant: (value) => value.trim().replace(/[^\w-]+/g, '-'),
  }),
);

export const webhookSecret = once(() =>
  text({
    allowed: 'a secret that begins with whsec_',
    example: 'whsec_fixed_for_tests',
    pattern: /^whsec_[\x21-\x7e]{1,200}$/,
  }),
);

/** `">= 2"` → `min: 2`. */
export function boundOf(source: string): string[] | undefined {
  const [, sign = '', more, number = ''] = /^["']?\s*([<>])(=?)\s*(\d+)\s*["']?$/.exec(source) ?? [];
  if (sign === '') return undefined;
  const wanted = Number(number) + (more === '=' ? 0 : sign === '>' ? 1 : -1);
  return [`${sign === '>' ? 'min' : 'max'}: ${Math.max(0, wanted)}`];
}
