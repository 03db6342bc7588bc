import { effect, signal, type Signal } from '@preact/signals';

const prefix = 'messaging-sandbox/';
const signals = new Map<string, Signal<unknown>>();

/** A value that survives a reload of this tab, such as unsent input. The same name returns the same signal. */
export function draft<T>(name: string, initial: T): Signal<T> {
  return kept(sessionStorage, name, initial);
}

export function preference<T>(name: string, initial: T): Signal<T> {
  return kept(localStorage, name, initial);
}

function kept<T>(storage: Storage, name: string, initial: T): Signal<T> {
  const key = prefix + name;
  const known = signals.get(key);
  if (known) return known as Signal<T>;
  const made = signal(read(storage, key) ?? initial) as Signal<T>;
  signals.set(key, made);
  effect(() => {
    const text = JSON.stringify(made.value);
    try {
      if (text === JSON.stringify(initial)) storage.removeItem(key);
      else storage.setItem(key, text);
    } catch {
      // If storage is full or forbidden, only the persistence of drafts is lost.
    }
  });
  return made;
}

function read(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
