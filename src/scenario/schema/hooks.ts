/** The hooks of rules, with the facts and the slots of each. */
import { eventTypes, messageStatuses, messageTypes, templateCategories, templateStatuses } from '../../domain/words.js';
import type { SlotName } from './actions.js';

/** A closed list of values: a condition that matches none of them never holds. */
export interface Words {
  readonly values: readonly (string | number)[];
  /** A short description, if a list of all values would be long. */
  readonly allowed?: string;
  /** The values to suggest. Default: all, unless `allowed` describes them. */
  readonly near?: readonly string[];
}

export const words = (...values: readonly string[]): Words => ({ values });

/** The whole numbers from one to another. */
function numbers(from: number, to: number, allowed: string): Words {
  return { values: Array.from({ length: to - from + 1 }, (_, index) => from + index), allowed };
}

export const types = words(...messageTypes);
export const statuses = words(...messageStatuses);
export const reportedStatuses = words(...messageStatuses, ...templateStatuses);
export const categories = words(...templateCategories);
export const statusesOfTemplates = words(...templateStatuses);
export const events = words(...eventTypes);
export const methods = words('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');
export const httpStatuses = numbers(200, 599, 'an HTTP status from 200 to 599, or a class of them such as 4xx');
// Redeliveries can continue without end; a few hundred numbers suffice to find a condition that never holds.
export const attemptNumbers = numbers(1, 300, 'a whole number of at least 1');

const http = ['respond', 'limit'] as const;

/** Slots that have an effect at a hook; another one causes a warning. */
const SLOTS = {
  'api.any': http,
  'message.send': ['respond', 'refuse', 'limit', 'lifecycle', 'inbound', 'window'],
  'message.get': http,
  'otp.send': [...http, 'lifecycle', 'otp'],
  'otp.verify': http,
  'template.create': http,
  'template.get': http,
  'template.review': ['review'],
  'webhook.create': http,
  'webhook.deliver': ['webhook'],
} as const satisfies Readonly<Record<string, readonly SlotName[]>>;

export type Hook = keyof typeof SLOTS;
export const HOOKS = Object.keys(SLOTS) as Hook[];
export const SLOTS_BY_HOOK: Readonly<Record<Hook, readonly SlotName[]>> = SLOTS;

/** Facts that `match` can have at a hook; `not` is allowed at every hook. */
const FACTS = {
  'api.any': ['method', 'url', 'status'],
  'message.send': ['phone', 'type', 'template', 'language', 'category', 'text'],
  'message.get': ['phone', 'type', 'template', 'status'],
  'otp.send': ['phone', 'template'],
  'otp.verify': ['phone', 'template'],
  'template.create': ['name', 'category', 'language', 'body'],
  'template.get': ['name', 'category', 'language', 'body', 'status'],
  'template.review': ['name', 'category', 'language', 'body'],
  'webhook.create': ['url', 'events'],
  'webhook.deliver': ['event', 'status', 'type', 'url', 'alias', 'attempts', 'phone'],
} as const satisfies Readonly<Record<Hook, readonly string[]>>;
export type FactName = (typeof FACTS)[Hook][number];
export const FACTS_BY_HOOK: Readonly<Record<Hook, readonly FactName[]>> = FACTS;

const WORDS_BY_HOOK: Readonly<Partial<Record<Hook, Readonly<Partial<Record<FactName, Words>>>>>> = {
  'api.any': { method: methods, status: httpStatuses },
  // One-time codes are sent at otp.send.
  'message.send': { type: types, category: words('marketing', 'utility') },
  'message.get': { type: types, status: statuses },
  'template.create': { category: categories },
  'template.get': { category: categories, status: statusesOfTemplates },
  'template.review': { category: categories },
  'webhook.create': { events },
  'webhook.deliver': { event: events, status: reportedStatuses, type: types, attempts: attemptNumbers },
};

/** Returns the possible values of a fact at a hook; undefined if there is no list. */
export function wordsOfFact(hook: Hook, fact: FactName): Words | undefined {
  return WORDS_BY_HOOK[hook]?.[fact];
}

/**
 * Facts about a call or event, for a decision. `events` is a list, `attempts` and the `status` of `api.any` are numbers,
 * everything else is a string.
 */
export type Facts = Readonly<Partial<Record<FactName, string | number | readonly string[]>>>;

/** Operations have two names: the hook of the language (`message.send`), and the operationId. Callers may use either. */
const operationIdByHook: Readonly<Record<string, string>> = {
  'message.send': 'sendMessage',
  'message.get': 'getMessage',
  'otp.send': 'sendOtp',
  'otp.verify': 'verifyOtp',
  'template.create': 'createTemplate',
  'template.get': 'getTemplate',
  'template.list': 'listTemplates',
  'webhook.create': 'createWebhook',
  'webhook.list': 'listWebhooks',
  'webhook.delete': 'deleteWebhook',
};

const hookByOperationId = new Map(Object.entries(operationIdByHook).map(([hook, id]) => [id, hook]));

export const operationHooks: readonly string[] = Object.keys(operationIdByHook);

/** Returns the operationId of a name; an unknown name is returned unchanged. */
export function operationIdOf(name: string): string {
  return operationIdByHook[name] ?? name;
}

/** Returns the dotted name of an operation; null if the call is not an operation. */
export function hookOf(operationId: string | null): string | null {
  return operationId === null ? null : (hookByOperationId.get(operationId) ?? operationId);
}
