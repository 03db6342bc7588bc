/**
 * The possible values of facts and of fields of records, if they are a closed list. A condition that matches none of them
 * never holds.
 */
import { channelErrors } from '../../domain/channel-errors.js';
import { errorTable } from '../../domain/errors.js';
import { eventTypes } from '../../domain/event.js';
import { messageStatuses, messageTypes } from '../../domain/message.js';
import { compileMatcher, type FactValue } from '../engine/matchers.js';
import type { ExpectSubject } from '../language/expectations.js';
import { TEMPLATE_CATEGORIES, TEMPLATE_STATUSES } from '../language/scenario.js';
import { HOOKS, type FactName, type Hook } from '../language/hooks.js';
import type { Match, Matcher } from '../language/rules.js';

export interface Words {
  readonly values: readonly FactValue[];
  /** A short description, if a list of all values would be long. */
  readonly allowed?: string;
  /** The values to suggest. Default: all, unless `allowed` describes them. */
  readonly near?: readonly string[];
}

const words = (values: readonly string[]): Words => ({ values });

/** The whole numbers from one to another. */
function numbers(from: number, to: number, allowed: string): Words {
  return { values: Array.from({ length: to - from + 1 }, (_, index) => from + index), allowed };
}

const types = words(messageTypes);
const reportedStatuses = words([...messageStatuses, ...TEMPLATE_STATUSES]);
const categories = words(TEMPLATE_CATEGORIES);
const templateStatuses = words(TEMPLATE_STATUSES);
const events = words(eventTypes);
const methods = words(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const httpStatuses = numbers(200, 599, 'an HTTP status from 200 to 599, or a class of them such as 4xx');
const codeLengths = numbers(4, 8, 'a whole number from 4 to 8');
// Redeliveries can continue without end; a few hundred numbers suffice to find a condition that never holds.
const attemptNumbers = numbers(1, 300, 'a whole number from 1 on');
/** Hooks that are not a single operation. */
const besideCalls: readonly Hook[] = ['api.any', 'template.review', 'webhook.deliver'];
const callsWithoutHook = ['template.list', 'webhook.list', 'webhook.delete'];
const operations = words([...HOOKS.filter((hook) => !besideCalls.includes(hook)), ...callsWithoutHook]);

const byHook: Readonly<Partial<Record<Hook, Readonly<Partial<Record<FactName, Words>>>>>> = {
  'api.any': { method: methods, status: httpStatuses },
  'message.send': { type: types, category: categories },
  'message.get': { type: types, status: words(messageStatuses) },
  'otp.send': { length: codeLengths },
  'otp.verify': { length: codeLengths },
  'template.create': { category: categories },
  'template.get': { category: categories, status: templateStatuses },
  'template.review': { category: categories },
  'webhook.create': { events },
  'webhook.deliver': { event: events, status: reportedStatuses, type: types, attempt: attemptNumbers },
};

/** Possible values of what a customer did before. */
export const customerWords = { said: undefined, last_status: words(messageStatuses), sends: undefined } as const;

/** Returns the possible values of a fact at a hook; undefined if there is no list. */
export function wordsOfFact(hook: Hook, fact: FactName): Words | undefined {
  return byHook[hook]?.[fact];
}

const bySubject: Readonly<Record<ExpectSubject, Readonly<Record<string, Words>>>> = {
  requests: { operation: operations, method: methods, status: httpStatuses, type: types },
  webhooks: { events, status: words(['active', 'paused']) },
  attempts: { event: events, status: httpStatuses, message_status: reportedStatuses },
  deliveries: {
    event: events,
    state: words(['pending', 'delivered', 'retrying', 'held', 'dropped', 'failed']),
    message_status: reportedStatuses,
  },
  messages: {
    direction: words(['inbound', 'outbound']),
    type: types,
    status: words([...messageStatuses, 'received']),
    error: words(channelErrors.map(({ code }) => code)),
  },
  templates: { category: categories, status: templateStatuses },
  otps: { state: words(['active', 'verified', 'locked', 'expired']) },
  events: { type: events, status: reportedStatuses },
};

/** Returns the possible values of a field; undefined if there is no list. */
export function wordsOfField(subject: ExpectSubject, field: string): Words | undefined {
  const known = bySubject[subject];
  return Object.hasOwn(known, field) ? known[field] : undefined;
}

/** Error codes of rejected calls without any rule. */
export const errorCodes: readonly string[] = [
  ...Object.entries(errorTable).flatMap(([code, { plane }]) => (plane === 'control' ? [] : [code])),
  ...channelErrors.map(({ code }) => code),
];

/** Returns whether a condition matches one of the values, or their absence. */
export function fitsSome(matcher: Matcher, values: readonly FactValue[]): boolean {
  const test = compileMatcher(matcher);
  return test(undefined) || values.some(test);
}

/** Facts or fields that a kind of call, event or record does not have. */
export interface Lacking {
  readonly of: string;
  readonly facts: readonly string[];
}

/** Returns the facts that a call or event lacks because of its type: a condition on one of them never holds. */
export function factsLacking(hook: Hook, { type, event, batch }: Match): Lacking[] {
  const lacking: Lacking[] = [];
  if (hook === 'message.send' || hook === 'message.get') {
    const can = (...types: string[]) => type === undefined || fitsSome(type, types);
    if (!can('template')) {
      const facts: FactName[] = [
        'template',
        'language',
        'category',
        'variables',
        ...(batch === true ? (['batch'] as const) : []),
      ];
      lacking.push({ of: 'a message of this type', facts });
    }
    if (!can('text', 'interactive', 'template')) lacking.push({ of: 'a message of this type', facts: ['text'] });
  }
  if (hook === 'webhook.deliver' && event !== undefined) {
    const can = (...types: string[]) => fitsSome(event, types);
    const of = 'an event of this type';
    if (!can('message.status', 'template.status')) lacking.push({ of, facts: ['status'] });
    if (!can('message.status', 'message.received')) lacking.push({ of, facts: ['type'] });
    if (!can('message.status', 'message.received', 'otp.verified')) lacking.push({ of, facts: ['to'] });
  }
  return lacking;
}

/** Returns the fields that a record lacks because of its type. */
export function fieldsLacking(that: ExpectSubject, { type, event, operation }: Record<string, Matcher>): Lacking[] {
  if (that === 'messages' && type !== undefined) return factsLacking('message.send', { type });
  if ((that === 'attempts' || that === 'deliveries') && event !== undefined) {
    const named = (fact: string) => (fact === 'status' ? 'message_status' : fact);
    return factsLacking('webhook.deliver', { event }).map(({ of, facts }) => ({ of, facts: facts.map(named) }));
  }
  if (that !== 'requests' || operation === undefined) return [];
  const can = (...operations: string[]) => fitsSome(operation, operations);
  const of = 'a request of this operation';
  return [
    ...(can('message.send') ? [] : [{ of, facts: ['type', 'batch'] }]),
    ...(can('message.send', 'otp.send') ? [] : [{ of, facts: ['to', 'template'] }]),
  ];
}
