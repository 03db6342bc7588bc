const fewRows = 8;

/**
 * Rows in ascending order of a number. The cost of adding at the end and removing near either end does not depend on the
 * number of rows. Nearly all additions and removals happen there, because time moves forward.
 */
export class OrderedList<R> {
  #rows: (R | undefined)[] = [];
  #head = 0;
  readonly #orderOf: (row: R) => number;

  constructor(orderOf: (row: R) => number, rows: Iterable<R> = []) {
    this.#orderOf = orderOf;
    for (const row of rows) this.add(row);
  }

  get size(): number {
    return this.#rows.length - this.#head;
  }

  at(position: number): R | undefined {
    return this.#rows[this.#head + position];
  }

  orderAt(position: number): number | undefined {
    const row = this.at(position);
    return row === undefined ? undefined : this.#orderOf(row);
  }

  last(): R | undefined {
    return this.size > 0 ? this.at(this.size - 1) : undefined;
  }

  add(row: R): void {
    const order = this.#orderOf(row);
    const last = this.orderAt(this.size - 1);
    if (last !== undefined && this.size > 0 && last >= order) {
      this.#rows.splice(this.#head + this.firstFrom(order), 0, row);
    } else if (this.#rows.length < fewRows) {
      // `push` reserves room for seventeen rows; most lists keep only a few.
      this.#rows = this.#rows.concat([row]);
    } else {
      this.#rows.push(row);
    }
  }

  has(row: R): boolean {
    return this.at(this.firstFrom(this.#orderOf(row))) === row;
  }

  /** Removes the row with this order, if there is one. */
  remove(order: number): void {
    // Most removed rows are the oldest or the newest.
    if (this.orderAt(0) === order) this.#dropHead();
    else if (this.orderAt(this.size - 1) === order) this.#rows.pop();
    else {
      const position = this.firstFrom(order);
      if (this.orderAt(position) === order) this.#rows.splice(this.#head + position, 1);
    }
  }

  /** Returns the position of the first row whose order is at least `order`. */
  firstFrom(order: number): number {
    if ((this.orderAt(0) ?? Infinity) >= order) return 0;
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#orderOf(this.#rows[this.#head + middle] as R) < order) low = middle + 1;
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
