/** A list of the sandbox: the pages that were scrolled to, of which what is on screen is read again. */
import { type Signal, signal } from '@preact/signals';
import { ApiError } from './api-error.js';
import type { Sequenced } from './records.js';

export interface PageQuery {
  readonly limit: number;
  readonly order: 'desc';
  readonly before?: number;
}

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly next: number | null;
}

/** Rows of a page: what fits on a large screen, and some more. */
const pageRows = 100;

/** Newest first. */
export class LiveList<T extends Sequenced> {
  readonly rows: Signal<readonly T[]> = signal([]);
  readonly ready = signal(false);
  /** Whether there are older rows to read. */
  readonly more = signal(false);
  /** The index of the first row on screen. */
  #first = 0;
  #reading = false;
  readonly #read: (query: PageQuery) => Promise<PageOf<T>>;

  constructor(read: (query: PageQuery) => Promise<PageOf<T>>) {
    this.#read = read;
  }

  /** @returns whether newer rows may now be shown, because the first row is on screen again */
  look(first: number): boolean {
    const came = first === 0 && this.#first > 0;
    this.#first = first;
    return came;
  }

  /** Reads again what is on screen. */
  async refresh(): Promise<void> {
    const before = this.#first === 0 ? undefined : this.rows.peek()[this.#first - 1]?.seq;
    const page = await this.#page(before);
    if (page) {
      const known = this.rows.peek();
      const above = before === undefined ? [] : known.filter(({ seq }) => seq >= before);
      this.#put(
        above,
        page,
        known.filter(({ seq }) => seq < (before ?? Infinity)),
      );
    }
  }

  /** Reads the next older page. */
  async older(): Promise<void> {
    const known = this.rows.peek();
    if (this.#reading || !this.more.peek()) return;
    this.#reading = true;
    const page = await this.#page(known.at(-1)?.seq);
    this.#reading = false;
    if (page && known.at(-1) === this.rows.peek().at(-1)) this.#put(this.rows.peek(), page, []);
  }

  #put(above: readonly T[], { items, next }: PageOf<T>, below: readonly T[]): void {
    const last = items.at(-1)?.seq ?? 0;
    // If nothing of this page was known, there are rows between the page and those below that were never read.
    const joined = next !== null && last <= (below[0]?.seq ?? 0) ? below.filter(({ seq }) => seq < last) : [];
    if (next === null) this.more.value = false;
    else if (joined.length === 0) this.more.value = true;
    this.rows.value = [...above, ...items, ...joined];
    this.ready.value = true;
  }

  async #page(before: number | undefined): Promise<PageOf<T> | null> {
    const query = { limit: pageRows, order: 'desc' as const, ...(before !== undefined && { before }) };
    try {
      return await this.#read(query);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A search that the sandbox rejects, such as one that is too long, finds nothing.
      return error.status === 0 ? null : { items: [], next: null };
    }
  }
}
