/** Customers in the order of their activity, and messages that arrived while nobody looked. */
import type { Signal } from '@preact/signals';
import { route } from '../../core/address.js';
import { draft } from '../../core/kept.js';
import type { AccountModel } from '../../core/model.js';
import type { Customer, HandsetMessage } from '../../core/records.js';

/** Latest first. */
export function byActivity(customers: readonly Customer[]): Customer[] {
  const activity = ({ seq, last_message: last }: Customer) => last?.seq ?? seq;
  return customers.toSorted((a, b) => activity(b) - activity(a));
}

/** Returns the text of the latest message for the list, or its type. */
export function glimpseWords({ last_message: last }: Customer): string {
  if (!last) return 'No messages yet';
  const kind = { image: 'Image', document: 'Document', interactive: 'Buttons', template: 'Template', text: '' }[
    last.type
  ];
  if (last.text === null || last.text === '') return kind === '' ? 'Empty message' : kind;
  return last.type === 'image' || last.type === 'document' ? `${kind}: ${last.text}` : last.text;
}

/** Returns two letters of the name, or the last digits of the number. */
export function initials({ profile_name: name, phone }: Pick<Customer, 'profile_name' | 'phone'>): string {
  const words = (name ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return phone.slice(-2);
  // A whole character, not half of a surrogate pair.
  const letter = (word = '') => String.fromCodePoint(word.codePointAt(0) ?? 32).trim();
  return `${letter(words[0])}${words.length > 1 ? letter(words.at(-1)) : ''}`.toUpperCase();
}

/** Returns one of six hues, always the same for a number. */
export function hueOf(phone: string): number {
  return Number(phone.slice(-4).replaceAll(/\D/g, '')) % 6;
}

type Counts = Readonly<Record<string, number>>;

const watched = new WeakSet<AccountModel>();

/** Returns unread messages by phone number, counted since this tab first showed the account. */
export function unread(model: AccountModel): Signal<Counts> {
  const counts = draft<Counts>(`unread/${model.key}`, {});
  if (!watched.has(model)) {
    watched.add(model);
    model.onFrames((frames) => {
      let next: Record<string, number> = { ...counts.value };
      for (const { kind, data } of frames) {
        const message = data as unknown as HandsetMessage;
        if (kind === 'reset' && data['reason'] !== 'connected') next = {};
        else if (kind === 'message.created' && message.direction === 'outbound' && !isLookedAt(message.to))
          next[message.to] = (next[message.to] ?? 0) + 1;
      }
      if (JSON.stringify(next) !== JSON.stringify(counts.value)) counts.value = next;
    });
  }
  return counts;
}

export function markRead(model: AccountModel, phone: string): void {
  const counts = unread(model);
  const { [phone]: found, ...rest } = counts.peek();
  if (found !== undefined) counts.value = rest;
}

function isLookedAt(phone: string): boolean {
  const { place, path } = route.peek();
  return place === 'conversations' && path[0] === phone && document.visibilityState === 'visible';
}
