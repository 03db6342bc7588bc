/** The hooks of rules, with the facts and the slots of each. */
import type { SlotName } from './slots.js';

export const HOOKS = [
  'api.any',
  'message.send',
  'message.get',
  'otp.send',
  'otp.verify',
  'template.create',
  'template.get',
  'template.review',
  'webhook.create',
  'webhook.deliver',
] as const;
export type Hook = (typeof HOOKS)[number];

const http = ['respond', 'limit'] as const;

/** Slots that have an effect at a hook; another one causes a warning. */
export const SLOTS_BY_HOOK: Readonly<Record<Hook, readonly SlotName[]>> = {
  'api.any': http,
  'message.send': ['respond', 'refuse', 'limit', 'lifecycle', 'inbound', 'window'],
  'message.get': http,
  'otp.send': [...http, 'lifecycle', 'otp'],
  'otp.verify': http,
  'template.create': [...http, 'review'],
  'template.get': http,
  'template.review': ['review'],
  'webhook.create': http,
  'webhook.deliver': ['webhook'],
};

/**
 * The slots that are evaluated at each hook. A review is evaluated when there is a template to review: a `template.create`
 * rule with a review applies at `template.review`, in its order, and does not count rejected submissions.
 */
export const SLOTS_ASKED_AT: Readonly<Record<Hook, readonly SlotName[]>> = {
  ...SLOTS_BY_HOOK,
  'template.create': http,
};

/** Returns the hooks at which a rule is evaluated. */
export function hooksOf({ when }: { readonly when: Hook }): readonly Hook[] {
  return when === 'template.create' ? ['template.create', 'template.review'] : [when];
}

/** Facts that `match` can have at a hook; `account`, `not` and `any` are allowed at every hook. */
export const FACTS_BY_HOOK: Readonly<Record<Hook, readonly FactName[]>> = {
  'api.any': ['method', 'path', 'status'],
  'message.send': ['to', 'type', 'template', 'language', 'category', 'text', 'variables', 'batch', 'customer', 'after'],
  'message.get': ['to', 'type', 'template', 'status', 'customer', 'after'],
  'otp.send': ['to', 'template', 'length', 'customer', 'after'],
  'otp.verify': ['to', 'template', 'length', 'customer', 'after'],
  'template.create': ['name', 'category', 'language', 'body'],
  'template.get': ['name', 'category', 'language', 'body', 'status'],
  'template.review': ['name', 'category', 'language', 'body'],
  'webhook.create': ['url', 'events'],
  'webhook.deliver': ['event', 'status', 'type', 'endpoint', 'alias', 'attempt', 'to', 'customer', 'after'],
};

export const FACT_NAMES = [
  'account',
  'to',
  'type',
  'template',
  'language',
  'category',
  'text',
  'variables',
  'batch',
  'length',
  'name',
  'body',
  'url',
  'events',
  'event',
  'status',
  'endpoint',
  'alias',
  'attempt',
  'method',
  'path',
  'customer',
  'after',
] as const;
export type FactName = (typeof FACT_NAMES)[number];

/**
 * Facts about a call or event, for a decision. `variables` and `events` are lists, `batch` a boolean, `attempt`,
 * `length` and the `status` of `api.any` numbers, everything else a string.
 */
export type Facts = Readonly<
  Partial<Record<Exclude<FactName, 'customer' | 'after'>, string | number | boolean | readonly string[]>>
>;
