/** The filters of a wait: which of them each subject has, and what they may say (contract §4). */
import { invalidField } from '../../domain/errors.js';
import { eventTypes } from '../../domain/event.js';
import { messageStatuses, messageTypes } from '../../domain/message.js';
import { operationIdOf } from '../../scenario/engine/operation-names.js';
import { phone, text } from './listing.js';

export type WaitFilter = Readonly<Record<string, string | undefined>>;

/** What a filter may say for one subject, where the document allows more because another subject has it, too. */
interface Words {
  readonly fits: (value: string) => boolean;
  readonly allowed: string;
}

/** A subject's filters by name; null where what the document allows is all right. */
type Filters = Readonly<Record<string, Words | null>>;

const oneOf = (words: readonly string[]): Words => ({
  fits: (value) => words.includes(value),
  allowed: `one of ${words.join(', ')}`,
});

const httpStatus: Words = {
  fits: (value) => /^\d/.test(value),
  allowed: 'an HTTP status such as 404, or a class such as 4xx',
};

const filtersOf = {
  event: { type: oneOf(eventTypes), message_id: null },
  delivery: { webhook_id: null, event: null, event_type: null, state: null },
  message: { to: null, status: oneOf(messageStatuses), type: oneOf(messageTypes) },
  request: { path: null, method: null, status: httpStatus, operation: null },
  otp: { to: null },
} as const satisfies Readonly<Record<string, Filters>>;

/** What can be waited for. */
export type WaitSubject = keyof typeof filtersOf;

const notFilters = ['for', 'count', 'timeout', 'after'];

/**
 * The filters of a call. One that could never fit would be waited for in vain: it is refused.
 * @throws ServiceError `validation_error` for a filter of another subject, or one that says what only another's can
 */
export function waitFilter(subject: WaitSubject, query: Readonly<Record<string, unknown>>): WaitFilter {
  const filters: Filters = filtersOf[subject];
  const filter: Record<string, string | undefined> = {};
  for (const key of Object.keys(query)) {
    const value = text(query, key);
    if (notFilters.includes(key) || value === undefined) continue;
    const words = Object.hasOwn(filters, key) ? filters[key] : undefined;
    if (words === undefined) {
      throw invalidField(key, `is no filter of for=${subject}; its filters are ${Object.keys(filters).join(', ')}`);
    }
    if (words?.fits(value) === false)
      throw invalidField(key, `must be ${words.allowed}, with for=${subject}; found "${value}"`);
    filter[key] = key === 'to' ? phone(value) : key === 'operation' ? operationIdOf(value) : value;
  }
  return filter;
}
