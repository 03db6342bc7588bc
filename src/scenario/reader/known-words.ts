/** What the other conditions of a rule or an expectation exclude. */
import type { ExpectSubject } from '../language/expectations.js';
import { type FactName, type Hook, statuses } from '../language/hooks.js';
import type { Match, Matcher } from '../language/match.js';
import { compileMatcher, type FactValue } from '../language/matchers.js';

/** Possible values of what a customer did before. */
export const customerWords = { said: undefined, last_status: statuses, sends: undefined } as const;

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
