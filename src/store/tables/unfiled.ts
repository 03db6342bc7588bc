import type { Row } from '../../domain/row.js';
import type { Entry } from './table-index.js';

/**
 * The rows of a table that are in no index yet: those that a start took, and all that came since. They are filed oldest
 * first, a few at a time or, for somebody who asks, all at once.
 */
export class Unfiled<R extends Row> {
  /** Null: every row is filed. */
  #rest: Iterator<Entry<R>, undefined> | null = null;
  #filedSeq = 0;

  /** Begins with these rows, which come by `seq`; rows that are added to what they come from are met at the end. */
  begin(entries: Iterator<Entry<R>, undefined>): void {
    this.#rest = entries;
    this.#filedSeq = 0;
  }

  get isEmpty(): boolean {
    return this.#rest === null;
  }

  has({ seq }: { readonly seq: number }): boolean {
    return this.#rest !== null && seq > this.#filedSeq;
  }

  /** Gives `file` at most so many rows. */
  take(most: number, file: (entry: Entry<R>) => void): void {
    for (let n = 0; n < most && this.#rest !== null; n += 1) {
      const next = this.#rest.next();
      if (next.done === true) {
        this.#rest = null;
      } else {
        this.#filedSeq = next.value.seq;
        file(next.value);
      }
    }
  }

  clear(): void {
    this.#rest = null;
  }
}
