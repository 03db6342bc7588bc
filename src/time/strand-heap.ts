/**
 * A heap for items that mostly come in a few ascending strands, as jobs do: many are due at once, as many a moment later, as
 * many again later still. To add to a strand and to take from it costs the same whatever waits, where a tall heap would let
 * each item climb and sink. What fits the end of no strand goes to a heap.
 */
import { Heap } from './heap.js';
import { Strand } from './strand.js';

/** All of them are looked at for each item, so a few must do. */
const mostStrands = 6;

export class StrandHeap<T> {
  #strands: Strand<T>[] = [];
  readonly #rest: Heap<T>;
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#rest = new Heap(before);
    this.#before = before;
  }

  top(): T | undefined {
    return this.#leading()?.first() ?? this.#rest.top();
  }

  push(item: T): void {
    const strand = this.#strandFor(item);
    if (strand) strand.add(item);
    else this.#rest.push(item);
  }

  pop(): T | undefined {
    const strand = this.#leading();
    return strand ? strand.take() : this.#rest.pop();
  }

  clear(): void {
    this.#strands = [];
    this.#rest.clear();
  }

  /** The strand whose first item is the top; null when the heap has it. */
  #leading(): Strand<T> | null {
    let leading: Strand<T> | null = null;
    let top = this.#rest.top();
    for (const strand of this.#strands) {
      const first = strand.first();
      if (first === undefined || (top !== undefined && !this.#before(first, top))) continue;
      leading = strand;
      top = first;
    }
    return leading;
  }

  /** The one whose end is nearest before the item, so that the others stay free for earlier ones. */
  #strandFor(item: T): Strand<T> | null {
    let nearest: Strand<T> | null = null;
    let end: T | undefined;
    for (const strand of this.#strands) {
      const last = strand.last();
      const fits = last === undefined || !this.#before(item, last);
      if (!fits || (nearest !== null && (last === undefined || (end !== undefined && this.#before(last, end)))))
        continue;
      nearest = strand;
      end = last;
    }
    if (nearest === null && this.#strands.length < mostStrands) this.#strands.push((nearest = new Strand()));
    return nearest;
  }
}
