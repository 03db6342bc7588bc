/**
 * What many rows say alike (a template's text, an explanation), kept once. A row names it by its number.
 */

/** Texts that may turn out to be shared are remembered up to so many; then the memory starts afresh. */
const remembered = 2000;
const seenOnce = -1;

export class SharedParts {
  #values: unknown[] = [];
  readonly #numbers = new Map<string, number>();
  /** Most parts are the same object as before. */
  #ofObjects = new WeakMap<object, number>();

  /** Every part by its number, as JSON values. Grows; never changes what it holds, nor who holds it. */
  get values(): readonly unknown[] {
    return this.#values;
  }

  /** The number of a part that has come before; null when it comes for the first time, and may never come again. */
  numberOf(value: object | string): number | null {
    const known = typeof value === 'object' ? this.#ofObjects.get(value) : undefined;
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    const found = this.#numbers.get(text);
    if (found === undefined) {
      if (this.#numbers.size >= remembered) this.#numbers.clear();
      this.#numbers.set(text, seenOnce);
      return null;
    }
    return found === seenOnce ? this.#add(text, value) : found;
  }

  /** Starts from what was written down. Only before the first number is given out. */
  restore(values: readonly unknown[]): void {
    for (const value of values) this.#add(JSON.stringify(value), value);
  }

  /** No row names a part any more. */
  clear(): void {
    this.#values = [];
    this.#numbers.clear();
    this.#ofObjects = new WeakMap();
  }

  #add(text: string, value: unknown): number {
    const number = this.#values.push(value) - 1;
    if (this.#numbers.size >= remembered) this.#numbers.clear();
    this.#numbers.set(text, number);
    if (typeof value === 'object' && value !== null) this.#ofObjects.set(value, number);
    return number;
  }
}
