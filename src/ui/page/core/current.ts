/** The account on the page, and its model. There is one model at a time: another key stops the previous one. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { AccountModel } from './model.js';

const current = signal<AccountModel | null>(null);

/** Null before any account is shown. */
export const shown: ReadonlySignal<AccountModel | null> = current;

/** The model of the account on the page. Views inside the shell always have one. */
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

/** Ends the current session, so that another token can start a new one. */
export function hide(): void {
  current.peek()?.stop();
  current.value = null;
}
