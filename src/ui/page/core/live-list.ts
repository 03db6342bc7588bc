import { type Signal, signal } from '@preact/signals';
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

/** Rows that are read at once: what fits on a large screen, and what one scrolls to. */
const onScreen = 50;
const further = 200;

export class LiveList<T extends Sequenced> {
  readonly rows: Signal<readonly T[] | null> = signal(null);
  more = false;
  #first = 0;
  #reading = false;

  /** @param read returns null if it has failed */
  constructor(private readonly read: (query: PageQuery) => Promise<PageOf<T> | null>) {}

  /** @returns whether newer rows may now be shown, because the first row is on screen again */
  look(first: number): boolean {
    const came = first === 0 && this.#first > 0;
    this.#first = first;
    return came;
  }

  async refresh(): Promise<void> {
    await this.#page(onScreen, this.rows.peek()?.[this.#first - 1]?.seq);
  }

  async older(): Promise<void> {
    if (this.#reading || !this.more) return;
    this.#reading = true;
    await this.#page(further, this.rows.peek()?.at(-1)?.seq);
    this.#reading = false;
  }

  async #page(limit: number, before = Infinity): Promise<void> {
    const page = await this.read({ limit, order: 'desc', ...(before !== Infinity && { before }) });
    if (!page) return;
    if (page.items.length === 0 && before !== Infinity && this.#first > 0) {
      // What was on screen is gone, as after a reset.
      this.#first = 0;
      await this.#page(limit);
      return;
    }
    const known = this.rows.peek() ?? [];
    const above = known.filter(({ seq }) => seq >= before);
    // While the page was read, another one may have replaced the rows that it continues.
    if (before !== Infinity && above.at(-1)?.seq !== before) return;
    const last = page.items.at(-1)?.seq ?? 0;
    const below = page.next === null ? [] : known.filter(({ seq }) => seq < last);
    // If nothing of this page was known, there are rows between the page and those below that were never read.
    const joins = known.some(({ seq }) => seq >= last && seq < before);
    if (page.next === null) this.more = false;
    else if (!joins || below.length === 0) this.more = true;
    this.rows.value = [...above, ...page.items, ...(joins ? below : [])];
  }
}
