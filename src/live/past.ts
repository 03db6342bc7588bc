/**
 * Changes of records, remembered for clients that were away when they happened. The store keeps what was created, but not
 * when it last changed; this does, in memory, for the changes of late.
 */
import type { Note } from './note.js';

/** Records whose last change is remembered, per account. */
const mostRemembered = 10_000;

interface Remembered {
  readonly note: Note;
  /** Whether somebody was connected who may have seen it. */
  readonly seen: boolean;
}

export class Past {
  readonly #changes = new Map<string, Remembered>();

  remember(note: Note, seen: boolean): void {
    // The latest stands last, so that the first is the one to forget.
    this.#changes.delete(note.key);
    if (note.how === 'created') return;
    this.#changes.set(note.key, { note, seen });
    if (this.#changes.size <= mostRemembered) return;
    for (const oldest of this.#changes.keys()) {
      this.#changes.delete(oldest);
      break;
    }
  }

  /**
   * What a client that was told everything up to `cursor` missed of the records it knows. A change that was made at the
   * cursor itself is missed only if nobody was there to see it: otherwise it is what the client heard last.
   */
  missedAt(cursor: number): Note[] {
    return [...this.#changes.values()]
      .filter(({ note, seen }) => (note.rowSeq ?? 0) <= cursor && (note.seq > cursor || (note.seq === cursor && !seen)))
      .map(({ note }) => note);
  }

  /** Everything before is void. */
  clear(): void {
    this.#changes.clear();
  }
}
