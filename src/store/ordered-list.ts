const fewRows = 8;

/**
 * Rows in ascending order of a number. Adding at the end and removing near either end cost the same whatever is stored,
 * which is where nearly all additions and removals happen: time moves forward.
 */
export class OrderedList<R> {
  #rows: (R | undefined)[] = [];
  #head = 0;
  readonly #orderOf: (row: R) => number;

  constructor(orderOf: (row: R) => number) {
    this.#orderOf = orderOf;
  }

  get size(): number {
    return this.#rows.length - this.#head;
  }

  at(position: number): R | undefined {
    return this.#rows[this.#head + position];
  }

  last(): R | undefined {
    return this.size > 0 ? this.#rows[this.#rows.length - 1] : undefined;
  }

  add(row: R): void {
    const last = this.last();
    if (last !== undefined && this.#orderOf(last) >= this.#orderOf(row)) this.#insert(row);
    // An array that grows by itself takes room for seventeen at once; most lists hold a few rows for good.
    else if (this.#rows.length < fewRows) this.#rows = this.#rows.concat([row]);
    else this.#rows.push(row);
  }

  #insert(row: R): void {
    this.#rows.splice(this.#head + this.firstFrom(this.#orderOf(row)), 0, row);
  }

  /** Removes the row whose order is `order`, if there is one. */
  remove(order: number): void {
    const position = this.firstFrom(order);
    const row = this.at(position);
    if (row === undefined || this.#orderOf(row) !== order) return;
    if (position === 0) this.#dropHead();
    else this.#rows.splice(this.#head + position, 1);
  }

  /** The position of the first row whose order is at least `order`. */
  firstFrom(order: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#orderOf(this.at(middle) as R) < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *[Symbol.iterator](): IterableIterator<R> {
    for (let position = 0; position < this.size; position += 1) yield this.at(position) as R;
  }

  #dropHead(): void {
    this.#rows[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= 1024 && this.#head * 2 >= this.#rows.length) {
      this.#rows = this.#rows.slice(this.#head);
      this.#head = 0;
    }
  }
}
