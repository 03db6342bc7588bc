/** The progress of `explore`, for the web UI. It belongs to this process, and is not stored. */
export class Exploration {
  #shown: object | null = null;
  readonly #watchers = new Set<() => void>();

  /** Progress and report; null before the first exploration. */
  get shown(): object | null {
    return this.#shown;
  }

  show(exploration: object): void {
    this.#shown = exploration;
    for (const watcher of this.#watchers) watcher();
  }

  /** @returns a function that stops watching */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}
