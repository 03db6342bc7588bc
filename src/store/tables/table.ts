/** Records of one kind, found by id and by index: the cost of a filtered page does not depend on how much is stored. */
import { FreshEvent } from '../../domain/event.js';
import type { Row } from '../../domain/row.js';
import { OrderedList } from './ordered-list.js';
import { type Page, pageOf, type PageQuery } from './page.js';
import { bySeq, type IndexSpec, TableIndex } from './table-index.js';

/** One step of a write. `patch` contains only the fields that changed. */
export type Change =
  | { readonly op: 'insert'; readonly table: string; readonly row: Row }
  | { readonly op: 'patch'; readonly table: string; readonly id: string; readonly patch: object; readonly row: Row }
  | { readonly op: 'delete'; readonly table: string; readonly row: Row }
  /** `replaced`: the table has other rows now, which a snapshot brought. */
  | { readonly op: 'clear'; readonly table: string; readonly replaced?: true };

export class Table<R extends Row, I extends string = never> {
  readonly name: string;
  /** All rows by id, kept from the first use on. Either this or the list is always kept. */
  #rows: Map<string, R> | null = null;
  /** All rows by `seq`, kept from the first use on: many tables are never listed. */
  #all: OrderedList<R> | null = null;
  readonly #listed: boolean;
  #indexes: readonly TableIndex<R>[];
  #byName = new Map<string, TableIndex<R>>();
  readonly #weigh: (row: R) => number;
  readonly #captures = new Set<TableCapture<R>>();
  /** Receives every change. The store that owns the table sets it. */
  #report: (change: Change) => void = () => undefined;
  /** The total weight of all rows. */
  weight = 0;

  /**
   * @param weigh the weight of a row, which no patch changes
   * @param listed for a table from which rows are removed in the order of `seq`, and which is seldom asked for an id
   */
  constructor(name: string, indexes: Record<I, IndexSpec<R>>, weigh: (row: R) => number = () => 0, listed = false) {
    this.name = name;
    this.#weigh = weigh;
    this.#listed = listed;
    this.#empty();
    for (const [indexName, spec] of Object.entries<IndexSpec<R>>(indexes)) {
      this.#byName.set(indexName, new TableIndex(spec, () => this.rows()));
    }
    this.#indexes = [...this.#byName.values()];
  }

  #empty(): void {
    this.#rows = this.#listed ? null : new Map();
    this.#all = this.#listed ? new OrderedList<R>(bySeq) : null;
    this.weight = 0;
  }

  /** Sets the listener of all later changes. */
  listen(report: (change: Change) => void): void {
    this.#report = report;
  }

  get size(): number {
    return this.#all?.size ?? this.#byId().size;
  }

  get(id: string): R | undefined {
    return this.#byId().get(id);
  }

  #byId(): Map<string, R> {
    return (this.#rows ??= new Map(Array.from(this.#all ?? [], (row) => [row.id, row])));
  }

  /** Returns every row in the order of insertion, including rows that are inserted during the walk. */
  rows(): IterableIterator<R> {
    return this.#rows?.values() ?? this.all()[Symbol.iterator]();
  }

  /** Captures the current rows. Until its release, the capture takes part in every change. */
  capture(): TableCapture<R> {
    const capture = new TableCapture(this.rows(), this.weight, () => this.#captures.delete(capture));
    this.#captures.add(capture);
    return capture;
  }

  /** Returns every row by `seq`. */
  all(): OrderedList<R> {
    return (this.#all ??= new OrderedList<R>(
      bySeq,
      [...this.#byId().values()].sort((a, b) => a.seq - b.seq),
    ));
  }

  /** Returns the rows under one key of one index. */
  list(index: I, key: string): OrderedList<R> {
    return this.#byName.get(index)?.list(key) ?? new OrderedList<R>(bySeq);
  }

  /** Returns the different keys of an index. */
  keys(index: I): string[] {
    return this.#byName.get(index)?.keys() ?? [];
  }

  keyCount(index: I): number {
    return this.#byName.get(index)?.keyCount ?? 0;
  }

  insert(row: R): R {
    if (this.#rows?.has(row.id)) throw new Error(`${this.name}: a row with id ${row.id} already exists`);
    this.adopt(row);
    this.weight += this.#weigh(row);
    this.#report({ op: 'insert', table: this.name, row });
    return row;
  }

  /** Adds a row of a copy that is being made. No listener is called, and the caller sets the weight. */
  adopt(row: R): void {
    this.#rows?.set(row.id, row);
    this.#all?.add(row);
    for (const index of this.#indexes) index.add(row);
  }

  /** Changes fields of a stored row in place and returns it. */
  patch(row: R, patch: Partial<Omit<R, 'id' | 'seq'>>): R {
    for (const capture of this.#captures) capture.keep(row);
    // A list finds a row by its order, so the row is removed before its order changes.
    for (const index of this.#indexes) if (index.moves(patch)) index.remove(row);
    Object.assign(row, patch);
    for (const index of this.#indexes) if (index.moves(patch)) index.add(row);
    this.#report({ op: 'patch', table: this.name, id: row.id, patch, row });
    return row;
  }

  delete(row: R): void {
    if (this.#rows ? this.#rows.get(row.id) !== row : !this.all().has(row)) return;
    this.#rows?.delete(row.id);
    this.#all?.remove(row.seq);
    this.weight -= this.#weigh(row);
    for (const index of this.#indexes) index.remove(row);
    this.#report({ op: 'delete', table: this.name, row });
  }

  /** Removes every row. */
  clear(): void {
    this.#empty();
    for (const index of this.#indexes) index.clear();
    this.#report({ op: 'clear', table: this.name });
  }

  /** Takes the rows and indexes of another table, which must not be used any more. */
  become(other: Table<R, I>): void {
    this.#rows = other.#rows;
    this.#all = other.#all;
    this.#indexes = other.#indexes;
    this.#byName = other.#byName;
    this.weight = other.weight;
    // An index that is built later must not read the rows of the other table.
    for (const index of this.#indexes) index.readFrom(() => this.rows());
    this.#report({ op: 'clear', table: this.name, replaced: true });
  }

  /** Returns one page of the rows that are in every named list, or of all rows if no list is named. */
  page(where: Partial<Record<I, string | undefined>>, query: PageQuery): Page<R> {
    const lists = Object.entries<string | undefined>(where)
      .filter((entry): entry is [I, string] => entry[1] !== undefined)
      .map(([index, key]) => this.list(index, key));
    return pageOf(lists.length === 0 ? [this.all()] : lists, query);
  }
}

/** The rows of a table at one instant. Each row is copied just before its first change. */
class TableCapture<R extends Row> {
  readonly #rows: readonly R[];
  readonly #kept = new Map<R, string>();
  readonly release: () => void;

  /** @param weight the weight of all rows */
  constructor(
    rows: Iterable<R>,
    readonly weight: number,
    release: () => void,
  ) {
    this.#rows = [...rows];
    this.release = release;
  }

  /** Each row as JSON, in the order of insertion. */
  *texts(): Generator<string> {
    for (const row of this.#rows) yield this.#kept.get(row) ?? JSON.stringify(row);
  }

  /** A copy of each row, in the order of insertion. The values in its fields, which no patch changes, are shared. */
  *copies(): Generator<R> {
    for (const row of this.#rows) {
      const kept = this.#kept.get(row);
      // An event never changes.
      if (kept === undefined) yield row instanceof FreshEvent ? row : { ...row };
      else yield JSON.parse(kept) as R;
    }
  }

  keep(row: R): void {
    if (!this.#kept.has(row)) this.#kept.set(row, JSON.stringify(row));
  }
}
