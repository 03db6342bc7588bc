const longestGap = 1024;

/** Items in ascending order, added at the end and taken from the front, both at the same cost whatever is inside. */
export class Strand<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  first(): T | undefined {
    return this.#items[this.#head];
  }

  last(): T | undefined {
    return this.#items[this.#items.length - 1];
  }

  add(item: T): void {
    this.#items.push(item);
  }

  take(): T | undefined {
    const first = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= this.#items.length) this.#restart([]);
    else if (this.#head >= longestGap && this.#head * 2 >= this.#items.length) {
      this.#restart(this.#items.slice(this.#head));
    }
    return first;
  }

  #restart(items: (T | undefined)[]): void {
    this.#items = items;
    this.#head = 0;
  }
}
