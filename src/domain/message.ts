import type { Message, MessageError } from './rows.js';
import type { Actor, MessageStatus } from './words.js';

export interface Button {
  readonly id: string;
  readonly title: string;
}

const height: Record<MessageStatus, number> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 3 };

/** Steps can be skipped, because the channel does not report every one. `read` and `failed` are final. */
export function mayMove(from: Message['status'], to: MessageStatus): boolean {
  if (from === 'received' || from === 'read' || from === 'failed') return false;
  return height[to] > height[from];
}

export function movesFrom(from: Message['status']): MessageStatus[] {
  return (['sent', 'delivered', 'read', 'failed'] as const).filter((to) => mayMove(from, to));
}

export function moved(
  message: Message,
  status: MessageStatus,
  atMs: number,
  error?: MessageError,
  by?: Actor,
): Pick<Message, 'status' | 'error' | 'history'> {
  const plain: Message['history'][number] = error ? { status, atMs, error } : { status, atMs };
  const entry = by ? { ...plain, by } : plain;
  // An array built by spreading reserves space for sixteen more entries, and each message keeps its own array.
  return { status, error: error ?? null, history: message.history.concat(entry) };
}

/** A lookup shows four states: an accepted message is shown as `sent` until the channel reports. */
export function lookupStatus(status: Message['status']): string {
  return status === 'accepted' ? 'sent' : status;
}

export function buttonsOf(message: Message): Button[] {
  const { interactive, template } = message.content;
  if (interactive && 'buttons' in interactive) return interactive.buttons.map(({ id, title }) => ({ id, title }));
  const buttons = (template?.buttons ?? []) as { type?: unknown; text?: unknown }[];
  return buttons
    .filter((button) => button.type === 'quick_reply' && typeof button.text === 'string')
    .map((button) => ({ id: button.text as string, title: button.text as string }));
}

export function wasShown({ origin, status }: Message): boolean {
  return origin === 'api' && (status === 'delivered' || status === 'read');
}

/** The buttons with this title, or else this id, in messages that were delivered, the oldest first. */
export function shownButtons(messages: readonly Message[], named: string): Button[] {
  const shown = messages.filter(wasShown);
  const buttonsBy = (key: keyof Button) =>
    shown.flatMap((message) => buttonsOf(message).find((button) => button[key] === named) ?? []);
  const titled = buttonsBy('title');
  return titled.length > 0 ? titled : buttonsBy('id');
}
