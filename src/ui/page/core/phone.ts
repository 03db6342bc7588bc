/** The format of phone numbers, and the numbers reserved for fiction. Some of these are magic numbers. */
import type { Info } from './records.js';

type Magic = Info['magic_numbers'][number];

/** Returns the documented behaviour of a magic number; null for an ordinary number. */
export function magicOf(phone: string, info: Info | null): Magic | null {
  const [, suffix] = /^\+1\d{3}55501(\d\d)$/.exec(phone) ?? [];
  return info?.magic_numbers.find((magic) => magic.suffix === suffix) ?? null;
}

/** Returns the first fictional number that is ordinary and not in use yet. */
export function freeNumber(taken: (phone: string) => boolean, info: Info | null): string {
  for (let last = 10; last < 100; last += 1) {
    const phone = fictional(String(last));
    if (!taken(phone) && magicOf(phone, info) === null) return phone;
  }
  return fictional('10');
}

export function fictional(suffix: string): string {
  return `+120255501${suffix}`;
}

/** Removes spaces and punctuation from a number. */
export function compactPhone(text: string): string {
  return text.replaceAll(/[\s()-]/g, '');
}
