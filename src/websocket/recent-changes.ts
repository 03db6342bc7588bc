/**
 * Changes of records, remembered for clients that were away when they happened. The store keeps what was created, but not
 * when it last changed; this does, in memory, for the changes of late.
 */
import type { Note } from './change-notification.js';

/** Records whose last change is remembered, per account. */
const mostRemembered = 10_000;

export class Past {
  readonly #changes = new Map<string, Note>();

  remember(note: Note): void {
    // The latest stands last, so that the first is the one to forget.
    this.#changes.delete(note.key);
    if (note.how === 'created') return;
    this.#changes.set(note.key, note);
    if (this.#changes.size <= mostRemembered) return;
    for (const oldest of this.#changes.keys()) {
      this.#changes.delete(oldest);
      break;
    }
  }

  /** What a client that was told everything up to `cursor` missed of the records it knows. */
  missedAt(cursor: number): Note[] {
    return [...this.#changes.values()].filter(({ rowSeq, seq }) => (rowSeq ?? 0) <= cursor && seq > cursor);
  }

  /** Everything before is void. */
  clear(): void {
    this.#changes.clear();
  }
}
