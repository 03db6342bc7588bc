/**
 * Records of one kind, found by id and by index, never by search (contract §4: a filtered page costs the same whatever
 * is stored).
 */
import type { Row } from '../domain/row.js';
import { OrderedList } from './ordered-list.js';

/** One index: rows with the same key are listed together, in the order given (by default their `seq`). */
export interface IndexSpec<R> {
  /** Undefined leaves the row out. */
  readonly key: (row: R) => string | undefined;
  readonly order?: (row: R) => number;
  /** The fields of key and order that ever change: a change of others leaves the row where it is. By default any may. */
  readonly changing?: readonly (keyof R & string)[];
}

/** One step of a write. `patch` carries only what changed. */
export type Change =
  | { readonly op: 'insert'; readonly table: string; readonly row: Row }
  | { readonly op: 'patch'; readonly table: string; readonly id: string; readonly patch: object; readonly row: Row }
  | { readonly op: 'delete'; readonly table: string; readonly row: Row }
  | { readonly op: 'clear'; readonly table: string };

export interface PageQuery {
  /** Rows after (ascending) or before (descending) this sequence number. */
  readonly cursor?: number;
  readonly limit: number;
  readonly order?: 'asc' | 'desc';
}

export interface Page<R> {
  readonly items: R[];
  /** The cursor of the next page, null at the end. */
  readonly next: number | null;
}

interface Index<R> {
  readonly spec: IndexSpec<R>;
  readonly order: (row: R) => number;
  /** A key of one row, which most have, costs no list. */
  readonly lists: Map<string, R | OrderedList<R>>;
}

const bySeq = (row: Row): number => row.seq;

export class Table<R extends Row, I extends string = never> {
  readonly name: string;
  readonly #rows = new Map<string, R>();
  /** All rows by `seq`, kept from the first time somebody asks: of what nobody lists, no list is kept. */
  #all: OrderedList<R> | null = null;
  readonly #indexes: Index<R>[] = [];
  readonly #byName = new Map<string, Index<R>>();
  readonly #empty = new OrderedList<R>(bySeq);
  /** Where changes are told; set by the store that owns the table. */
  #tell: (change: Change) => void = () => undefined;

  constructor(name: string, indexes: Record<I, IndexSpec<R>>) {
    this.name = name;
    for (const [indexName, spec] of Object.entries<IndexSpec<R>>(indexes)) {
      const index: Index<R> = { spec, order: spec.order ?? bySeq, lists: new Map() };
      this.#indexes.push(index);
      this.#byName.set(indexName, index);
    }
  }

  /** Names the listener of every change made from now on. */
  listen(tell: (change: Change) => void): void {
    this.#tell = tell;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): R | undefined {
    return this.#rows.get(id);
  }

  /** Every row in the order of insertion; those that come while somebody walks along are met at the end. */
  rows(): IterableIterator<R> {
    return this.#rows.values();
  }

  /** Every row by `seq`. */
  all(): OrderedList<R> {
    return (this.#all ??= listOf(
      bySeq,
      [...this.#rows.values()].sort((a, b) => a.seq - b.seq),
    ));
  }

  /** The rows under one key of one index. */
  list(index: I, key: string): OrderedList<R> {
    const found = this.#byName.get(index);
    const rows = found?.lists.get(key);
    if (!found || rows === undefined) return this.#empty;
    return rows instanceof OrderedList ? rows : listOf(found.order, [rows]);
  }

  /** How many different keys an index has. */
  keyCount(index: I): number {
    return this.#byName.get(index)?.lists.size ?? 0;
  }

  insert(row: R): R {
    if (this.#rows.has(row.id)) throw new Error(`${this.name}: a row with id ${row.id} exists already`);
    this.#rows.set(row.id, row);
    this.#all?.add(row);
    for (const index of this.#indexes) file(index, row);
    this.#tell({ op: 'insert', table: this.name, row });
    return row;
  }

  /** Changes fields of a stored row in place and returns it. */
  patch(row: R, patch: Partial<Omit<R, 'id' | 'seq'>>): R {
    // A list finds a row by its order, so the row leaves while its order still stands.
    for (const index of this.#indexes) if (moves(index, patch)) unfile(index, row);
    Object.assign(row, patch);
    for (const index of this.#indexes) if (moves(index, patch)) file(index, row);
    this.#tell({ op: 'patch', table: this.name, id: row.id, patch, row });
    return row;
  }

  delete(row: R): void {
    if (this.#rows.get(row.id) !== row) return;
    this.#rows.delete(row.id);
    this.#all?.remove(row.seq);
    for (const index of this.#indexes) unfile(index, row);
    this.#tell({ op: 'delete', table: this.name, row });
  }

  /** Drops every row. */
  clear(): void {
    this.#rows.clear();
    this.#all = null;
    for (const index of this.#indexes) index.lists.clear();
    this.#tell({ op: 'clear', table: this.name });
  }

  /** One page of the rows that stand in every one of the lists (all rows, when no list is named). */
  page(where: Partial<Record<I, string>>, query: PageQuery): Page<R> {
    const lists = Object.entries<string | undefined>(where)
      .filter((entry): entry is [I, string] => entry[1] !== undefined)
      .map(([index, key]) => this.list(index, key));
    if (lists.length === 0) lists.push(this.all());
    return query.order === 'desc' ? pageDown(lists, query) : pageUp(lists, query);
  }
}

function listOf<R>(order: (row: R) => number, rows: readonly R[]): OrderedList<R> {
  const list = new OrderedList(order);
  for (const row of rows) list.add(row);
  return list;
}

/** Whether a change of these fields can move a row within the index. */
function moves<R extends Row>({ spec: { changing } }: Index<R>, patch: object): boolean {
  if (changing === undefined) return true;
  for (const field of changing) if (field in patch) return true;
  return false;
}

function file<R extends Row>(index: Index<R>, row: R): void {
  const key = index.spec.key(row);
  if (key === undefined) return;
  const rows = index.lists.get(key);
  if (rows === undefined) index.lists.set(key, row);
  else if (rows instanceof OrderedList) rows.add(row);
  else {
    index.lists.set(key, listOf(index.order, [rows, row]));
  }
}

function unfile<R extends Row>(index: Index<R>, row: R): void {
  const key = index.spec.key(row);
  if (key === undefined) return;
  const order = index.order(row);
  const rows = index.lists.get(key);
  if (rows instanceof OrderedList) {
    rows.remove(order);
    if (rows.size === 0) index.lists.delete(key);
  } else if (rows !== undefined && index.order(rows) === order) {
    index.lists.delete(key);
  }
}

/**
 * Several lists at once: each in turn jumps by binary search to the place the others have reached, so that the cost
 * follows the rarest filter, not what is stored.
 */
function pageUp<R extends Row>(lists: OrderedList<R>[], query: PageQuery): Page<R> {
  const [first, ...others] = lists.sort((a, b) => a.size - b.size);
  if (first === undefined) return { items: [], next: null };
  const items: R[] = [];
  let position = query.cursor === undefined ? 0 : first.firstFrom(query.cursor + 1);
  for (;;) {
    const row = first.at(position);
    if (row === undefined) return { items, next: null };
    const ahead = furthest(others, row.seq);
    if (ahead === row.seq) {
      if (items.length === query.limit) return { items, next: items[items.length - 1]?.seq ?? null };
      items.push(row);
      position += 1;
    } else if (ahead === undefined) {
      return { items, next: null };
    } else {
      position = first.firstFrom(ahead);
    }
  }
}

/** The largest sequence number that some list reaches first at or after `seq`; undefined when one has ended. */
function furthest<R extends Row>(lists: OrderedList<R>[], seq: number): number | undefined {
  let reached = seq;
  for (const list of lists) {
    const row = list.at(list.firstFrom(reached));
    if (row === undefined) return undefined;
    reached = row.seq;
  }
  return reached;
}

function pageDown<R extends Row>(lists: OrderedList<R>[], query: PageQuery): Page<R> {
  const [first, ...others] = lists.sort((a, b) => a.size - b.size);
  if (first === undefined) return { items: [], next: null };
  const items: R[] = [];
  let position = (query.cursor === undefined ? first.size : first.firstFrom(query.cursor)) - 1;
  for (;;) {
    const row = first.at(position);
    if (row === undefined) return { items, next: null };
    const behind = nearest(others, row.seq);
    if (behind === row.seq) {
      if (items.length === query.limit) return { items, next: items[items.length - 1]?.seq ?? null };
      items.push(row);
      position -= 1;
    } else if (behind === undefined) {
      return { items, next: null };
    } else {
      position = first.firstFrom(behind + 1) - 1;
    }
  }
}

/** The smallest sequence number that some list reaches first at or before `seq`; undefined when one has ended. */
function nearest<R extends Row>(lists: OrderedList<R>[], seq: number): number | undefined {
  let reached = seq;
  for (const list of lists) {
    const row = list.at(list.firstFrom(reached + 1) - 1);
    if (row === undefined) return undefined;
    reached = row.seq;
  }
  return reached;
}
