import type { Row } from '../../domain/row.js';
import { OrderedList } from './ordered-list.js';
import type { Settled } from './settled.js';

/** One index: rows with the same key are listed together, in the order given (by default their `seq`). */
export interface IndexSpec<R> {
  /** Undefined leaves the row out. */
  readonly key: (row: R) => string | undefined;
  readonly order?: (row: R) => number;
  /** The fields of key and order that ever change: a change of others leaves the row where it is. By default any may. */
  readonly changing?: readonly (keyof R & string)[];
  /** Made when somebody first asks for one of its lists, and kept from then on; otherwise kept from the first row on. */
  readonly whenAsked?: true;
}

/** What a table and its lists keep of a row. */
export type Entry<R> = R | Settled;
export type RowList<R> = OrderedList<R, Entry<R>>;
/** Makes the row of what is kept of it; undefined where that is the row itself. */
export type Open<R> = ((entry: Entry<R>) => R) | undefined;

const bySeq = (entry: { readonly seq: number }): number => entry.seq;

export function listBySeq<R extends Row>(entries: Iterable<Entry<R>>, open: Open<R>): RowList<R> {
  return listOf<R>(bySeq, open, entries);
}

function listOf<R>(order: (entry: Entry<R>) => number, open: Open<R>, entries: Iterable<Entry<R>>): RowList<R> {
  const list = new OrderedList(order, open);
  for (const entry of entries) list.add(entry);
  return list;
}

/** The rows of a table under the keys of one index. */
export class TableIndex<R extends Row> {
  readonly #key: (row: R) => string | undefined;
  readonly #order: (entry: Entry<R>) => number;
  readonly #changing: IndexSpec<R>['changing'];
  readonly #open: Open<R>;
  readonly #none: RowList<R>;
  readonly #stored: () => Iterable<R>;
  /** A key of one row, which most have, costs no list. Null until somebody asks. */
  #lists: Map<string, Entry<R> | RowList<R>> | null;

  /** @param stored all rows of the table, for an index that is made later */
  constructor({ key, order, changing, whenAsked }: IndexSpec<R>, open: Open<R>, stored: () => Iterable<R>) {
    if (open && order) throw new Error('rows that come to rest are listed in the order of their seq');
    if (open && whenAsked) throw new Error('rows that come to rest may be too many for an index that is made later');
    this.#key = key;
    this.#order = (order ?? bySeq) as (entry: Entry<R>) => number;
    this.#changing = changing;
    this.#open = open;
    this.#none = listOf(this.#order, open, []);
    this.#stored = stored;
    this.#lists = whenAsked ? null : new Map();
  }

  get keyCount(): number {
    return this.#made().size;
  }

  keys(): string[] {
    return [...this.#made().keys()];
  }

  list(key: string): RowList<R> {
    const found = this.#made().get(key);
    if (found === undefined) return this.#none;
    return found instanceof OrderedList ? found : listOf(this.#order, this.#open, [found]);
  }

  /** Whether a change of these fields can move a row within the index. */
  moves(patch: object): boolean {
    if (this.#changing === undefined) return true;
    for (const field of this.#changing) if (field in patch) return true;
    return false;
  }

  /** @param row what the key is read from, where the entry itself is at rest */
  file(entry: Entry<R>, row: R): void {
    if (this.#lists) this.#fileIn(this.#lists, entry, row);
  }

  unfile(row: R): void {
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

  /** The row goes on as another entry, at its place. */
  swap(entry: Entry<R>, row: R): void {
    const key = this.#key(row);
    if (key === undefined) return;
    const found = this.#lists?.get(key);
    if (found instanceof OrderedList) found.swap(entry);
    else this.#lists?.set(key, entry);
  }

  clear(): void {
    this.#lists?.clear();
  }

  #made(): Map<string, Entry<R> | RowList<R>> {
    if (this.#lists === null) {
      this.#lists = new Map();
      for (const row of this.#stored()) this.#fileIn(this.#lists, row, row);
    }
    return this.#lists;
  }

  #fileIn(lists: Map<string, Entry<R> | RowList<R>>, entry: Entry<R>, row: R): void {
    const key = this.#key(row);
    if (key === undefined) return;
    const found = lists.get(key);
    if (found === undefined) lists.set(key, entry);
    else if (found instanceof OrderedList) found.add(entry);
    else lists.set(key, listOf(this.#order, this.#open, [found, entry]));
  }
}
