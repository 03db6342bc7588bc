/** The heights of a list's rows in pixels: measured if a row was rendered, otherwise estimated. */
export class Heights {
  /** Observes rendered rows. */
  observer: ResizeObserver | null = null;
  readonly #measured = new Map<string, number>();

  /** @returns whether the height changed. A hidden row has the height 0, which is ignored. */
  measure(key: string, height: number): boolean {
    if (height === 0 || this.#measured.get(key) === height) return false;
    this.#measured.set(key, height);
    return true;
  }

  /** The position of each row, and finally the end of the last one. */
  offsets(count: number, keyOf: (index: number) => string, estimate: number): Float64Array {
    const offsets = new Float64Array(count + 1);
    let at = 0;
    for (let index = 0; index < count; index += 1) {
      offsets[index] = at;
      at += this.#measured.get(keyOf(index)) ?? estimate;
    }
    offsets[count] = at;
    return offsets;
  }
}
