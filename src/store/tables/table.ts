/**
 * Records of one kind, found by id and by index, never by search (contract §4: a filtered page costs the same whatever
 * is stored).
 */
import type { Row } from '../../domain/row.js';
import type { Change } from './change.js';
import { type Page, pageOf, type PageQuery } from './page.js';
import { TableCapture } from './table-capture.js';
import { Settled, type Settling } from './settled.js';
import type { SharedParts } from './shared-parts.js';
import { type Entry, type IndexSpec, listBySeq, type Open, type RowList, TableIndex } from './table-index.js';
import { Unfiled } from './unfiled.js';

/** Old rows that are put to rest at most for one of which nothing more is expected: so that none is left behind for long. */
const settledAtOnce = 2;

export class Table<R extends Row, I extends string = never> {
  readonly name: string;
  readonly #rows = new Map<string, Entry<R>>();
  /** All rows by `seq`, kept from the first time somebody asks: of what nobody lists, no list is kept. */
  #all: RowList<R> | null = null;
  readonly #indexes: readonly TableIndex<R>[];
  readonly #byName = new Map<string, TableIndex<R>>();
  readonly #unfiled = new Unfiled<R>();
  readonly #settling: Settling<R> | null;
  readonly #weigh: ((row: R) => number) | null;
  readonly #open: Open<R>;
  readonly #captures = new Set<TableCapture<R>>();
  /** Where the walk has come that puts rows to rest: how many of them, and the highest number among them. */
  #walk: Iterator<Entry<R>, undefined> | null = null;
  #passed = 0;
  #passedSeq = 0;
  /** Where changes are told; set by the store that owns the table. */
  #tell: (change: Change) => void = () => undefined;

  /** @param weigh what a row counts for in `weight`; only where no row comes to rest, and no patch changes it */
  constructor(
    name: string,
    indexes: Record<I, IndexSpec<R>>,
    settling: Settling<R> | null = null,
    weigh: ((row: R) => number) | null = null,
  ) {
    this.name = name;
    this.#settling = settling;
    this.#weigh = weigh;
    this.#open = settling
      ? (entry) => (entry instanceof Settled ? settling.unpack(entry, settling.parts.values) : entry)
      : undefined;
    for (const [indexName, spec] of Object.entries<IndexSpec<R>>(indexes)) {
      this.#byName.set(indexName, new TableIndex(spec, this.#open, () => this.rows()));
    }
    this.#indexes = [...this.#byName.values()];
  }

  /** Names the listener of every change made from now on. */
  listen(tell: (change: Change) => void): void {
    this.#tell = tell;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Of all rows together. */
  weight = 0;

  /** What the texts of rows at rest name by number; null where no row comes to rest. */
  get parts(): SharedParts | null {
    return this.#settling?.parts ?? null;
  }

  get(id: string): R | undefined {
    const entry = this.#rows.get(id);
    return entry instanceof Settled ? this.open(entry) : entry;
  }

  /** The row of what is kept of it. */
  open(entry: Entry<R>): R {
    return this.#open ? this.#open(entry) : (entry as R);
  }

  /** What is kept of every row, in the order of insertion; those that come while somebody walks along are met at the end. */
  entries(): IterableIterator<Entry<R>> {
    return this.#rows.values();
  }

  /** What is stored now, to be read later; every change is told to it until it is released. */
  capture(): TableCapture<R> {
    const capture = new TableCapture(this.#rows.values(), this.#settling, () => this.#captures.delete(capture));
    this.#captures.add(capture);
    return capture;
  }

  /** Every row, as `entries`. */
  *rows(): IterableIterator<R> {
    for (const entry of this.#rows.values()) yield this.open(entry);
  }

  /** Every row by `seq`. */
  all(): RowList<R> {
    return (this.#all ??= listBySeq(
      [...this.#rows.values()].sort((a, b) => a.seq - b.seq),
      this.#open,
    ));
  }

  /** The rows under one key of one index. */
  list(index: I, key: string): RowList<R> {
    return this.#index(index)?.list(key) ?? listBySeq([], this.#open);
  }

  /** The different keys of an index. */
  keys(index: I): string[] {
    return this.#index(index)?.keys() ?? [];
  }

  keyCount(index: I): number {
    return this.#index(index)?.keyCount ?? 0;
  }

  insert(row: R): R {
    if (this.#rows.has(row.id)) throw new Error(`${this.name}: a row with id ${row.id} exists already`);
    this.#rows.set(row.id, row);
    this.#all?.add(row);
    if (!this.#unfiled.has(row)) for (const index of this.#indexes) index.file(row, row);
    if (this.#weigh) this.weight += this.#weigh(row);
    this.#tell({ op: 'insert', table: this.name, row });
    this.#noteRest(row);
    return row;
  }

  /**
   * Takes a row at rest as it was written down, with all that came before it. Told to nobody: no change, but a start. The
   * caller knows that its id is new, and that rows come by `seq` from here on. The indexes catch up later.
   */
  adopt(settled: Settled): void {
    if (!this.#settling) throw new Error(`${this.name}: rows of this table do not come to rest`);
    if (this.#unfiled.isEmpty) {
      for (const index of this.#indexes) index.clear();
      this.#unfiled.begin(this.#rows.values());
    }
    this.#rows.set(settled.id, settled);
    this.#all?.add(settled);
    this.#settleOld(Infinity);
  }

  /** Files some of the rows that a start left out of the indexes; whoever asks an index has all of them filed. @returns whether any are left */
  catchUp(most: number): boolean {
    this.#unfiled.take(most, (entry) => {
      const row = entry instanceof Settled ? this.#settling?.keysOf(entry) : entry;
      if (row) for (const index of this.#indexes) index.file(entry, row);
    });
    return !this.#unfiled.isEmpty;
  }

  /** Changes fields of a stored row in place and returns it. */
  patch(row: R, patch: Partial<Omit<R, 'id' | 'seq'>>): R {
    const stored = this.#roused(row);
    if (this.#captures.size > 0) for (const capture of this.#captures) capture.keep(stored);
    // A list finds a row by its order, so the row leaves while its order still stands.
    const filed = !this.#unfiled.has(stored);
    if (filed) for (const index of this.#indexes) if (index.moves(patch)) index.unfile(stored);
    Object.assign(stored, patch);
    // Whoever asked for a row at rest twice holds two copies of it.
    if (stored !== row) Object.assign(row, patch);
    if (filed) for (const index of this.#indexes) if (index.moves(patch)) index.file(stored, stored);
    this.#tell({ op: 'patch', table: this.name, id: row.id, patch, row: stored });
    this.#noteRest(stored);
    return row;
  }

  delete(row: R): void {
    const stored = this.#rows.get(row.id);
    if (stored !== row && !(stored instanceof Settled)) return;
    this.#rows.delete(row.id);
    if (row.seq <= this.#passedSeq) this.#passed -= 1;
    if (this.#weigh) this.weight -= this.#weigh(row);
    this.#all?.remove(row.seq);
    if (!this.#unfiled.has(row)) for (const index of this.#indexes) index.unfile(row);
    this.#tell({ op: 'delete', table: this.name, row });
  }

  /** Drops every row. */
  clear(): void {
    this.#rows.clear();
    this.#all = null;
    this.#walk = null;
    this.#passed = this.#passedSeq = this.weight = 0;
    this.#settling?.parts.clear();
    this.#unfiled.clear();
    for (const index of this.#indexes) index.clear();
    this.#tell({ op: 'clear', table: this.name });
  }

  /** One page of the rows that stand in every one of the lists (all rows, when no list is named). */
  page(where: Partial<Record<I, string>>, query: PageQuery): Page<R> {
    const lists = Object.entries<string | undefined>(where)
      .filter((entry): entry is [I, string] => entry[1] !== undefined)
      .map(([index, key]) => this.list(index, key));
    return pageOf(lists.length === 0 ? [this.all()] : lists, query);
  }

  #index(name: I): TableIndex<R> | undefined {
    this.catchUp(Infinity);
    return this.#byName.get(name);
  }

  /** The row as it is stored: one at rest goes on as the copy that its owner holds. */
  #roused(row: R): R {
    const stored = this.#rows.get(row.id);
    if (!(stored instanceof Settled)) return stored ?? row;
    this.#swap(row, row);
    return row;
  }

  /**
   * A row was written. Old ones come to rest when something else is over, which nobody waits for: a call that adds rows is
   * not kept by it.
   */
  #noteRest(row: R): void {
    if (this.#settling?.isSettled(row) !== true) return;
    if (row.seq <= this.#passedSeq) this.#settle(row);
    this.#settleOld(Math.min(settledAtOnce, this.#rows.size - this.#passed - this.#settling.newest));
  }

  #settleOld(most: number): void {
    this.#walk ??= this.#rows.values();
    for (let n = 0; n < most && this.#passed < this.#rows.size; n += 1) {
      const next = this.#walk.next();
      if (next.done === true) return;
      const entry = next.value;
      this.#passed += 1;
      this.#passedSeq = Math.max(this.#passedSeq, entry.seq);
      if (!(entry instanceof Settled) && this.#settling?.isSettled(entry) === true) this.#settle(entry);
    }
  }

  #settle(row: R): void {
    const settled = this.#settling?.pack(row);
    if (settled) this.#swap(settled, row);
  }

  /** The row goes on as another entry. */
  #swap(entry: Entry<R>, row: R): void {
    this.#rows.set(entry.id, entry);
    this.#all?.swap(entry);
    if (!this.#unfiled.has(row)) for (const index of this.#indexes) index.swap(entry, row);
  }
}
