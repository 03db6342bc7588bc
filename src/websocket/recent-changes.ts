/** Recent updates of records, which the store does not record, for clients that reconnect. */
import type { ChangeNotification } from './change-notification.js';

/** Number of records with a remembered change, per account. */
const mostRemembered = 10_000;

export class RecentChanges {
  readonly #changes = new Map<string, ChangeNotification>();

  remember(notification: ChangeNotification): void {
    // The latest change is the last entry, so that the first is the oldest.
    this.#changes.delete(notification.key);
    if (notification.how === 'created') return;
    this.#changes.set(notification.key, notification);
    if (this.#changes.size <= mostRemembered) return;
    for (const oldest of this.#changes.keys()) {
      this.#changes.delete(oldest);
      break;
    }
  }

  /** Returns the changes after `cursor` of records that the client already knows. */
  missedAt(cursor: number): ChangeNotification[] {
    return [...this.#changes.values()].filter(({ rowSeq, seq }) => (rowSeq ?? 0) <= cursor && seq > cursor);
  }

  /** Forgets all changes. */
  clear(): void {
    this.#changes.clear();
  }
}
