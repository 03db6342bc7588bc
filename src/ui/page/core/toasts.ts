import { signal } from '@preact/signals';
import { later } from './browser.js';

export interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly details: readonly string[];
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

export const toasts = signal<readonly Toast[]>([]);

/** Milliseconds that a success stays, without and with a button. An error stays until it is closed. */
const goodNewsMs = 4000;
const offerMs = 20_000;

let last = 0;

export function toast(
  tone: Toast['tone'],
  text: string,
  details: readonly string[] = [],
  action?: Toast['action'],
): void {
  const id = (last += 1);
  // Only the latest action can be undone: the snapshots of earlier ones are older than it.
  const others = toasts.value.filter((each) => action === undefined || each.action === undefined);
  toasts.value = [...others.slice(-3), { id, tone, text, details, action }];
  if (tone === 'good') later(action ? offerMs : goodNewsMs, () => dismiss(id));
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

/** Removes what was said about another account. An action stays, because its words name the account. */
export function leaveAccount(): void {
  toasts.value = toasts.value.filter((each) => each.action !== undefined);
}
