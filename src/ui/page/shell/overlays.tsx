/** Dialogs that belong to no panel, loaded when they are first opened, and the keys that open them. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { go, here } from '../core/location.js';
import { taste } from '../core/preference.js';
import { shownPanels } from '../panels/registry.js';
import { moveInList } from '../parts/one-stop.js';

type OverlayName = 'search' | 'keys';

interface OverlayProps {
  readonly onClose: () => void;
}

const loaders: Readonly<Record<OverlayName, () => Promise<ComponentType<OverlayProps>>>> = {
  search: () => import('./search-dialog.js').then((module) => module.SearchDialog),
  keys: () => import('./keys-dialog.js').then((module) => module.KeysDialog),
};

/** Which dialog is open. */
export const overlay = signal<OverlayName | null>(null);

export function Overlays() {
  const name = overlay.value;
  const [loaded, setLoaded] = useState<{ name: OverlayName; view: ComponentType<OverlayProps> } | null>(null);
  useEffect(() => listenForKeys((wanted) => (overlay.value = wanted)), []);
  useEffect(() => {
    if (name !== null) void loaders[name]().then((view) => setLoaded({ name, view }));
  }, [name]);
  if (name === null || loaded?.name !== name) return null;
  const View = loaded.view;
  return <View onClose={() => (overlay.value = null)} />;
}

/** Whether keys without a modifier are active. Speech input types letters, so they can be switched off (WCAG 2.1.4). */
export const singleKeys = taste('single-keys', true);

/**
 * Calls `open` when the user opens the search or the list of keys.
 * @returns a function that stops listening
 */
function listenForKeys(open: (name: 'search' | 'keys') => void): () => void {
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
