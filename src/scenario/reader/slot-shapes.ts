/** Shapes of the slots: what each key means and what it may hold. */
import {
  BODY_MODES,
  FORGED_COPIES,
  SIGNATURES,
  SIMULATIONS,
  SLOT_NAMES,
  TEMPLATE_MOVES,
  type InboundSlot,
  type LaterStep,
  type LimitSlot,
  type OtpSlot,
  type ReceiverSlot,
  type ReviewSlot,
  type Simulation,
  type Slots,
  type WebhookSlot,
} from '../language/slots.js';
import { parseRate } from '../engine/limit.js';
import { lifecycleShape } from './lifecycle-schema.js';
import { refusalShape, respondShape } from './respond-shape.js';
import { anyText, bool, constant, integer, oneOf, text } from './scalars.js';
import { named, type Shape } from './shape.js';
import { list, object, optional, required } from './structures.js';
import { duration } from './texts.js';

const limit: Shape<LimitSlot> = named('Limit', 'a rate limit', '{ rate: 80/s }', () =>
  object<LimitSlot>(
    {
      rate: required(
        text({
          allowed: 'a rate such as 80/s, 600/m or 5/10s',
          example: '80/s',
          check(value) {
            if (parseRate(value) !== undefined) return undefined;
            return { code: 'bad_rate', message: 'This is no rate.' };
          },
          meant: meantRate,
          keywords: { pattern: '^[1-9][0-9]{0,5}/[0-9]{0,9}(ms|s|m|h|d)$' },
        }),
        'How many calls per account time; above it the answer is 429 rate_limited with Retry-After.',
      ),
      burst: optional(integer(1, 100_000, 10), 'How many may come at once. Default: the number in the rate.'),
    },
    { short: ['rate'] },
  ),
);

/** `10 per second`, `5 / 10 sec` → `10/s`, `5/10s`. Without a unit nobody knows. */
function meantRate(text: string): string | undefined {
  const [, tokens, count = '', unit = ''] =
    /^\s*(\d+)\s*(?:\/|per|a)\s*(\d*)\s*(ms|s|m|h|d|sec|second|min|minute|hour|day)s?\s*$/i.exec(text) ?? [];
  if (tokens === undefined) return undefined;
  return `${tokens}/${count}${unit.toLowerCase() === 'ms' ? 'ms' : unit.charAt(0).toLowerCase()}`;
}

const later = object<LaterStep>(
  {
    paused: optional(duration, 'Paused this long after the decision.'),
    approved: optional(duration, 'Approved again this long after the decision.'),
    deleted: optional(duration, 'Deleted this long after the decision.'),
  },
  { exactlyOne: TEMPLATE_MOVES },
);

export const reviewShape: Shape<ReviewSlot> = named('Review', 'a decision on a template', '{ approve: true }', () =>
  object<ReviewSlot>(
    {
      approve: optional(constant(true), 'The template is approved.'),
      reject: optional(constant(true), 'The template is rejected.'),
      never: optional(constant(true), 'Nobody ever decides.'),
      after: optional(duration, 'From submission to decision. Default 0s.'),
      reason: optional(
        anyText('The body reads like marketing.', { maxLength: 1000 }),
        'With reject: the reason the reviewer gives.',
      ),
      event_lag: optional(duration, 'How long the template.status event lags the decision. Default 0s.'),
      later: optional(list(later, { max: 20 }), 'What happens to the template afterwards.'),
    },
    {
      exactlyOne: ['approve', 'reject', 'never'],
      check(value, _place, placeOf) {
        if (value.reason === undefined || value.reject === true) return;
        const message = 'A reason belongs to a rejection.';
        placeOf('reason').report({ code: 'misplaced_key', message, allowed: 'reason beside reject: true' });
      },
    },
  ),
);

const otp: Shape<OtpSlot> = named('Otp', 'a one-time code', '{ code: "042042" }', () =>
  object<OtpSlot>(
    {
      code: optional(
        text({ allowed: '4 to 8 digits', example: '"042042"', pattern: /^\d{4,8}$/ }),
        'The code that is sent, cut to the length asked for.',
      ),
      attempts: optional(integer(1, 20, 3), 'Wrong codes until it is locked. Default 5.'),
      expires: optional(duration, 'From send to expiry, whatever was asked for.'),
    },
    { atLeastOne: ['code', 'attempts', 'expires'], short: ['code'] },
  ),
);

const simulateWords = [...SIMULATIONS, '500'];
const simulate: Shape<Simulation | number> = {
  allowed: 'refused, timeout, reset, or an HTTP status from 200 to 599',
  example: 'timeout',
  read(place) {
    const word = place.scalar() === undefined ? undefined : place.scalarText();
    const known = SIMULATIONS.find((name) => name === word);
    if (known !== undefined) return known;
    if (word !== undefined && /^[2-5]\d\d$/.test(word)) return Number(word);
    return place.report({
      code: 'unknown_word',
      message: 'No receiver can be simulated like this.',
      words: simulateWords,
      orElse: 'or another HTTP status from 200 to 599',
    });
  },
  print: () => ({
    anyOf: [
      { enum: [...SIMULATIONS] },
      { type: 'integer', minimum: 200, maximum: 599 },
      { type: 'string', pattern: '^[2-5][0-9]{2}$' },
    ],
  }),
};

export const webhookShape: Shape<WebhookSlot> = named(
  'WebhookSlot',
  'what goes wrong with a delivery',
  '{ duplicate: 1 }',
  () =>
    object<WebhookSlot>(
      {
        duplicate: optional(integer(1, 10, 1), 'Extra copies of the delivery, with the same event id and bytes.'),
        delay: optional(duration, 'Account time for which the delivery is held back, or the attempt that match names.'),
        drop: optional(bool, 'The delivery is never made, or given up before the attempt that match names.'),
        hold_until: optional(
          object(
            {
              status: required(
                oneOf(['sent', 'delivered', 'read', 'failed']),
                'The status that must have been delivered before.',
              ),
            },
            { short: ['status'] },
          ),
          'message.status: held back until this later event of the same message has gone out: deliveries out of order.',
        ),
        forged_copy: optional(
          oneOf(FORGED_COPIES),
          "One more request with the event's id, other content and a wrong signature, a second before the delivery or after it. It is never retried, and its failure is not counted.",
        ),
        signature: optional(oneOf(SIGNATURES), 'How the request is signed.'),
        body: optional(
          oneOf(BODY_MODES),
          'What is done to the body. reformatted: the same JSON with other spacing and escapes, validly signed; unknown_type: an event type nobody knows; huge: about 2 MB of it; forged: other content under the same id.',
        ),
        receiver: optional(
          object<ReceiverSlot>(
            {
              simulate: required(
                simulate,
                'A connection refused, timed out or reset, or this HTTP status as the answer.',
              ),
              contacted: optional(
                bool,
                'The receiver gets the request all the same, and what it responds does not count: with timeout, it has handled the event and responded too late. Default false.',
              ),
            },
            { short: ['simulate'] },
          ),
          'What counts as the outcome. The receiver is not contacted, unless contacted is true.',
        ),
      },
      {
        atLeastOne: ['duplicate', 'delay', 'drop', 'hold_until', 'forged_copy', 'signature', 'body', 'receiver'],
      },
    ),
);

const inbound: Shape<InboundSlot> = named(
  'InboundSlot',
  'an answer of the customer',
  '{ after: 90s, text: "OK" }',
  () =>
    object<InboundSlot>(
      {
        after: optional(
          duration,
          'From acceptance of the message to the answer, or from its delivery where that comes later. Default: at the delivery.',
        ),
        text: optional(
          anyText('Where is it?'),
          'What the customer writes. Without text and button, something is made up.',
        ),
        button: optional(integer(1, 10, 1), 'Which button of the message the customer taps; 1 is the first.'),
      },
      {
        short: ['button', 'text'],
        check(value, _place, placeOf) {
          if (value.text === undefined || value.button === undefined) return;
          const message = 'The customer either writes or taps.';
          placeOf('button').report({ code: 'not_exactly_one', message, allowed: 'text or button' });
        },
      },
    ),
);

export const windowShape = oneOf(['open', 'closed']);

export const slotsShape: Shape<Slots> = named('Slots', 'what the rule does', '{ respond: { status: 503 } }', () =>
  object<Slots>(
    {
      respond: optional(respondShape, 'How the call is answered.'),
      refuse: optional(refusalShape, 'message.send: refuses the recipient; in a batch that entry alone.'),
      limit: optional(limit, 'How many calls per account time are let through.'),
      lifecycle: optional(
        lifecycleShape,
        'message.send, otp.send: what the channel reports, as offsets from acceptance; a preset; or a failure by name.',
      ),
      review: optional(reviewShape, 'template.create, template.review: what the platform owner decides, and when.'),
      otp: optional(otp, 'otp.send: which code is sent and how long it lasts.'),
      webhook: optional(webhookShape, 'webhook.deliver: what goes wrong with a delivery.'),
      inbound: optional(
        inbound,
        'message.send: the customer answers, once the message is delivered. One that failed has no answer.',
      ),
      window: optional(
        windowShape,
        'message.send: the 24-hour window counts as open or closed, whatever was written before.',
      ),
    },
    { atLeastOne: SLOT_NAMES },
  ),
);
