const fewRows = 8;

/**
 * Rows in ascending order of a number. Adding at the end and removing near either end cost the same whatever is stored,
 * which is where nearly all additions and removals happen: time moves forward.
 *
 * @typeParam E what is kept of a row, where that is not the row itself: `open` makes the row of it
 */
export class OrderedList<R, E = R> {
  #entries: (E | undefined)[] = [];
  #head = 0;
  /** Where an entry was put in place of another, the last time. */
  #swapped = -1;
  readonly #orderOf: (entry: E) => number;
  readonly #open: ((entry: E) => R) | undefined;

  constructor(orderOf: (entry: E) => number, open?: (entry: E) => R) {
    this.#orderOf = orderOf;
    this.#open = open;
  }

  get size(): number {
    return this.#entries.length - this.#head;
  }

  at(position: number): R | undefined {
    const entry = this.#entries[this.#head + position];
    return entry === undefined || this.#open === undefined ? (entry as R | undefined) : this.#open(entry);
  }

  /** The order of the row at a position, without a look at the row itself. */
  orderAt(position: number): number | undefined {
    const entry = this.#entries[this.#head + position];
    return entry === undefined ? undefined : this.#orderOf(entry);
  }

  last(): R | undefined {
    return this.size > 0 ? this.at(this.size - 1) : undefined;
  }

  add(entry: E): void {
    const last = this.size > 0 ? this.#entries[this.#entries.length - 1] : undefined;
    if (last !== undefined && this.#orderOf(last) >= this.#orderOf(entry)) this.#insert(entry);
    // An array that grows by itself takes room for seventeen at once; most lists hold a few rows for good.
    else if (this.#entries.length < fewRows) this.#entries = this.#entries.concat([entry]);
    else this.#entries.push(entry);
  }

  #insert(entry: E): void {
    this.#entries.splice(this.#head + this.firstFrom(this.#orderOf(entry)), 0, entry);
  }

  /** Puts an entry where one of the same order stands. One after the other is swapped, mostly, so the next is looked at first. */
  swap(entry: E): void {
    const order = this.#orderOf(entry);
    const next = this.#swapped + 1;
    const position = this.orderAt(next) === order ? next : this.firstFrom(order);
    if (this.orderAt(position) !== order) return;
    this.#entries[this.#head + position] = entry;
    this.#swapped = position;
  }

  /** Removes the row whose order is `order`, if there is one. */
  remove(order: number): void {
    // Most that leave have been here for longest, or have just come.
    if (this.orderAt(0) === order) this.#dropHead();
    else if (this.orderAt(this.size - 1) === order) this.#entries.pop();
    else {
      const position = this.firstFrom(order);
      if (this.orderAt(position) === order) this.#entries.splice(this.#head + position, 1);
    }
  }

  /** The position of the first row whose order is at least `order`. */
  firstFrom(order: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#orderOf(this.#entries[this.#head + middle] as E) < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *[Symbol.iterator](): IterableIterator<R> {
    for (let position = 0; position < this.size; position += 1) yield this.at(position) as R;
  }

  #dropHead(): void {
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= 1024 && this.#head * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }
}
