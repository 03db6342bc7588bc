/** The size of the screen and its preferences, as signals. */
import { signal, type ReadonlySignal } from '@preact/signals';

/** Wide enough for a list and its open item. */
export const wide = matches('(min-width: 760px)');
/** Wide enough for a complete table and its open item. */
export const huge = matches('(min-width: 1800px)');
export const prefersDark = matches('(prefers-color-scheme: dark)');

function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const value = signal(list.matches);
  list.addEventListener('change', () => {
    value.value = list.matches;
  });
  return value;
}
