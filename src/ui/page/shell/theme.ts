import { computed, effect } from '@preact/signals';
import { matches, preference } from '../core/index.js';

const prefersDark = matches('(prefers-color-scheme: dark)');
const chosen = preference<'light' | 'dark' | null>('theme', null);

export const dark = computed(() => (chosen.value === null ? prefersDark.value : chosen.value === 'dark'));

effect(() => {
  document.documentElement.dataset['theme'] = dark.value ? 'dark' : 'light';
});

/** Choosing the system's theme makes the page follow the system again. */
export function toggleTheme(): void {
  const next = dark.value ? 'light' : 'dark';
  chosen.value = (next === 'dark') === prefersDark.value ? null : next;
}
