/** Records by id and by number. Lists scan; a few indexes serve what every send asks. */
import type { Row } from '../domain/rows.js';
import { firstFrom } from './page.js';

export type Change =
  /** `patch`: the fields that changed; absent if the row is new. */
  | { readonly op: 'put'; readonly table: string; readonly row: Row; readonly patch?: object }
  | { readonly op: 'delete'; readonly table: string; readonly row: Row }
  /** `rows`: those that a snapshot brought instead. */
  | { readonly op: 'clear'; readonly table: string; readonly rows?: readonly Row[] };

/** Undefined omits the row. */
export type IndexKey<R> = (row: R) => string | undefined;

interface Index<R> {
  readonly name: string;
  readonly keyOf: IndexKey<R>;
  readonly lists: Map<string, R[]>;
}

/** A kind is rare if at most one row in so many is of it. Where more are, a look at each row in its order soon finds some. */
const rareAmong = 10;

export class Table<R extends Row, I extends string = never> {
  readonly #byId = new Map<string, R>();
  /** All rows by `seq`, and some that have been deleted; null until something asks for that order. */
  #rows: R[] | null = null;
  /** Deleted rows: at the beginning, and after it. */
  #deleted = 0;
  #gone = 0;
  readonly #indexes: readonly Index<R>[];
  /** Rows by their kind: to change it costs the same, however many rows are of it. */
  readonly #kinds = new Map<string, Set<R>>();
  /** The store that owns the table sets it. */
  #report: (change: Change) => void = () => undefined;

  constructor(
    readonly name: string,
    indexes: Readonly<Record<I, IndexKey<R>>> = {} as Record<I, IndexKey<R>>,
    /** A field with few values. It may change often. */
    private readonly kindOf: IndexKey<R> = () => undefined,
  ) {
    this.#indexes = Object.entries<IndexKey<R>>(indexes).map(([name, keyOf]) => ({ name, keyOf, lists: new Map() }));
  }

  listen(report: (change: Change) => void): void {
    this.#report = report;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): R | undefined {
    return this.#byId.get(id);
  }

  /** Later insertions and deletions do not change the list. */
  all(): R[] {
    return this.inOrder().slice();
  }

  /** The order itself, not a copy: read it before the table changes. */
  inOrder(): readonly R[] {
    const rows = this.#ordered();
    if (this.#gone > 0) this.#compact(rows);
    rows.splice(0, this.#deleted);
    this.#deleted = 0;
    return rows;
  }

  /** Do not insert or delete meanwhile. */
  *oldest(): Generator<R, void> {
    const rows = this.#ordered();
    for (let at = this.#deleted; at < rows.length; at += 1) {
      const row = rows[at] as R;
      if (this.#gone === 0 || this.#isPresent(row)) yield row;
    }
  }

  find(fits: (row: R) => boolean): R | undefined {
    return this.all().find(fits);
  }

  filter(fits: (row: R) => boolean): R[] {
    return this.all().filter(fits);
  }

  /** Copy the list before a loop that changes it. */
  list(index: I, key: string): readonly R[] {
    return this.#indexes.find(({ name }) => name === index)?.lists.get(key) ?? [];
  }

  keys(index: I): Iterable<string> {
    return this.#indexes.find(({ name }) => name === index)?.lists.keys() ?? [];
  }

  /** The rows of a kind by `seq`; null if it is not rare. */
  ofRareKind(kind: string): R[] | null {
    const rows = this.#kinds.get(kind) ?? new Set();
    return rows.size * rareAmong > this.size ? null : [...rows].sort((a, b) => a.seq - b.seq);
  }

  values(): Iterable<R> {
    return this.#byId.values();
  }

  insert(row: R): R {
    if (this.#byId.has(row.id)) throw new Error(`${this.name}: a row with id ${row.id} already exists`);
    this.#add(row);
    this.#report({ op: 'put', table: this.name, row });
    return row;
  }

  /** Changes fields of a stored row in place and returns it. */
  patch(row: R, patch: Partial<Omit<R, 'id' | 'seq'>>): R {
    const before = this.#indexes.map(({ keyOf }) => keyOf(row));
    const kind = this.kindOf(row);
    Object.assign(row, patch);
    if (this.kindOf(row) !== kind) {
      this.#leaveKind(kind, row);
      this.#enterKind(row);
    }
    for (const [at, { keyOf, lists }] of this.#indexes.entries()) {
      const key = keyOf(row);
      if (key === before[at]) continue;
      leave(lists, before[at], row);
      enter(lists, key, row);
    }
    this.#report({ op: 'put', table: this.name, row, patch });
    return row;
  }

  delete(row: R): void {
    if (this.#byId.get(row.id) !== row) return;
    this.#byId.delete(row.id);
    this.#leaveOrder(row);
    this.#leaveKind(this.kindOf(row), row);
    for (const { keyOf, lists } of this.#indexes) leave(lists, keyOf(row), row);
    this.#report({ op: 'delete', table: this.name, row });
  }

  clear(): void {
    this.#become([]);
    this.#report({ op: 'clear', table: this.name });
  }

  replace(rows: readonly R[]): void {
    this.#become(rows);
    this.#report({ op: 'clear', table: this.name, rows });
  }

  /** No listener is called. */
  fill(rows: Iterable<R>): void {
    for (const row of rows) this.#add(row);
  }

  toJSON(): readonly R[] {
    return this.all();
  }

  #isPresent(row: R): boolean {
    return this.#byId.get(row.id) === row;
  }

  #ordered(): R[] {
    if (!this.#rows) {
      this.#rows = [...this.#byId.values()].sort((a, b) => a.seq - b.seq);
      this.#deleted = 0;
      this.#gone = 0;
    }
    return this.#rows;
  }

  /** Takes out the deleted rows, all at once: for each by itself, all later ones would move. */
  #compact(rows: R[]): void {
    let kept = 0;
    for (const row of rows) if (this.#isPresent(row)) rows[kept++] = row;
    rows.length = kept;
    this.#deleted = 0;
    this.#gone = 0;
  }

  #leaveOrder(row: R): void {
    const rows = this.#rows;
    if (rows?.[this.#deleted] === row) {
      // A full list loses its first row with each write: many of them are cut off together.
      this.#deleted += 1;
    } else if (rows) this.#gone += 1;
    if (rows && (this.#deleted + this.#gone) * 2 > rows.length) this.#compact(rows);
  }

  #enterKind(row: R): void {
    const kind = this.kindOf(row);
    if (kind === undefined) return;
    const rows = this.#kinds.get(kind);
    if (rows) rows.add(row);
    else this.#kinds.set(kind, new Set([row]));
  }

  #leaveKind(kind: string | undefined, row: R): void {
    if (kind !== undefined) this.#kinds.get(kind)?.delete(row);
  }

  #become(rows: readonly R[]): void {
    this.#byId.clear();
    this.#rows = null;
    this.#kinds.clear();
    for (const { lists } of this.#indexes) lists.clear();
    this.fill(rows);
  }

  #add(row: R): void {
    this.#byId.set(row.id, row);
    if (this.#rows && (this.#rows.at(-1)?.seq ?? 0) <= row.seq) this.#rows.push(row);
    else this.#rows = null;
    this.#enterKind(row);
    for (const { keyOf, lists } of this.#indexes) enter(lists, keyOf(row), row);
  }
}

function enter<R extends Row>(lists: Map<string, R[]>, key: string | undefined, row: R): void {
  if (key === undefined) return;
  const list = lists.get(key);
  if (!list) lists.set(key, [row]);
  else if ((list.at(-1)?.seq ?? 0) <= row.seq) list.push(row);
  else list.splice(firstFrom(list, row.seq), 0, row);
}

function leave<R extends Row>(lists: Map<string, R[]>, key: string | undefined, row: R): void {
  const list = key === undefined ? undefined : lists.get(key);
  if (key === undefined || !list) return;
  remove(list, row);
  if (list.length === 0) lists.delete(key);
}

function remove<R extends Row>(rows: R[], row: R): void {
  const at = rows.indexOf(row, firstFrom(rows, row.seq));
  if (at === 0) rows.shift();
  else if (at > 0) rows.splice(at, 1);
}
