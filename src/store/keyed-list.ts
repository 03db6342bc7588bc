import { PlacesByKey } from './places-by-key.js';

/** A piece has 256 places. A single value that stays keeps its piece: the pieces are small. */
const slotBits = 8;
const pieceSize = 2 ** slotBits;
const slotMask = pieceSize - 1;

interface Piece<V> {
  /** By place; undefined where one has gone. */
  readonly values: (V | undefined)[];
  /** How many of them are there. */
  count: number;
}

/**
 * Values by a key that can be told from them, and in the order in which they came. Each has a place, a number that is never
 * given twice: who walks along the places meets what stands there at that moment, and at the end what has come since.
 *
 * Nothing in it is ever copied whole as it grows (`PlacesByKey` says why).
 */
export class KeyedList<V> {
  readonly #places: PlacesByKey;
  /** Null where every value has gone. */
  readonly #pieces: (Piece<V> | null)[] = [];
  /** The first place of the first piece: those before have gone. */
  #base = 0;
  #end = 0;
  #size = 0;

  constructor(keyOf: (value: V) => string | undefined) {
    this.#places = new PlacesByKey((place) => {
      const value = this.at(place);
      return value === undefined ? undefined : keyOf(value);
    });
  }

  get size(): number {
    return this.#size;
  }

  /** The place that the next value gets. */
  get end(): number {
    return this.#end;
  }

  get(key: string): V | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.at(place);
  }

  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  at(place: number): V | undefined {
    return this.#pieces[this.#pieceOf(place)]?.values[place & slotMask];
  }

  /** Adds a value at the end; false when there is one under the key already. */
  add(key: string, value: V): boolean {
    if (!this.#places.add(key, this.#end)) return false;
    const piece = this.#lastPiece();
    piece.values[this.#end & slotMask] = value;
    piece.count += 1;
    this.#end += 1;
    this.#size += 1;
    return true;
  }

  /** Puts another value of the same key in the place of the one that is there. */
  replace(key: string, value: V): void {
    const place = this.#places.get(key);
    const piece = place === undefined ? null : this.#pieces[this.#pieceOf(place)];
    if (piece && place !== undefined) piece.values[place & slotMask] = value;
  }

  delete(key: string): void {
    const place = this.#places.take(key);
    if (place === undefined) return;
    const at = this.#pieceOf(place);
    const piece = this.#pieces[at];
    if (!piece) return;
    piece.values[place & slotMask] = undefined;
    piece.count -= 1;
    this.#size -= 1;
    if (piece.count === 0 && at < this.#pieces.length - 1) this.#letGo(at);
  }

  /** In the order in which they came; those that come while somebody walks along are met at the end. */
  *[Symbol.iterator](): Generator<V, undefined> {
    for (let place = this.#base; place < this.#end; place += 1) {
      const value = this.at(place);
      if (value !== undefined) yield value;
    }
  }

  /** The piece for the value that comes. */
  #lastPiece(): Piece<V> {
    const at = this.#pieceOf(this.#end);
    const last = this.#pieces[at];
    if (last) return last;
    // The one before is full now: it goes, if all its values have gone already.
    if (at > 0) this.#letGo(at - 1);
    // Most lists end within their first piece, which takes room as it goes.
    const piece: Piece<V> = { values: this.#end === 0 ? [] : new Array<V | undefined>(pieceSize), count: 0 };
    this.#pieces.push(piece);
    return piece;
  }

  /** Places are counted for ever; from the first piece on, their difference has room in the bits that a shift looks at. */
  #pieceOf(place: number): number {
    return (place - this.#base) >>> slotBits;
  }

  /** Drops a full piece, if nothing is left in it. */
  #letGo(at: number): void {
    if (this.#pieces[at]?.count !== 0) return;
    this.#pieces[at] = null;
    while (this.#pieces[0] === null) {
      this.#pieces.shift();
      this.#base += pieceSize;
    }
  }
}
