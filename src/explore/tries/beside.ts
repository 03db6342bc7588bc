/** Faults that showed nothing in a run in which another one deviated: one of them may be the cause. */
import type { Placed } from '../facts/types.js';

/** After so many runs that deviate only beside other faults, the machine is busy: the others are not tried again. */
const mostDoubted = 3;

export class Beside {
  readonly #others = new Map<Placed, readonly Placed[]>();
  #doubted = 0;

  note(deviating: Placed, others: readonly Placed[]): void {
    this.#others.set(deviating, others);
  }

  /** Returns what to try alone after the one that deviated has shown nothing alone. */
  causesOf(deviating: Placed, isAlone: (one: Placed) => boolean): Placed[] {
    const others = (this.#others.get(deviating) ?? []).filter((one) => !isAlone(one));
    if (others.length === 0 || this.#doubted >= mostDoubted) return [];
    this.#doubted += 1;
    return others;
  }
}
