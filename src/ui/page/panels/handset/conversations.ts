/** Sorts and filters conversations. */
import type { Customer } from '../../core/records.js';

/** Returns the customers that match the search, latest activity first. */
export function orderedConversations(customers: readonly Customer[], search: string): Customer[] {
  const wanted = search.trim().toLowerCase();
  const digits = wanted.replaceAll(/[\s()-]/g, '');
  const fits = ({ phone, profile_name: name, last_message: last }: Customer) =>
    wanted === '' ||
    (digits !== '' && phone.includes(digits)) ||
    (name?.toLowerCase().includes(wanted) ?? false) ||
    (last?.text?.toLowerCase().includes(wanted) ?? false);
  return customers.filter(fits).sort((a, b) => activity(b) - activity(a));
}

function activity({ seq, last_message: last }: Customer): number {
  return last?.seq ?? seq;
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
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return `${firstCharacter(first)}${firstCharacter(last)}`.toUpperCase();
}

/** Returns a whole character, not half of a surrogate pair. */
function firstCharacter(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 32).trim();
}

/** Returns one of six hues, always the same for a number. */
export function hueOf(phone: string): number {
  return Number(phone.slice(-4).replaceAll(/\D/g, '')) % 6;
}
