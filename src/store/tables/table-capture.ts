import type { Row } from '../../domain/row.js';
import { Settled, type Settling } from './settled.js';
import type { Entry } from './table-index.js';

/** The rows of a table as they were at one instant, though the table goes on: a row is copied just before it changes. */
export class TableCapture<R extends Row> {
  readonly #entries: readonly Entry<R>[];
  readonly #settling: Settling<R> | null;
  readonly #parts: readonly unknown[];
  readonly #kept = new Map<R, string>();
  readonly release: () => void;

  constructor(entries: Iterable<Entry<R>>, settling: Settling<R> | null, release: () => void) {
    this.#entries = [...entries];
    this.#settling = settling;
    this.#parts = settling?.parts.values ?? [];
    this.release = release;
  }

  /** Each row as JSON, in the order of insertion. */
  *texts(): Generator<string> {
    for (const entry of this.#entries) {
      if (entry instanceof Settled) yield JSON.stringify(this.#settling?.unpack(entry, this.#parts));
      else yield this.#kept.get(entry) ?? JSON.stringify(entry);
    }
  }

  /** Told before a row changes. */
  keep(row: R): void {
    if (!this.#kept.has(row)) this.#kept.set(row, JSON.stringify(row));
  }
}
