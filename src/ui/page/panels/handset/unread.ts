/** Messages that arrived for a customer while the conversation was not shown. */
import type { Signal } from '@preact/signals';
import { draft } from '../../core/preference.js';
import { route } from '../../core/location.js';
import type { AccountModel } from '../../core/model.js';
import type { HandsetMessage } from '../../core/records.js';

type Counts = Readonly<Record<string, number>>;

const watched = new WeakSet<AccountModel>();

/** Returns unread messages by phone number, counted since this tab first showed the account. */
export function unread(model: AccountModel): Signal<Counts> {
  const counts = draft<Counts>(`unread/${model.key}`, {});
  if (!watched.has(model)) {
    watched.add(model);
    model.lives.subscribe((life) => {
      if (life > 0) counts.value = {};
    });
    model.onFrame(({ kind, data }) => {
      if (kind !== 'message.created') return;
      const message = data as unknown as HandsetMessage;
      if (message.direction === 'outbound' && !isLookedAt(message.to)) {
        counts.value = { ...counts.value, [message.to]: (counts.value[message.to] ?? 0) + 1 };
      }
    });
  }
  return counts;
}

export function totalUnread(model: AccountModel): number {
  return Object.values(unread(model).value).reduce((sum, count) => sum + count, 0);
}

export function markRead(model: AccountModel, phone: string): void {
  const counts = unread(model);
  const { [phone]: found, ...rest } = counts.peek();
  if (found !== undefined) counts.value = rest;
}

function isLookedAt(phone: string): boolean {
  const { panel, path } = route.peek();
  return panel === 'handset' && path[0] === phone && document.visibilityState === 'visible';
}
