/** The news of a final failure that reached an application: by the response to a call, or by an event. */
import { hookOf } from '../language/hooks.js';
import type { Facts } from './facts.js';
import type { Placed } from './types.js';

/** True of the status of a message that was looked up, and of a rejected entry in the response to a batch. */
export const isReadByTest = (words: string): boolean =>
  /^"failed" from message\.get$|^"ok":false from message\.send$/.test(words);

export interface News {
  readonly words: string;
  /** True if the application asked for it. An application need not use other information. */
  readonly isCertain: boolean;
}

/** Only news about this customer or template. */
export function newsIn({ messages, requests, deliveries }: Facts, { point, fault }: Placed): News[] {
  const isReviewed = fault.rule?.then.review !== undefined;
  const subject = (isReviewed ? point.template : point.to) ?? '';
  const wordIn = (text: string, about = text) =>
    about.includes(subject) ? /"(?:failed|rejected)"|"ok":false/.exec(text)?.[0] : undefined;
  // A lookup names the message, not the customer.
  const own = new Set(messages.filter(({ to }) => to === subject).map(({ id }) => id));
  const calls = requests.map(({ status, error, operation, path, request: { body }, response }) => {
    const to = (body as { to?: unknown } | null)?.to;
    const isOwnLookup = operation === 'getMessage' && own.has(path.split('/').at(-1) ?? '');
    const isRejected =
      status !== null && status >= 400 && status < 500 && (to === undefined || JSON.stringify(to).includes(subject));
    if (isRejected) return `${status} ${error ?? ''}`.trim();
    const text = JSON.stringify(response?.body ?? null);
    const word = isOwnLookup ? wordIn(text, subject) : wordIn(text, JSON.stringify(body) + text);
    return word && `${word} from ${hookOf(operation) ?? operation}`;
  });
  const heard = deliveries.map(({ state, payload, event_type: event }) => {
    const word = state === 'delivered' && point.batch !== true ? wordIn(payload ?? '') : undefined;
    return word && `${word} in ${event}`;
  });
  const all = (texts: typeof calls, isCertain: boolean) =>
    texts.flatMap((words) => (words ? [{ words, isCertain }] : []));
  return [...all(calls, true), ...all(heard, isReviewed)];
}
