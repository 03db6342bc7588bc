import { z } from 'zod';
import { channelErrors } from '../domain/errors.js';
import type { Schema } from './about.js';
import { anyText, choice, integer, list, misplaced, object, optional, text } from './kit.js';
import { SLOT_NAMES, type SlotName } from './hooks.js';
import {
  lifecyclePresets,
  lifecycleSteps,
  lifecycleWords,
  LIFECYCLE_STATUSES,
  type LifecycleStep,
} from './lifecycle.js';
import { limit, refusalSchema, respondSchema } from './respond.js';
import { channelErrorName, duration } from './texts.js';

const step = object(
  {
    sent: optional(duration, 'Time from acceptance to the report of `sent`.'),
    delivered: optional(duration, 'Time from acceptance to the report of `delivered`.'),
    read: optional(duration, 'Time from acceptance to the report of `read`.'),
    failed: optional(duration, 'Time from acceptance to the report of `failed`.'),
    error: optional(
      channelErrorName,
      'Only if the status is `failed`: the name or number of the channel failure. Default: `unknown_error`.',
    ),
  },
  {
    name: 'LifecycleStep',
    exactlyOne: LIFECYCLE_STATUSES,
    check: ({ error, failed, ...others }) =>
      error !== undefined &&
      failed === undefined &&
      Object.keys(others).length > 0 &&
      misplaced('error', 'error needs failed; this step has another status.', '{ failed: 5s, error: undeliverable }'),
  },
);

const lifecycleName = text({
  allowed: 'a preset or a failure of the channel by name or number',
  example: 'happy',
  check(value) {
    if (lifecycleSteps(value) !== undefined) return undefined;
    const known = { code: 'unknown_word', words: lifecycleWords };
    if (!LIFECYCLE_STATUSES.some((one) => one === value)) {
      const message = 'There is no lifecycle of this name.';
      const presets = lifecyclePresets.map(({ name }) => name).join(', ');
      const allowed = `${presets}; a failure such as undeliverable; or steps such as [sent: 1s, delivered: 2s]`;
      return { ...known, message, allowed, example: 'undeliverable' };
    }
    const message = `A lifecycle is a name or a list of steps; the status ${value} at once is a step.`;
    return { ...known, message, replacement: `[${value}: 0s]` };
  },
  keywords: { enum: [...lifecycleWords, ...channelErrors.flatMap(({ channelCode: code }) => [code, String(code)])] },
});

export const lifecycleSchema = choice<string | LifecycleStep[]>([lifecycleName, list(step, 0, 20)], {
  allowed: 'a preset, a failure of the channel, or a list of steps',
  name: 'Lifecycle',
});
export type Lifecycle = z.output<typeof lifecycleSchema>;

export const reviewSchema = object(
  {
    status: z.enum(['approved', 'rejected', 'pending']).describe('Decision.'),
    after: optional(duration, 'Time from submission to decision. Default: `0s`.'),
    because: optional(anyText('The body reads like marketing.', 1000), 'Only if the status is `rejected`: the reason.'),
  },
  {
    name: 'Review',
    short: ['status'],
    check: ({ because, status }) =>
      because !== undefined &&
      status !== 'rejected' &&
      misplaced('because', 'because needs status: rejected.', 'because beside status: rejected'),
  },
);
export type ReviewSlot = z.output<typeof reviewSchema>;

const otpCode = text({ allowed: '4 to 8 digits', example: '"042042"', pattern: /^\d{4,8}$/ });
const otp = object(
  {
    code: optional(otpCode, 'Code to send, truncated to the requested length.'),
    attempts: optional(integer(1, 20, 3), 'Number of wrong codes until the code is locked. Default: `5`.'),
    expires: optional(duration, 'Time from send to expiry, instead of the requested time.'),
  },
  { name: 'Otp', atLeastOne: ['code', 'attempts', 'expires'], short: ['code'] },
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

const simulate = choice<(typeof SIMULATIONS)[number] | number>([z.enum(SIMULATIONS), integer(200, 599, 500)], {
  allowed: `${SIMULATIONS.join(', ')}, or an HTTP status from 200 to 599`,
});

const holdUntil = object(
  { status: z.enum(LIFECYCLE_STATUSES).describe('Status whose event is sent first.') },
  { short: ['status'] },
);

const receiver = object(
  {
    simulate: simulate.describe(
      'HTTP status of a simulated response, or a failure of the connection. The receiver gets no request. Exception: with `late`, the receiver gets the request, and its response counts as timed out.',
    ),
  },
  { short: ['simulate'] },
);

export const webhookSchema = object(
  {
    duplicate: optional(integer(1, 10, 1), 'Extra copies of the delivery, with the same event id and bytes.'),
    delay: optional(duration, 'Delay of the delivery, in account time.'),
    drop: optional(z.boolean(), '`true`: the sandbox never sends the delivery.'),
    hold_until: optional(
      holdUntil,
      'Only for events of the type `message.status`: the delivery waits for a later status of the same message. With `{ status: read }`, the event is sent after the message was read, and after the event that reports this.',
    ),
    signature: optional(z.enum(SIGNATURES), 'Signature of the request.'),
    body: optional(
      z.enum(BODY_MODES),
      'Change of the body. `reformatted`: the same JSON with unusual spacing and escapes. `forged`: other content with the same event id. Its signature is valid, unless you set the key `signature`. `forged_before`, `forged_after`: an additional forged request with an invalid signature, one second before or after the delivery.',
    ),
    receiver: optional(receiver, 'Simulated outcome of the attempt.'),
  },
  {
    name: 'WebhookSlot',
    atLeastOne: ['duplicate', 'delay', 'drop', 'hold_until', 'signature', 'body', 'receiver'],
  },
);
export type WebhookSlot = z.output<typeof webhookSchema>;

const inbound = object(
  {
    after: optional(
      duration,
      'Delay of the reply, from the acceptance of the message. Default: the reply comes at the delivery.',
    ),
    text: optional(anyText('Where is it?'), 'Text of the reply. Default: a generated text, if there is no button.'),
    button: optional(
      integer(1, 10, 1),
      'Number of the button that the customer taps in the message. `1`: the first button.',
    ),
  },
  {
    name: 'InboundSlot',
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
);

export const windowSchema = z.enum(['open', 'closed']);

const slots = {
  respond: optional(respondSchema, 'Response to the call.'),
  refuse: optional(
    refusalSchema,
    'Rejection of the recipient, at the hook `message.send`. In a batch, the other entries are not rejected.',
  ),
  limit: optional(
    limit,
    'Rate limit in account time, which also limits calls at once. Above it, the response is 429 `rate_limited` with the header `Retry-After`.',
  ),
  lifecycle: optional(
    lifecycleSchema,
    'Reports of the channel, at the hooks `message.send` and `otp.send`: a preset, a channel failure, or a list of steps.',
  ),
  review: optional(reviewSchema, 'Decision of the platform owner and its time, at the hook `template.review`.'),
  otp: optional(otp, 'Code to send, its attempts and its expiry, at the hook `otp.send`.'),
  webhook: optional(webhookSchema, 'Faults of the delivery, at the hook `webhook.deliver`.'),
  inbound: optional(inbound, 'Reply of the customer to a delivered message, at the hook `message.send`.'),
  window: optional(windowSchema, 'State of the session window, at the hook `message.send`.'),
} satisfies Readonly<Record<SlotName, Schema>>;

export const slotsSchema = object(slots, {
  name: 'Slots',
  allowed: 'what the rule does',
  atLeastOne: SLOT_NAMES,
});
export type Slots = z.output<typeof slotsSchema>;
