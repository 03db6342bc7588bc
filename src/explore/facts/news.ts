/** The news of a final failure that reached an application: by the response to a call, or by an event. */
import { hookOf } from '../../language/hooks.js';
import type { Facts } from './facts.js';
import type { Placed } from './types.js';

export interface News {
  readonly words: string;
  /** True if the application asked for it. An application need not use other information. */
  readonly isCertain: boolean;
  /** True if it is the status of a message that the application looked up. */
  readonly isLookedUp: boolean;
}

/** Only news about this customer or template, which the run without the fault does not have. */
export function newsIn(usual: Facts, found: Facts, placed: Placed): News[] {
  const known = allNewsIn(usual, placed).map(({ words }) => words);
  return allNewsIn(found, placed).filter(({ words }) => !known.includes(words));
}

function allNewsIn({ messages, requests, deliveries }: Facts, { point, fault }: Placed): News[] {
  const isReviewed = fault.rule?.then.review !== undefined;
  const subject = (isReviewed ? point.template : point.to) ?? '';
  const wordIn = (text: string, about = text) =>
    about.includes(subject) ? /"(?:failed|rejected)"|"ok":false/.exec(text)?.[0] : undefined;
  // A lookup names the message, not the customer.
  const own = new Set(messages.filter(({ to }) => to === subject).map(({ id }) => id));
  const calls = requests.flatMap(({ status, error, operation, path, request: { body }, response }): News[] => {
    const to = (body as { to?: unknown } | null)?.to;
    const isOwnLookup = operation === 'getMessage' && own.has(path.split('/').at(-1) ?? '');
    const isRejected =
      status !== null && status >= 400 && status < 500 && (to === undefined || JSON.stringify(to).includes(subject));
    if (isRejected) return [{ words: `${status} ${error ?? ''}`.trim(), isCertain: true, isLookedUp: false }];
    const text = JSON.stringify(response?.body ?? null);
    const word = isOwnLookup ? wordIn(text, subject) : wordIn(text, JSON.stringify(body) + text);
    const words = `${word} from ${hookOf(operation) ?? operation}`;
    return word === undefined ? [] : [{ words, isCertain: true, isLookedUp: isOwnLookup }];
  });
  const heard = deliveries.flatMap(({ state, payload, event_type: event }): News[] => {
    const word = state === 'delivered' && point.batch !== true ? wordIn(payload ?? '') : undefined;
    return word === undefined ? [] : [{ words: `${word} in ${event}`, isCertain: isReviewed, isLookedUp: false }];
  });
  return [...calls, ...heard];
}
