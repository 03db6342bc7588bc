/** A binary heap: the smallest by `before` is on top. Push and pop cost the logarithm of what is inside. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  top(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = items[up] as T;
      if (!this.#before(item, parent)) break;
      items[at] = parent;
      at = up;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length > 0) this.#sink(last as T);
    return top;
  }

  clear(): void {
    this.#items.length = 0;
  }

  #sink(item: T): void {
    const items = this.#items;
    const size = items.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#before(items[child + 1] as T, items[child] as T)) child += 1;
      const below = items[child] as T;
      if (!this.#before(below, item)) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
