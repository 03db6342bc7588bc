/** Dialogs that belong to no panel, loaded when they are first opened, and the keys that open them. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { listenForKeys } from './shortcuts.js';

export type OverlayName = 'search' | 'keys';

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
