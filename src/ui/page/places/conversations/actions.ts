/** The actions for a message, and the buttons that a customer can tap. */
import type { HandsetMessage, Message } from '../../core/records.js';

export type Move = 'delivered' | 'read' | 'failed';

const height: Readonly<Record<string, number>> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 3 };

/**
 * The status reports that the channel can still send. There are none for a message with a code: the service does not
 * report its status.
 */
export function possibleMoves(message: HandsetMessage): Move[] {
  if (message.direction === 'inbound' || message.otp_id !== undefined) return [];
  const at = height[message.status] ?? 3;
  return (['delivered', 'read', 'failed'] as const).filter((move) => (height[move] ?? 0) > at);
}

export interface ShownButton {
  readonly id: string;
  readonly title: string;
  /** `tap`: a quick reply. The other kinds only show what would happen on a phone. */
  readonly kind: 'tap' | 'url' | 'phone_number' | 'copy_code';
  /** The target of a `url`, `phone_number` or `copy_code` button, as submitted. */
  readonly target: string | null;
}

/** Returns the buttons below a message: its own, or those of its template. */
export function buttonsOf(message: Message): ShownButton[] {
  const own = message.interactive?.buttons ?? [];
  if (own.length > 0) return own.map(({ id, title }) => ({ id, title, kind: 'tap', target: null }));
  return templateButtons(message.template?.buttons ?? []);
}

/** Returns the buttons of a template as submitted, without types that phones do not show. */
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
