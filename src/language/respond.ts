import { z } from 'zod';
import { channelErrors, errorTable, findChannelError } from '../domain/errors.js';
import { meantRate, parseRate } from './durations.js';
import { anyJson, anyText, integer, object, optional, record, text } from './kit.js';
import { duration, realDuration, snakeCase } from './texts.js';

/** Error codes of rejected calls without any rule. */
export const errorCodes: readonly string[] = [
  ...new Set([
    ...Object.entries(errorTable).flatMap(([code, { plane }]) => (plane === 'control' ? [] : [code])),
    ...channelErrors.map(({ code }) => code),
  ]),
];

const refusalCode = text({
  allowed: 'an error code in snake_case, or the number of a failure of the channel',
  example: 'undeliverable',
  pattern: /^(?:[a-z][a-z0-9_]{0,63}|\d+)$/,
  check(value) {
    if (!/^\d/.test(value) || findChannelError(value) !== undefined) return undefined;
    const allowed = channelErrors.map(({ code, channelCode }) => `${channelCode} (${code})`).join(', ');
    return { code: 'unknown_word', message: 'The channel has no failure with this number.', allowed };
  },
});

export const refusalSchema = object(
  {
    code: optional(
      refusalCode,
      'Error code of the rejection, such as the name of a channel failure. Default: `send_failed`.',
    ),
    message: optional(anyText('Not today.', 1000), 'Error message.'),
  },
  {
    name: 'Refusal',
    short: ['code'],
    check({ code, message }) {
      if (code === undefined || message !== undefined || /^\d/.test(code) || errorCodes.includes(code)) return false;
      const text = 'Neither the channel nor the service has this code. Any other code needs a message.';
      return { at: 'code', code: 'unknown_word', message: text, words: errorCodes };
    },
  },
);
export type Refusal = z.output<typeof refusalSchema>;

/** Headers that the server sets itself, or that belong to the connection: a scenario cannot set them. */
const OWN_HEADERS =
  /^(?:connection|keep-alive|transfer-encoding|content-length|upgrade|te|trailer|date|proxy-.*|x-sandbox(?:-request|-rule)?)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

const headerValue = text({
  allowed: 'a header value of printable characters',
  example: 'abc',
  minLength: 0,
  maxLength: 1000,
  pattern: /^[\x20-\x7e]*$/,
});

const headers = record(headerValue, {
  max: 20,
  example: 'X-Trace',
  pattern: HEADER_NAME.source,
  check(key) {
    const isName = HEADER_NAME.test(key);
    if (isName && !OWN_HEADERS.test(key)) return undefined;
    const message = isName ? `The server sets the header ${key}; a scenario cannot.` : 'This is not a header name.';
    return { code: 'bad_header', message, allowed: 'letters, digits and hyphens, such as X-Trace' };
  },
});

const errorCode = text({
  allowed: 'an error code in snake_case',
  example: 'unavailable',
  pattern: /^[a-z][a-z0-9_]{0,63}$/,
  meant: snakeCase,
});

const FAULTS_REAL = ['reset', 'empty', 'hang', 'truncate', 'garbage'] as const;
export type FaultReal = (typeof FAULTS_REAL)[number];

export const respondSchema = object(
  {
    status: optional(integer(200, 599, 503), 'HTTP status of the response.'),
    code: optional(errorCode, 'Error code.'),
    message: optional(anyText('Try again later.', 1000), 'Error message.'),
    body: optional(anyJson, 'JSON body, in place of the error object. If the rule sets no status, the status is 200.'),
    headers: optional(headers, 'Headers to add to the response or to replace in it.'),
    retry_after: optional(
      duration,
      'Value of the header `Retry-After`. If the rule sets neither a status nor a code, the response is 429 `rate_limited`.',
    ),
    latency_real: optional(realDuration, 'Delay of the response, in real time.'),
    fault_real: optional(
      z.enum(FAULTS_REAL),
      'Fault of the connection. `empty`: the connection closes without a response. `hang`: no response comes. `truncate`: the body is incomplete. `garbage`: the response is not HTTP.',
    ),
    results: optional(
      z.enum(['reversed']),
      'Order of the results in the response to a batch. `reversed`: the last recipient comes first.',
    ),
    accept: optional(
      z.boolean(),
      '`true`: the call takes effect in spite of the response. `false`: the call has no effect. Default: `true`. The default is `false` if the rule sets `code`, `message`, `body`, `retry_after`, a `status` of 300 or above, or one of the faults `reset`, `empty` and `hang`.',
    ),
  },
  { name: 'Respond', short: ['status', 'fault_real'] },
);
export type RespondSlot = z.output<typeof respondSchema>;

export const limit = text({
  allowed: 'a rate such as 80/s, 600/m or 5/10s',
  check: (value) => (parseRate(value) ? undefined : { code: 'bad_rate', message: 'Invalid rate.' }),
  meant: meantRate,
  keywords: { pattern: '^[1-9][0-9]{0,5}/[0-9]{0,9}(ms|s|m|h|d)$' },
});
