import { BoundedMap } from './bounded-map.js';
import type { Speech } from './tls-probe.js';

/** How many origins are remembered; beyond it the one learnt first is asked again when it is needed. */
const MOST_REMEMBERED = 1_000;

/** What each local host was found to speak. Sends that ask at the same time share one probe. */
export class SpeechMemory {
  readonly #known = new BoundedMap<string, Speech | Promise<Speech>>(MOST_REMEMBERED);

  /**
   * @param key names the host together with its addresses.
   * @param probe asked when nothing is remembered; a failed probe is not remembered.
   * @returns no promise when it is remembered: most attempts need not wait for it.
   */
  recall(key: string, probe: () => Promise<Speech>): Speech | Promise<Speech> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = probe();
    this.#known.set(key, found);
    const stands = (): boolean => this.#known.get(key) === found;
    void found.then(
      (speech) => {
        if (stands()) this.#known.set(key, speech);
      },
      () => {
        if (stands()) this.#known.delete(key);
      },
    );
    return found;
  }

  knows(key: string): boolean {
    return this.#known.get(key) !== undefined;
  }

  /** To be called when the host stopped behaving as remembered. */
  forget(key: string): void {
    this.#known.delete(key);
  }
}
