/** The actions of rules: what each key means and which values it allows. */
import { misplaced, object, once, optional, part, required, type ValueOf } from './kit.js';
import { anyText, bool, constant, integer, oneOf, text, wordOrNumber } from './scalars.js';
import { list } from './collections.js';
import { parseDuration } from '../../time/duration.js';
import { lifecycleSchema, LIFECYCLE_STATUSES } from './lifecycle.js';
import { refusalSchema, respondSchema } from './respond.js';
import { duration } from './durations.js';

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

const limit = part('Limit', 'a rate limit', '{ rate: 80/s }', () =>
  object(
    {
      rate: required(
        text({
          allowed: 'a rate such as 80/s, 600/m or 5/10s',
          example: '80/s',
          check: (value) => (parseRate(value) ? undefined : { code: 'bad_rate', message: 'Invalid rate.' }),
          meant: meantRate,
          keywords: { pattern: '^[1-9][0-9]{0,5}/[0-9]{0,9}(ms|s|m|h|d)$' },
        }),
        'Number of calls per account time. Above it, the response is 429 rate_limited with Retry-After.',
      ),
      burst: optional(integer(1, 100_000, 10), 'Number of calls allowed at once. Default: the number in the rate.'),
    },
    { short: ['rate'] },
  ),
);

export const TEMPLATE_MOVES = ['paused', 'approved', 'deleted'] as const;

const later = once(() =>
  object(
    {
      paused: optional(duration(), 'The template is paused this long after the decision.'),
      approved: optional(duration(), 'The template is approved again this long after the decision.'),
      deleted: optional(duration(), 'The template is deleted this long after the decision.'),
    },
    { exactlyOne: TEMPLATE_MOVES },
  ),
);

export const reviewSchema = part('Review', 'a decision on a template', '{ approve: true }', () =>
  object(
    {
      approve: optional(constant(true), 'The template is approved.'),
      reject: optional(constant(true), 'The template is rejected.'),
      never: optional(constant(true), 'The template stays pending.'),
      after: optional(duration(), 'Time from submission to decision. Default: 0s.'),
      reason: optional(
        anyText('The body reads like marketing.', { maxLength: 1000 }),
        'With reject: reason of the reviewer.',
      ),
      event_lag: optional(duration(), 'Time from the decision to its template.status event. Default: 0s.'),
      later: optional(list(later(), { max: 20 }), 'Changes of the template after the decision.'),
    },
    {
      exactlyOne: ['approve', 'reject', 'never'],
      check: ({ reason, reject }) =>
        reason !== undefined &&
        reject !== true &&
        misplaced('reason', 'reason needs reject: true.', 'reason beside reject: true'),
    },
  ),
);
export type ReviewSlot = ValueOf<typeof reviewSchema>;

const otp = part('Otp', 'a one-time code', '{ code: "042042" }', () =>
  object(
    {
      code: optional(
        text({ allowed: '4 to 8 digits', example: '"042042"', pattern: /^\d{4,8}$/ }),
        'Code to send, truncated to the requested length.',
      ),
      attempts: optional(integer(1, 20, 3), 'Number of wrong codes until the code is locked. Default: 5.'),
      expires: optional(duration(), 'Time from send to expiry, instead of the requested one.'),
    },
    { atLeastOne: ['code', 'attempts', 'expires'], short: ['code'] },
  ),
);

export const SIGNATURES = ['valid', 'wrong_secret', 'missing', 'malformed'] as const;
export const BODY_MODES = ['exact', 'truncate', 'reformatted', 'unknown_type', 'huge', 'forged'] as const;
export const SIMULATIONS = ['refused', 'timeout', 'reset'] as const;

const simulate = once(() =>
  wordOrNumber(
    SIMULATIONS,
    { min: 200, max: 599, example: 500 },
    'This outcome cannot be simulated.',
    'an HTTP status',
  ),
);

const holdUntil = once(() =>
  object(
    { status: required(oneOf(LIFECYCLE_STATUSES), 'Status whose event must be delivered first.') },
    { short: ['status'] },
  ),
);

const receiver = once(() =>
  object(
    {
      simulate: required(simulate(), 'Connection refused, timed out or reset, or this HTTP status.'),
      contacted: optional(
        bool(),
        'Whether the receiver still gets the request; its response does not count. With timeout, the receiver handled the event but responded too late. Default: false.',
      ),
    },
    { short: ['simulate'] },
  ),
);

export const webhookSchema = part('WebhookSlot', 'faults of a delivery', '{ duplicate: 1 }', () =>
  object(
    {
      duplicate: optional(integer(1, 10, 1), 'Extra copies of the delivery, with the same event id and bytes.'),
      delay: optional(duration(), 'Account time by which the delivery is delayed, or the attempt that match selects.'),
      drop: optional(bool(), 'The delivery is never made, or ends before the attempt that match selects.'),
      hold_until: optional(
        holdUntil(),
        'message.status: waits until the event of this later status of the same message was sent, so that deliveries are out of order.',
      ),
      forged_copy: optional(
        oneOf(['before', 'after']),
        'Sends one more request with the id of the event, other content and a wrong signature, one second before or after the delivery. It is never retried, and its failure does not count.',
      ),
      signature: optional(oneOf(SIGNATURES), 'Signature of the request.'),
      body: optional(
        oneOf(BODY_MODES),
        'Change of the body. truncate: cut short; reformatted: the same JSON with unusual spacing and escapes, with a valid signature; unknown_type: an event type that does not exist; huge: about 2 MB; forged: other content with the same id.',
      ),
      receiver: optional(receiver(), 'Outcome of the attempt. The receiver is contacted only if contacted is true.'),
    },
    {
      forms: {
        status: (source) => (/^[2-5]\d\d$/.test(source) ? `receiver: { simulate: ${source} }` : undefined),
      },
      atLeastOne: ['duplicate', 'delay', 'drop', 'hold_until', 'forged_copy', 'signature', 'body', 'receiver'],
    },
  ),
);
export type WebhookSlot = ValueOf<typeof webhookSchema>;

const inbound = part('InboundSlot', 'a reply of the customer', '{ after: 90s, text: "OK" }', () =>
  object(
    {
      after: optional(
        duration(),
        'Time from acceptance of the message to the reply. The reply never comes before the delivery. Default: at the delivery.',
      ),
      text: optional(anyText('Where is it?'), 'Text of the customer. Without text and button, a text is generated.'),
      button: optional(integer(1, 10, 1), 'Number of the button that the customer taps; 1 is the first.'),
    },
    {
      short: ['button', 'text'],
      check: ({ text: written, button }) =>
        written !== undefined &&
        button !== undefined && {
          at: 'button',
          code: 'not_exactly_one',
          message: 'text and button exclude each other.',
          allowed: 'text or button',
        },
    },
  ),
);

export const windowSchema = once(() => oneOf(['open', 'closed']));

/** The actions, in the order in which the documentation lists them. */
export const SLOT_NAMES = [
  'respond',
  'refuse',
  'limit',
  'lifecycle',
  'review',
  'otp',
  'webhook',
  'inbound',
  'window',
] as const;

const slots = once(() => ({
  respond: optional(respondSchema(), 'Response to the call.'),
  refuse: optional(refusalSchema(), 'message.send: rejects the recipient; in a batch, that entry alone.'),
  limit: optional(limit(), 'Rate limit in account time.'),
  lifecycle: optional(
    lifecycleSchema(),
    'message.send, otp.send: statuses that the channel reports, as offsets from acceptance, a preset, or a channel failure.',
  ),
  review: optional(reviewSchema(), 'template.create, template.review: decision of the platform owner, and its time.'),
  otp: optional(otp(), 'otp.send: code to send, its attempts and its expiry.'),
  webhook: optional(webhookSchema(), 'webhook.deliver: faults of the delivery.'),
  inbound: optional(
    inbound(),
    'message.send: the customer replies once the message is delivered. A failed message gets no reply.',
  ),
  window: optional(
    windowSchema(),
    'message.send: the 24-hour window counts as open or closed, whether the customer wrote or not.',
  ),
}));
export type SlotName = keyof ReturnType<typeof slots>;

export const slotsSchema = part('Slots', 'what the rule does', '{ respond: { status: 503 } }', () =>
  object(slots(), { atLeastOne: SLOT_NAMES }),
);
export type Slots = ValueOf<typeof slotsSchema>;
