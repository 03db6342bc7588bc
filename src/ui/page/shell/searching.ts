/** Whether the search is open, and the keys that open it. */
import { signal } from '@preact/signals';
import { makeOneStop } from '../parts/index.js';

export const searching = signal(false);

/** Keys that open the search; `j` and `k` begin in the list. Returns how to stop listening. */
export function listenForKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (document.querySelector('dialog[open]') || event.altKey) return;
    const command = event.ctrlKey || event.metaKey;
    const typing = target instanceof HTMLElement && target.matches('input, textarea, select');
    if (command ? key.toLowerCase() === 'k' : key === '/' && !typing) searching.value = true;
    else if (!command && !typing && (key === 'j' || key === 'k') && !(target as Element).closest('.scroller')) {
      const list = document.querySelector<HTMLElement>('.scroller');
      if (!list) return;
      makeOneStop(list);
      list.querySelector<HTMLElement>('.target[tabindex="0"]')?.focus();
    } else return;
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
