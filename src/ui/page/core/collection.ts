/**
 * The records of one kind, oldest first. They are read newest page first, then updated by the live stream. The cost of
 * a change does not depend on the length of the list: it replaces one entry in place and increments one number that
 * views watch.
 */
import { batch, signal } from '@preact/signals';
import type { Sequenced } from './records.js';

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly next: number | null;
}

/** Reads the newest `limit` records before a cursor (null: the newest of all), newest first. */
export type ReadPage<T> = (before: number | null, limit: number) => Promise<PageOf<T>>;

export type CollectionState = 'idle' | 'loading' | 'ready' | 'failed';

/** Records kept in memory. Older ones are removed, and read again when the user scrolls back to them. */
const mostKept = 60_000;
/** Rows that "all" means; more are read when the user scrolls. */
const mostWanted = 20_000;
const firstPage = 100;
const laterPage = 500;

export class Collection<T extends Sequenced> {
  /** Incremented with every change of `rows`. Reading `rows` or `get` subscribes to it. */
  readonly version = signal(0);
  readonly state = signal<CollectionState>('idle');
  /** Whether there may be older records than those loaded. */
  readonly more = signal(true);

  readonly #read: ReadPage<T>;
  readonly #idOf: (row: T) => string;
  #rows: T[] = [];
  /**
   * The cursor of the next page. It may differ from the oldest loaded record: the stream may have sent a much older
   * one.
   */
  #cursor: number | null = null;
  #byId = new Map<string, T>();
  /** Records sent by the stream since the present list call started: they are newer than its response. */
  #told: Set<string> | null = null;
  /** Changes when all earlier data becomes invalid; the responses of earlier calls are then discarded. */
  #life = 0;
  /** The list call in progress: one at a time, or pages would be skipped. */
  #reading: Promise<boolean> | null = null;
  /** Rows that must be available, also after a reload. */
  #wanted = 0;
  /** Whether the last read of the newest page failed. */
  #missed = false;

  /** @param read reads one record, whether it is loaded or not */
  constructor(
    page: ReadPage<T>,
    idOf: (row: T) => string,
    readonly read: (id: string) => Promise<T> = () => Promise.reject(new Error('these records are only in a list')),
  ) {
    this.#read = page;
    this.#idOf = idOf;
  }

  /** All loaded records, in ascending order of `seq`. The array is changed in place: do not keep it. */
  get rows(): readonly T[] {
    return this.version.value < 0 ? [] : this.#rows;
  }

  get(id: string): T | undefined {
    return this.version.value < 0 ? undefined : this.#byId.get(id);
  }

  /** The highest loaded `seq`; 0 if there is none. */
  get latest(): number {
    return this.#rows.at(-1)?.seq ?? 0;
  }

  /** Reads the newest page, once. */
  ensure(): void {
    if (this.state.peek() === 'idle') void this.reload();
  }

  /** Reads everything once, to count records or to sort them by a field other than `seq`. */
  ensureAll(): void {
    this.ensure();
    void this.all();
  }

  /** Reads the newest page again; the current rows stay until it has arrived. */
  async reload(): Promise<void> {
    if (this.state.peek() !== 'ready') this.state.value = 'loading';
    this.#life += 1;
    await this.#begin(null, firstPage, true);
    await this.all(0);
  }

  /** Retries only the reads that failed. */
  retry(): void {
    if (this.#missed) void this.reload();
    else void this.all(0);
  }

  /**
   * Reads the page before the oldest loaded record; waits if another read is in progress.
   * @returns false if the read failed, or there is no such page
   */
  older(): Promise<boolean> {
    if (this.#reading) return this.#reading;
    if (!this.more.peek() || this.state.peek() !== 'ready') return Promise.resolve(false);
    return this.#begin(this.#cursor, laterPage, false);
  }

  /**
   * Reads pages until all records, or `most` of them, are loaded; repeats this after each reload. After a failure, it
   * stops until `retry`.
   */
  async all(most = mostWanted): Promise<void> {
    this.#wanted = Math.max(this.#wanted, most);
    while (this.more.peek() && this.#rows.length < this.#wanted && this.state.peek() === 'ready') {
      if (!(await this.older())) return;
    }
  }

  /** Handles a record from the stream. An unused list is not shown, so it stays empty. */
  put(row: T): void {
    if (this.state.peek() === 'idle') return;
    this.#told?.add(this.#idOf(row));
    this.#place(row);
    this.#changed();
  }

  drop(id: string): void {
    this.#told?.add(id);
    const row = this.#byId.get(id);
    if (!row) return;
    this.#byId.delete(id);
    const at = this.#positionOf(row.seq);
    if (this.#rows[at] === row) this.#rows.splice(at, 1);
    this.#changed();
  }

  /** Removes all rows, after a reset or when the journal was emptied. */
  clear(): void {
    this.#life += 1;
    this.#reading = null;
    this.#rows = [];
    this.#byId.clear();
    this.more.value = false;
    if (this.state.peek() === 'loading') this.state.value = 'ready';
    this.#changed();
  }

  /** Hides the current rows while they are read again. Unused lists stay unread. */
  startOver(): void {
    if (this.state.peek() === 'idle') return;
    this.clear();
    void this.reload();
  }

  #begin(before: number | null, limit: number, anew: boolean): Promise<boolean> {
    const reading = this.#fetch(before, limit, anew).finally(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    this.#reading = reading;
    return reading;
  }

  /** @returns false if the read failed */
  async #fetch(before: number | null, limit: number, anew: boolean): Promise<boolean> {
    const life = this.#life;
    const told = new Set<string>();
    this.#told = told;
    try {
      const { items, next } = await this.#read(before, limit);
      if (life === this.#life) batch(() => this.#take({ items, next }, told, anew));
      return true;
    } catch {
      // The connection indicator shows the reason. The list is read again when the sandbox is back.
      if (life !== this.#life) return true;
      if (anew) this.#missed = true;
      else this.#wanted = Math.max(this.#wanted, this.#rows.length + 1);
      if (this.state.peek() !== 'ready') this.state.value = 'failed';
      return false;
    } finally {
      if (this.#told === told) this.#told = null;
    }
  }

  #take({ items, next }: PageOf<T>, told: ReadonlySet<string>, anew: boolean): void {
    if (anew) this.#startOver(told);
    for (const row of items) if (!told.has(this.#idOf(row))) this.#place(row);
    this.#cursor = next;
    this.more.value = next !== null;
    this.state.value = 'ready';
    this.#changed();
  }

  /** Keeps the records that the stream has sent meanwhile and discards the rest. */
  #startOver(told: ReadonlySet<string>): void {
    this.#missed = false;
    this.#rows = this.#rows.filter((row) => told.has(this.#idOf(row)));
    this.#byId = new Map(this.#rows.map((row) => [this.#idOf(row), row]));
  }

  #place(row: T): void {
    const id = this.#idOf(row);
    const known = this.#byId.get(id);
    this.#byId.set(id, row);
    if (known && known.seq === row.seq) this.#rows[this.#positionOf(row.seq)] = row;
    else if (row.seq > this.latest) this.#rows.push(row);
    else this.#rows.splice(this.#positionOf(row.seq), 0, row);
  }

  /** Returns the position of the first row whose `seq` is at least this. */
  #positionOf(seq: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle]?.seq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #changed(): void {
    if (this.#rows.length > mostKept) {
      for (const row of this.#rows.splice(0, this.#rows.length - mostKept)) this.#byId.delete(this.#idOf(row));
      this.#cursor = this.#rows[0]?.seq ?? null;
      this.more.value = true;
    }
    this.version.value += 1;
  }
}
