const fewRows = 8;
/** Rows in one piece of a list. */
const pieceSize = 1024;
/** Rows that may have gone from the front before their room is given back. */
const mostGaps = 32;

/**
 * Rows in ascending order of a number. Adding at the end and removing near either end cost the same whatever is stored,
 * which is where nearly all additions and removals happen: time moves forward.
 *
 * A long list lies in pieces. A single array of a million is copied whole each time when it is full, and nobody is served
 * for as long as that takes.
 *
 * @typeParam E what is kept of a row, where that is not the row itself: `open` makes the row of it
 */
export class OrderedList<R, E = R> {
  /** None of them empty. */
  #pieces: E[][] = [];
  /** So many have gone from the front of the first piece; what is left in their place is never looked at. */
  #head = 0;
  /** How many there are, those that have gone from the front among them. */
  #length = 0;
  /** Where each piece begins, counted as `#length`; null from a change until somebody asks. */
  #starts: number[] | null = null;
  readonly #orderOf: (entry: E) => number;
  readonly #open: ((entry: E) => R) | undefined;

  constructor(orderOf: (entry: E) => number, open?: (entry: E) => R) {
    this.#orderOf = orderOf;
    this.#open = open;
  }

  get size(): number {
    return this.#length - this.#head;
  }

  at(position: number): R | undefined {
    const entry = this.#entryAt(position);
    return entry === undefined || this.#open === undefined ? (entry as R | undefined) : this.#open(entry);
  }

  /** The order of the row at a position, without a look at the row itself. */
  orderAt(position: number): number | undefined {
    const entry = this.#entryAt(position);
    return entry === undefined ? undefined : this.#orderOf(entry);
  }

  /** What is kept of the first row. */
  first(): E | undefined {
    return this.#pieces[0]?.[this.#head];
  }

  last(): R | undefined {
    return this.at(this.size - 1);
  }

  add(entry: E): void {
    const at = this.#pieces.length - 1;
    const piece = this.#pieces[at];
    this.#length += 1;
    if (piece === undefined) {
      this.#pieces = [[entry]];
    } else if (this.#orderOf(piece[piece.length - 1] as E) >= this.#orderOf(entry)) {
      this.#insert(entry);
    } else if (piece.length < fewRows) {
      // An array that grows by itself takes room for seventeen at once; most lists hold a few rows for good.
      this.#pieces[at] = piece.concat([entry]);
    } else if (piece.length < pieceSize) {
      piece.push(entry);
    } else {
      // Full: kept without the room to grow that it has.
      this.#pieces[at] = piece.slice();
      this.#pieces.push([entry]);
      this.#starts = null;
    }
  }

  /** Puts an entry where one of the same order stands. */
  swap(entry: E): void {
    const order = this.#orderOf(entry);
    const piece = this.#pieces[this.#pieceOf(order)];
    if (piece === undefined) return;
    const inner = this.#innerFrom(piece, order);
    if (this.#hasOrder(piece[inner], order)) piece[inner] = entry;
  }

  /** Removes the row whose order is `order`, if there is one. */
  remove(order: number): void {
    // Most that leave have been here for longest.
    if (this.#hasOrder(this.first(), order)) {
      this.#dropHead(this.#pieces[0] as E[]);
      return;
    }
    const at = this.#pieceOf(order);
    const piece = this.#pieces[at];
    if (piece === undefined) return;
    const inner = this.#innerFrom(piece, order);
    if (!this.#hasOrder(piece[inner], order)) return;
    if (inner === piece.length - 1) piece.pop();
    else piece.splice(inner, 1);
    if (piece.length === 0) this.#pieces.splice(at, 1);
    this.#length -= 1;
    this.#starts = null;
  }

  /** The position of the first row whose order is at least `order`. */
  firstFrom(order: number): number {
    const at = this.#pieceOf(order);
    const piece = this.#pieces[at];
    return piece === undefined ? 0 : this.#startOf(at) + this.#innerFrom(piece, order) - this.#head;
  }

  *[Symbol.iterator](): IterableIterator<R> {
    for (let position = 0; position < this.size; position += 1) yield this.at(position) as R;
  }

  #insert(entry: E): void {
    const order = this.#orderOf(entry);
    const at = this.#pieceOf(order);
    const piece = this.#pieces[at] as E[];
    piece.splice(this.#innerFrom(piece, order), 0, entry);
    // Not the first while it has gaps: it is cut soon.
    const isTooLong = piece.length > pieceSize && (at > 0 || this.#head === 0);
    if (isTooLong) this.#pieces.splice(at, 1, piece.slice(0, pieceSize / 2), piece.slice(pieceSize / 2));
    this.#starts = null;
  }

  /** The oldest leaves its place empty; places are given back when they are half of all. */
  #dropHead(piece: E[]): void {
    (piece as (E | undefined)[])[this.#head] = undefined;
    this.#head += 1;
    const isEmpty = this.#head === piece.length;
    if (!isEmpty && (this.#head < mostGaps || this.#head * 2 < piece.length)) return;
    if (isEmpty) this.#pieces.shift();
    else this.#pieces[0] = piece.slice(this.#head);
    this.#length -= this.#head;
    this.#head = 0;
    this.#starts = null;
  }

  #entryAt(position: number): E | undefined {
    const pieces = this.#pieces;
    const place = position + this.#head;
    // The oldest and the newest are asked for while rows come and go: for them nobody counts where each piece begins.
    if (pieces.length <= 1 || position <= 0) return position < 0 ? undefined : pieces[0]?.[place];
    const last = pieces[pieces.length - 1] as E[];
    const fromLast = place - (this.#length - last.length);
    if (fromLast >= 0) return last[fromLast];
    const at = firstWhere(pieces.length, (piece) => this.#startOf(piece) > place) - 1;
    return pieces[at]?.[place - this.#startOf(at)];
  }

  #startOf(at: number): number {
    if (at === 0) return 0;
    this.#starts ??= startsOf(this.#pieces);
    return this.#starts[at] as number;
  }

  /** The piece that holds the first row whose order is at least `order`; the last, behind whose end it would be, if none does. */
  #pieceOf(order: number): number {
    const pieces = this.#pieces;
    const last = pieces.length - 1;
    if (last <= 0) return 0;
    return firstWhere(last, (at) => {
      const piece = pieces[at] as E[];
      return this.#orderOf(piece[piece.length - 1] as E) >= order;
    });
  }

  #innerFrom(piece: readonly E[], order: number): number {
    let low = piece === this.#pieces[0] ? this.#head : 0;
    let high = piece.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#orderOf(piece[middle] as E) < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #hasOrder(entry: E | undefined, order: number): boolean {
    return entry !== undefined && this.#orderOf(entry) === order;
  }
}

/** The first of `count` numbers for which it holds, where it does for all that follow; `count` when it does for none. */
function firstWhere(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function startsOf(pieces: readonly (readonly unknown[])[]): number[] {
  let start = 0;
  return pieces.map(({ length }) => (start += length) - length);
}
