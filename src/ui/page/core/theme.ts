/** The size of the screen and its preferences, and the theme: the system's, unless the user has chosen one. */
import { computed, effect, signal } from '@preact/signals';
import { preference } from './kept.js';

/** Wide enough for a list and its open item. */
export const wide = matches('(min-width: 47.5rem)');
const prefersDark = matches('(prefers-color-scheme: dark)');

function matches(query: string) {
  const list = matchMedia(query);
  const value = signal(list.matches);
  list.addEventListener('change', () => (value.value = list.matches));
  return value;
}

const chosen = preference<'light' | 'dark' | null>('theme', null);

export const dark = computed(() => (chosen.value === null ? prefersDark.value : chosen.value === 'dark'));

effect(() => {
  document.documentElement.dataset['theme'] = dark.value ? 'dark' : 'light';
});

/** Switches to the other theme. Choosing the system's theme makes the page follow the system again. */
export function toggleTheme(): void {
  const next = dark.value ? 'light' : 'dark';
  chosen.value = (next === 'dark') === prefersDark.value ? null : next;
}
