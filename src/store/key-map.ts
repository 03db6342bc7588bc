import { KeyedList } from './keyed-list.js';
import { fewKeys } from './places-by-key.js';

/** A map from texts that is never copied whole as it grows beyond some thousand keys. */
export class KeyMap<V> {
  #few: Map<string, V> | null = new Map();
  #many: KeyedList<V> | null = null;
  readonly #keyOf: (value: V) => string | undefined;

  /** @param keyOf the key under which a value stands */
  constructor(keyOf: (value: V) => string | undefined) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#few?.size ?? this.#many?.size ?? 0;
  }

  keys(): string[] {
    return this.#few !== null
      ? [...this.#few.keys()]
      : [...(this.#many ?? [])].flatMap((value) => this.#keyOf(value) ?? []);
  }

  get(key: string): V | undefined {
    return this.#few !== null ? this.#few.get(key) : this.#many?.get(key);
  }

  /** @param key one under which there is nothing yet */
  add(key: string, value: V): void {
    this.#many?.add(key, value);
    if (this.#few === null) return;
    this.#few.set(key, value);
    if (this.#few.size > fewKeys) this.#change(this.#few);
  }

  /** Puts another value under a key under which there is one. */
  replace(key: string, value: V): void {
    this.#many?.replace(key, value);
    this.#few?.set(key, value);
  }

  /** While the key can still be told of the value. */
  delete(key: string): void {
    this.#many?.delete(key);
    this.#few?.delete(key);
  }

  #change(few: ReadonlyMap<string, V>): void {
    this.#many = new KeyedList(this.#keyOf);
    for (const [key, value] of few) this.#many.add(key, value);
    this.#few = null;
  }
}
