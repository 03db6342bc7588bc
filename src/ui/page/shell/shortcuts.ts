/** Keys that work anywhere in the web UI. `keys-dialog.tsx` lists them. */
import { here, go } from '../core/location.js';
import { panels } from '../panels/registry.js';

/** Calls `open` when the search or the list of keys is asked for. @returns how to end that */
export function listenForKeys(open: (name: 'search' | 'keys') => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (document.querySelector('dialog[open]')) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      open('search');
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (pressed(event.key, open)) event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** @returns whether the key means something */
function pressed(key: string, open: (name: 'search' | 'keys') => void): boolean {
  if (key === '/' || key === '?') {
    open(key === '/' ? 'search' : 'keys');
    return true;
  }
  if (key === 'j' || key === 'k') return moveInList(key === 'j' ? 1 : -1);
  const panel = /^[1-9]$/.test(key) ? panels[Number(key) - 1] : undefined;
  if (panel) go(here(panel.id));
  return panel !== undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** Moves the focus to the next row of the list; without a focused row, to the open or the first one. */
function moveInList(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('#content .row-link')];
  const focused = rows.findIndex((row) => row === document.activeElement);
  const opened = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const from = focused >= 0 ? focused : opened;
  const row = from < 0 ? rows[0] : rows[from + by];
  row?.focus();
  return rows.length > 0;
}
