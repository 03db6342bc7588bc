import type { Row } from '../domain/row.js';
import type { KeyedList } from './keyed-list.js';
import { Settled, type Settling } from './settled.js';
import type { Entry } from './table-index.js';

/**
 * The rows of a table as they were at one instant, though the table goes on: what is kept of a row is read when its turn
 * comes, and written down just before it changes or goes.
 */
export class TableCapture<R extends Row> {
  readonly #rows: KeyedList<Entry<R>>;
  /** What has come since stands behind it. */
  readonly #end: number;
  readonly #settling: Settling<R> | null;
  readonly #parts: readonly unknown[];
  /** By place. */
  readonly #kept = new Map<number, string>();
  readonly release: () => void;

  constructor(rows: KeyedList<Entry<R>>, settling: Settling<R> | null, release: () => void) {
    this.#rows = rows;
    this.#end = rows.end;
    this.#settling = settling;
    this.#parts = settling?.parts.values ?? [];
    this.release = release;
  }

  /** Each row as JSON, in the order of insertion. */
  *texts(): Generator<string> {
    for (let place = 0; place < this.#end; place += 1) {
      const kept = this.#kept.get(place);
      const entry = kept === undefined ? this.#rows.at(place) : undefined;
      if (kept !== undefined) yield kept;
      else if (entry !== undefined) yield this.#textOf(entry);
    }
  }

  /** Told before a row changes or goes. */
  keep(entry: Entry<R>): void {
    const place = this.#rows.placeOf(entry.id);
    if (place !== undefined && place < this.#end && !this.#kept.has(place)) this.#kept.set(place, this.#textOf(entry));
  }

  #textOf(entry: Entry<R>): string {
    return JSON.stringify(entry instanceof Settled ? this.#settling?.unpack(entry, this.#parts) : entry);
  }
}
