import type { Customer } from '../../core/records.js';

export function Avatar({ customer }: { customer: Pick<Customer, 'profile_name' | 'phone'> }) {
  return (
    <span class="avatar" aria-hidden="true">
      {initials(customer)}
    </span>
  );
}

/** Returns two letters of the name, or the last digits of the number. */
function initials({ profile_name: name, phone }: Pick<Customer, 'profile_name' | 'phone'>): string {
  const words = (name ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return phone.slice(-2);
  // A whole character, not half of a surrogate pair.
  const letter = (word = '') => String.fromCodePoint(word.codePointAt(0) ?? 32).trim();
  return `${letter(words[0])}${words.length > 1 ? letter(words.at(-1)) : ''}`.toUpperCase();
}
