/** Shapes of the slots `respond` and `refuse`: how a call is answered. */
import { anyJson } from './json.js';
import { errorCodes } from './known-words.js';
import { anyText, bool, integer, oneOf, text } from './scalars.js';
import { named, type Shape } from './shape.js';
import { FAULTS_REAL, type Refusal, type RespondSlot } from '../language/slots.js';
import { record } from './record.js';
import { object, optional } from './structures.js';
import { duration, errorCode, realDuration, refusalCode } from './texts.js';

export const refusalShape: Shape<Refusal> = named('Refusal', 'why it is refused', '{ code: undeliverable }', () =>
  object<Refusal>(
    {
      code: optional(
        refusalCode,
        'Error code of the refused entry; a failure of the channel, by name or number, brings its number and sentence along. Default send_failed.',
      ),
      message: optional(anyText('Not today.', { maxLength: 1000 }), 'The sentence beside the code.'),
    },
    {
      short: ['code'],
      check({ code, message }, _place, placeOf) {
        if (code === undefined || message !== undefined || /^\d/.test(code) || errorCodes.includes(code)) return;
        placeOf('code').report({
          code: 'unknown_word',
          message: 'Neither the channel nor the service knows this code. A code of your own needs a message beside it.',
          words: errorCodes,
        });
      },
    },
  ),
);

/** Set by the server for every answer, or between two neighbours on the wire: a scenario cannot mean them. */
const OWN_HEADERS =
  /^(?:connection|keep-alive|transfer-encoding|content-length|upgrade|te|trailer|date|proxy-.*|x-sandbox(?:-request|-rule)?)$/i;

const headers = record(
  text({
    allowed: 'a header value of printable characters',
    example: 'abc',
    minLength: 0,
    maxLength: 1000,
    pattern: /^[\x20-\x7e]*$/,
  }),
  {
    max: 20,
    example: 'X-Trace',
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$",
    check(key, place) {
      const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(key);
      if (token && !OWN_HEADERS.test(key)) return true;
      const message = token ? `The header ${key} is set by the server itself.` : 'This is no name of a header.';
      place.report({ code: 'bad_header', message, allowed: 'letters, digits and hyphens, such as X-Trace' });
      return false;
    },
  },
);

export const respondShape: Shape<RespondSlot> = named('Respond', 'how a call is answered', '{ status: 503 }', () =>
  object<RespondSlot>(
    {
      status: optional(integer(200, 599, 503), 'HTTP status of the answer.'),
      code: optional(errorCode, 'Error code in the envelope.'),
      message: optional(anyText('Try again later.', { maxLength: 1000 }), 'The sentence beside the code.'),
      body: optional(
        anyJson,
        'The whole JSON body, instead of the error envelope; alone it is answered with 200. A text beside a Content-Type that is not JSON is sent as it stands.',
      ),
      headers: optional(headers, 'Headers added to the answer, or in place of those it has.'),
      retry_after: optional(
        duration,
        'Sent as Retry-After, in whole seconds of account time, rounded up; without a status and a code, the answer is 429 `rate_limited`.',
      ),
      latency_real: optional(realDuration, 'Real time for which the answer is held back.'),
      fault_real: optional(
        oneOf(FAULTS_REAL),
        'What happens to the connection: reset it, close it without an answer (empty), never answer (hang), cut the body short (truncate), or answer with bytes that are no HTTP (garbage).',
      ),
      accept: optional(
        bool,
        'Whether the operation happens all the same. Default: it does when only the delay or the body of the answer is spoiled (latency_real, truncate, garbage, headers, a status of success alone), and does not otherwise.',
      ),
      refuse: optional(
        refusalShape,
        'In a batch, fails the matching entry alone; a single send is refused. The same as the slot refuse.',
      ),
    },
    { short: ['status', 'fault_real'] },
  ),
);
