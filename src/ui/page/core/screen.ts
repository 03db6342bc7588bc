import { signal } from '@preact/signals';

/** Wide enough for a list and its open item. */
export const wide = matches('(min-width: 47.5rem)');

export function matches(query: string) {
  const list = matchMedia(query);
  const value = signal(list.matches);
  list.addEventListener('change', () => (value.value = list.matches));
  return value;
}
