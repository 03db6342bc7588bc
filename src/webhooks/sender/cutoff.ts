import type { SendFailure } from './send-failure.js';

/**
 * The end that an attempt may meet from outside: its cap, or the closing of the sender. What an AbortController
 * does, without its cost, which is a tenth of a whole attempt.
 */
export class Cutoff {
  #reason: SendFailure | null = null;
  readonly #listeners = new Set<(reason: SendFailure) => void>();

  /** Why the attempt was cut off; null as long as it was not. */
  get reason(): SendFailure | null {
    return this.#reason;
  }

  /** Ends the attempt; only the first reason counts. */
  cut(reason: SendFailure): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    for (const listener of this.#listeners) listener(reason);
    this.#listeners.clear();
  }

  /** Calls `listener` when the attempt is cut off, at once if it already is. The returned function takes it back. */
  onCut(listener: (reason: SendFailure) => void): () => void {
    if (this.#reason !== null) listener(this.#reason);
    else this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Follows `work`, but lets go of it when the attempt is cut off: not everything it waits for can be interrupted. */
  orEnd<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onCut(reject);
      work.then(resolve, reject);
    });
  }
}
