import type { Row } from '../../domain/row.js';
import { OrderedList } from './ordered-list.js';

/** One index: rows with the same key are in one list, in the given order (default: `seq`). */
export interface IndexSpec<R> {
  /** Undefined omits the row. */
  readonly key: (row: R) => string | undefined;
  readonly order?: (row: R) => number;
  /** The fields of key and order that can change. A change of other fields does not move the row. Default: any. */
  readonly changing?: readonly (keyof R & string)[];
  /** Whether the index is built on first use. By default it is kept from the first row on. */
  readonly whenAsked?: true;
}

export const bySeq = (row: Row): number => row.seq;

/** The rows of a table under the keys of one index. */
export class TableIndex<R extends Row> {
  readonly #key: (row: R) => string | undefined;
  readonly #order: (row: R) => number;
  readonly #changing: IndexSpec<R>['changing'];
  readonly #none: OrderedList<R>;
  #stored: () => Iterable<R>;
  /** A key with one row, the usual case, has no list. Null until first use of an index with `whenAsked`. */
  #lists: Map<string, R | OrderedList<R>> | null;

  /** @param stored all rows of the table, for an index that is built later */
  constructor({ key, order = bySeq, changing, whenAsked }: IndexSpec<R>, stored: () => Iterable<R>) {
    this.#key = key;
    this.#order = order;
    this.#changing = changing;
    this.#none = new OrderedList(order);
    this.#stored = stored;
    this.#lists = whenAsked ? null : new Map();
  }

  /** Changes where an index that is built later finds its rows. */
  readFrom(stored: () => Iterable<R>): void {
    this.#stored = stored;
  }

  get keyCount(): number {
    return this.#built().size;
  }

  keys(): string[] {
    return [...this.#built().keys()];
  }

  list(key: string): OrderedList<R> {
    const found = this.#built().get(key);
    if (found === undefined) return this.#none;
    return found instanceof OrderedList ? found : new OrderedList(this.#order, [found]);
  }

  /** Whether a change of these fields can move a row within the index. */
  moves(patch: object): boolean {
    return this.#changing === undefined || this.#changing.some((field) => field in patch);
  }

  add(row: R): void {
    if (this.#lists) this.#addTo(this.#lists, row);
  }

  remove(row: R): void {
    const lists = this.#lists;
    const key = lists === null ? undefined : this.#key(row);
    if (lists === null || key === undefined) return;
    const order = this.#order(row);
    const found = lists.get(key);
    if (found instanceof OrderedList) {
      found.remove(order);
      if (found.size === 0) lists.delete(key);
    } else if (found !== undefined && this.#order(found) === order) {
      lists.delete(key);
    }
  }

  clear(): void {
    this.#lists?.clear();
  }

  #built(): Map<string, R | OrderedList<R>> {
    if (this.#lists === null) {
      this.#lists = new Map();
      for (const row of this.#stored()) this.#addTo(this.#lists, row);
    }
    return this.#lists;
  }

  #addTo(lists: Map<string, R | OrderedList<R>>, row: R): void {
    const key = this.#key(row);
    if (key === undefined) return;
    const found = lists.get(key);
    if (found === undefined) lists.set(key, row);
    else if (found instanceof OrderedList) found.add(row);
    else lists.set(key, new OrderedList(this.#order, [found, row]));
  }
}
