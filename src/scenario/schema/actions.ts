/** The actions of rules: what each key means and which values it allows. */
import { misplaced, object, once, optional, part, required, type ValueOf } from './kit.js';
import { anyText, bool, integer, oneOf, text, wordOrNumber } from './scalars.js';
import { limit } from './limit.js';
import { lifecycleSchema, LIFECYCLE_STATUSES } from './lifecycle.js';
import { refusalSchema, respondSchema } from './respond.js';
import { duration } from './durations.js';

const decided = (status: string) => (source: string) =>
  /^(?:true|yes|on)$/.test(source) ? [`status: ${status}`] : undefined;

export const reviewSchema = part('Review', 'a decision on a template', '{ status: approved }', () =>
  object(
    {
      status: required(
        oneOf(['approved', 'rejected', 'pending']),
        'approved, rejected, or pending for a template that is never decided.',
      ),
      after: optional(duration(), 'Time from submission to decision. Default: 0s.'),
      because: optional(
        anyText('The body reads like marketing.', { maxLength: 1000 }),
        'With rejected: reason of the reviewer.',
      ),
    },
    {
      short: ['status'],
      old: {
        approve: decided('approved'),
        reject: decided('rejected'),
        never: decided('pending'),
        reason: 'because',
        event_lag: (source) => ({
          code: 'other_form',
          message: 'The event of a review is delayed like any other delivery.',
          allowed: `a rule { when: webhook.deliver, match: { event: template.status }, then: { webhook: { delay: ${source} } } }`,
        }),
        later: () => ({
          code: 'other_form',
          message: 'What happens to a template after its review is a step of the timeline.',
          allowed: '{ at: { after: ID_OF_THIS_RULE, by: 3d }, template: { name: NAME, status: paused } }',
        }),
      },
      check: ({ because, status }) =>
        because !== undefined &&
        status !== 'rejected' &&
        misplaced('because', 'because needs status: rejected.', 'because beside status: rejected'),
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
export const BODY_MODES = [
  'exact',
  'truncate',
  'reformatted',
  'unknown_type',
  'huge',
  'forged',
  'forged_before',
  'forged_after',
] as const;
export const SIMULATIONS = ['refused', 'timeout', 'late', 'reset'] as const;

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
      simulate: required(
        simulate(),
        'Connection refused, timed out or reset, or this HTTP status. late: the receiver gets the request and handles it, but its response counts as timed out.',
      ),
    },
    {
      short: ['simulate'],
      old: {
        contacted: () => ({
          code: 'other_form',
          message: 'A receiver that handles the request, but responds too late, is simulated by one word.',
          allowed: 'simulate: late',
        }),
      },
    },
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
      signature: optional(oneOf(SIGNATURES), 'Signature of the request.'),
      body: optional(
        oneOf(BODY_MODES),
        'Change of the body. truncate: cut short; reformatted: the same JSON with unusual spacing and escapes, with a valid signature; unknown_type: an event type that does not exist; huge: about 2 MB; forged: other content with the same id. forged_before, forged_after: one more request with other content and a wrong signature, one second before or after the delivery; it is never retried.',
      ),
      receiver: optional(receiver(), 'Outcome of the attempt. The receiver is contacted only with late.'),
    },
    {
      old: {
        status: (source) => (/^[2-5]\d\d$/.test(source) ? [`receiver: { simulate: ${source} }`] : undefined),
        receiver: (source) =>
          /^\{ *simulate: *timeout, *contacted: *true *\}$/.test(source) ? ['receiver: { simulate: late }'] : undefined,
        forged_copy: (source) => (/^(?:before|after)$/.test(source) ? [`body: forged_${source}`] : undefined),
      },
      atLeastOne: ['duplicate', 'delay', 'drop', 'hold_until', 'signature', 'body', 'receiver'],
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

export const WINDOWS = ['open', 'closed'] as const;
export const windowSchema = once(() => oneOf(WINDOWS));

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
  limit: optional(
    limit(),
    'Number of calls per account time, and at once. Above it, the response is 429 rate_limited with Retry-After.',
  ),
  lifecycle: optional(
    lifecycleSchema(),
    'message.send, otp.send: statuses that the channel reports, as offsets from acceptance, a preset, or a channel failure.',
  ),
  review: optional(reviewSchema(), 'template.review: decision of the platform owner, and its time.'),
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
  object(slots(), {
    atLeastOne: SLOT_NAMES,
    old: {
      respond(source) {
        const [, refusal] = /^\{ *refuse: *(.*?) *\}$/.exec(source) ?? [];
        return refusal === undefined ? undefined : [`refuse: ${refusal}`];
      },
    },
  }),
);
export type Slots = ValueOf<typeof slotsSchema>;
