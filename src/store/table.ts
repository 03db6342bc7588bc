/** Records of one kind, by id and in the order of their numbers. Lists scan; a few indexes serve what every send asks. */
import type { Row } from '../domain/rows.js';

/** One step of a write. `patch` contains only the fields that changed. */
export type Change =
  | { readonly op: 'insert'; readonly table: string; readonly row: Row }
  | { readonly op: 'patch'; readonly table: string; readonly id: string; readonly patch: object; readonly row: Row }
  | { readonly op: 'delete'; readonly table: string; readonly row: Row }
  /** `replaced`: the table has other rows now, which a snapshot brought. */
  | { readonly op: 'clear'; readonly table: string; readonly replaced?: true };

export interface PageQuery {
  /** The page begins after (ascending) or before (descending) this sequence number. */
  readonly cursor?: number;
  /** The page ends before (ascending) or after (descending) this sequence number, or earlier at its limit. */
  readonly bound?: number;
  readonly limit: number;
  readonly order?: 'asc' | 'desc';
}

export interface Page<R> {
  readonly items: R[];
  /** The cursor of the next page, null at the end. */
  readonly next: number | null;
}

/** Returns the key of a row in an index; undefined omits the row. */
export type IndexKey<R> = (row: R) => string | undefined;

interface Index<R> {
  readonly keyOf: IndexKey<R>;
  readonly lists: Map<string, R[]>;
}

export class Table<R extends Row, I extends string = never> {
  /** Nearly always in the order of `seq`. */
  readonly #byId = new Map<string, R>();
  /** The first of them, and those after it: a new iterator would step over every entry that was deleted at the front. */
  #first: R | undefined;
  #following = this.#byId.values();
  #isOrdered = true;
  #lastSeq = 0;
  /** All rows by `seq`; null until a list asks for them. */
  #rows: readonly R[] | null = null;
  readonly #indexes: Readonly<Record<I, Index<R>>>;
  readonly #allIndexes: readonly Index<R>[];
  /** Receives every change. The store that owns the table sets it. */
  #report: (change: Change) => void = () => undefined;

  constructor(
    readonly name: string,
    indexes: Readonly<Record<I, IndexKey<R>>> = {} as Record<I, IndexKey<R>>,
  ) {
    const entries = Object.entries<IndexKey<R>>(indexes);
    this.#indexes = Object.fromEntries(
      entries.map(([key, keyOf]) => [key, { keyOf, lists: new Map<string, R[]>() }]),
    ) as Record<I, Index<R>>;
    this.#allIndexes = Object.values<Index<R>>(this.#indexes);
  }

  /** Sets the listener of all later changes. */
  listen(report: (change: Change) => void): void {
    this.#report = report;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): R | undefined {
    return this.#byId.get(id);
  }

  /** Returns the present rows by `seq`. Later insertions and deletions do not change the list. */
  all(): readonly R[] {
    if (this.#rows) return this.#rows;
    const rows = [...this.#byId.values()];
    return (this.#rows = this.#isOrdered ? rows : rows.sort((a, b) => a.seq - b.seq));
  }

  /** Returns the rows from the oldest on. Do not insert or delete meanwhile. */
  *oldest(): Generator<R, void> {
    if (!this.#isOrdered) return yield* this.all();
    while (!this.#first || this.#byId.get(this.#first.id) !== this.#first) {
      if (this.#byId.size === 0) return;
      const next = this.#following.next();
      this.#first = next.value;
      if (next.done === true) this.#following = this.#byId.values();
    }
    const first = this.#first;
    yield first;
    let isAfter = false;
    for (const row of this.#byId.values()) {
      if (isAfter) yield row;
      else isAfter = row === first;
    }
  }

  find(fits: (row: R) => boolean): R | undefined {
    return this.all().find(fits);
  }

  filter(fits: (row: R) => boolean): R[] {
    return this.all().filter(fits);
  }

  /** Returns the rows under one key of one index, by `seq`. Copy it before a loop that changes them. */
  list(index: I, key: string): readonly R[] {
    return this.#indexes[index].lists.get(key) ?? [];
  }

  insert(row: R): R {
    if (this.#byId.has(row.id)) throw new Error(`${this.name}: a row with id ${row.id} already exists`);
    this.#add(row);
    this.#report({ op: 'insert', table: this.name, row });
    return row;
  }

  /** Changes fields of a stored row in place and returns it. */
  patch(row: R, patch: Partial<Omit<R, 'id' | 'seq'>>): R {
    const before = this.#allIndexes.map(({ keyOf }) => keyOf(row));
    Object.assign(row, patch);
    for (const [at, index] of this.#allIndexes.entries()) {
      const key = index.keyOf(row);
      if (key === before[at]) continue;
      removeFromIndex(index, row, before[at]);
      addToIndex(index, row, key);
    }
    this.#report({ op: 'patch', table: this.name, id: row.id, patch, row });
    return row;
  }

  delete(row: R): void {
    if (this.#byId.get(row.id) !== row) return;
    this.#byId.delete(row.id);
    this.#rows = null;
    for (const index of this.#allIndexes) removeFromIndex(index, row, index.keyOf(row));
    this.#report({ op: 'delete', table: this.name, row });
  }

  /** Removes every row. */
  clear(): void {
    this.#empty();
    this.#report({ op: 'clear', table: this.name });
  }

  /** Replaces every row, as one change. */
  replace(rows: Iterable<R>): void {
    this.#empty();
    this.fill(rows);
    this.#report({ op: 'clear', table: this.name, replaced: true });
  }

  /** Adds the stored rows of an account that is being opened. No listener is called. */
  fill(rows: Iterable<R>): void {
    for (const row of rows) this.#add(row);
  }

  /** Returns one page of the rows that fit, or of all rows. */
  page(query: PageQuery, fits: (row: R) => boolean = () => true): Page<R> {
    return pageOf(this.all(), query, fits);
  }

  toJSON(): readonly R[] {
    return this.all();
  }

  #add(row: R): void {
    this.#byId.set(row.id, row);
    this.#rows = null;
    if (row.seq < this.#lastSeq) this.#isOrdered = false;
    else this.#lastSeq = row.seq;
    for (const index of this.#allIndexes) addToIndex(index, row, index.keyOf(row));
  }

  #empty(): void {
    this.#byId.clear();
    this.#first = undefined;
    this.#following = this.#byId.values();
    this.#rows = null;
    this.#isOrdered = true;
    this.#lastSeq = 0;
    for (const { lists } of this.#allIndexes) lists.clear();
  }
}

/**
 * Returns one page of the rows that fit.
 * @param rows by `seq`
 */
export function pageOf<R extends { readonly seq: number }>(
  rows: readonly R[],
  { cursor, bound, limit, order }: PageQuery,
  fits: (row: R) => boolean = () => true,
): Page<R> {
  const isDown = order === 'desc';
  const step = isDown ? -1 : 1;
  const last = bound ?? (isDown ? -Infinity : Infinity);
  let at = cursor === undefined ? (isDown ? rows.length - 1 : 0) : firstFrom(rows, isDown ? cursor : cursor + 1);
  if (isDown && cursor !== undefined) at -= 1;
  const items: R[] = [];
  for (let row = rows[at]; row !== undefined; row = rows[(at += step)]) {
    if (isDown ? row.seq <= last : row.seq >= last) break;
    if (!fits(row)) continue;
    if (items.length === limit) return { items, next: items.at(-1)?.seq ?? null };
    items.push(row);
  }
  return { items, next: null };
}

/** Returns the position of the first row whose number is at least `seq`. */
function firstFrom(rows: readonly { readonly seq: number }[], seq: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function addToIndex<R extends Row>({ lists }: Index<R>, row: R, key: string | undefined): void {
  if (key === undefined) return;
  const list = lists.get(key);
  if (!list) lists.set(key, [row]);
  else if ((list.at(-1)?.seq ?? 0) <= row.seq) list.push(row);
  else list.splice(firstFrom(list, row.seq), 0, row);
}

function removeFromIndex<R extends Row>({ lists }: Index<R>, row: R, key: string | undefined): void {
  const list = key === undefined ? undefined : lists.get(key);
  if (key === undefined || !list) return;
  const at = list.indexOf(row, firstFrom(list, row.seq));
  if (at === 0) list.shift();
  else if (at > 0) list.splice(at, 1);
  if (list.length === 0) lists.delete(key);
}
