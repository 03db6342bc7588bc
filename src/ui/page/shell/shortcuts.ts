/** Keys that work anywhere in the web UI. `keys-dialog.tsx` lists them. */
import { here, go } from '../core/location.js';
import { taste } from '../core/preference.js';
import { moveInList } from '../parts/one-stop.js';
import { shownPanels } from '../panels/registry.js';

/** Whether keys without a modifier are active. Speech input types letters, so they can be switched off (WCAG 2.1.4). */
export const singleKeys = taste('single-keys', true);

/**
 * Calls `open` when the user opens the search or the list of keys.
 * @returns a function that stops listening
 */
export function listenForKeys(open: (name: 'search' | 'keys') => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (document.querySelector('dialog[open]')) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      open('search');
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !singleKeys.value) return;
    if (pressed(event.key, open)) event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** @returns whether the key is a shortcut */
function pressed(key: string, open: (name: 'search' | 'keys') => void): boolean {
  if (key === '/' || key === '?') {
    open(key === '/' ? 'search' : 'keys');
    return true;
  }
  if (key === 'j' || key === 'k') {
    const content = document.getElementById('content');
    return content !== null && moveInList(content, key === 'j' ? 1 : -1);
  }
  const panel = /^[1-9]$/.test(key) ? shownPanels[Number(key) - 1] : undefined;
  if (panel) go(here(panel.id));
  return panel !== undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
