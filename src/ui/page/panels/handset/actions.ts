/** What can be done to a message, and what a customer can tap on it. */
import type { HandsetMessage, Message } from '../../core/records.js';

export type Move = 'delivered' | 'read' | 'failed';

const height: Readonly<Record<string, number>> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 3 };

/** The channel's reports that are still possible. Messages that carry a code have none: the service reports no status of them. */
export function possibleMoves(message: HandsetMessage): Move[] {
  if (message.direction === 'inbound' || message.otp_id !== undefined) return [];
  const at = height[message.status] ?? 3;
  return (['delivered', 'read', 'failed'] as const).filter((move) => (height[move] ?? 0) > at);
}

export interface ShownButton {
  readonly id: string;
  readonly title: string;
  /** `tap`: a quick reply. The others only show what they would do on a phone. */
  readonly kind: 'tap' | 'url' | 'phone_number' | 'copy_code';
  /** What an `url`, `phone_number` or `copy_code` leads to, as it was submitted. */
  readonly target: string | null;
}

/** Returns the buttons below a message: its own, or those of its template. */
export function buttonsOf(message: Message): ShownButton[] {
  const own = message.interactive?.buttons ?? [];
  if (own.length > 0) return own.map(({ id, title }) => ({ id, title, kind: 'tap', target: null }));
  return templateButtons(message.template?.buttons ?? []);
}

/** Returns the buttons of a template as they were submitted, without types that no phone shows. */
export function templateButtons(buttons: readonly Readonly<Record<string, unknown>>[]): ShownButton[] {
  return buttons.flatMap((button): ShownButton[] => {
    const { type, text } = button;
    if (typeof text !== 'string') return [];
    if (type === 'quick_reply') return [{ id: text, title: text, kind: 'tap', target: null }];
    if (type !== 'url' && type !== 'phone_number' && type !== 'copy_code') return [];
    const target = button[type] ?? button['example'] ?? button['code'];
    return [{ id: text, title: text, kind: type, target: typeof target === 'string' ? target : null }];
  });
}

/** Returns the last part of a URL for the title of a card, or its host. */
export function fileName(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, host } = new URL(url);
  return (
    pathname
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? host
  );
}
