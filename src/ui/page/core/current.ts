/** The account that is shown, and its model. One model lives at a time: another key ends the one before. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { AccountModel } from './model.js';

const current = signal<AccountModel | null>(null);

/** Null before any account is shown. */
export const shown: ReadonlySignal<AccountModel | null> = current;

/** The model of the account that is shown. Views inside the shell always have one. */
export const model = computed(() => {
  if (current.value === null) throw new Error('no account is shown yet');
  return current.value;
});

export function show(key: string): void {
  if (current.peek()?.key === key) return;
  current.peek()?.stop();
  const made = new AccountModel(key);
  made.start();
  current.value = made;
}

/** Ends the present session, to start again with another token. */
export function hide(): void {
  current.peek()?.stop();
  current.value = null;
}
