/** Customers in the order of their activity, and what a list shows of them. */
import type { Customer } from '../../core/records.js';

/** Latest first. */
export function byActivity(customers: readonly Customer[]): Customer[] {
  const activity = ({ seq, last_message: last }: Customer) => last?.seq ?? seq;
  return customers.toSorted((a, b) => activity(b) - activity(a));
}

/** Returns the text of the latest message for the list, or its type. */
export function glimpseWords({ last_message: last }: Customer): string {
  if (!last) return 'No messages yet';
  const kind = { image: 'Image', document: 'Document', interactive: 'Buttons', template: 'Template', text: '' }[
    last.type
  ];
  if (last.text === null || last.text === '') return kind === '' ? 'Empty message' : kind;
  return last.type === 'image' || last.type === 'document' ? `${kind}: ${last.text}` : last.text;
}

/** Returns two letters of the name, or the last digits of the number. */
export function initials({ profile_name: name, phone }: Pick<Customer, 'profile_name' | 'phone'>): string {
  const words = (name ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return phone.slice(-2);
  // A whole character, not half of a surrogate pair.
  const letter = (word = '') => String.fromCodePoint(word.codePointAt(0) ?? 32).trim();
  return `${letter(words[0])}${words.length > 1 ? letter(words.at(-1)) : ''}`.toUpperCase();
}
