/** Who waits until the lines of a change log last: with the operating system, or on the medium. */
interface Waiter {
  /** Lines counted from the start. */
  readonly upTo: number;
  readonly synced: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class LogWaiters {
  #waiting: Waiter[] = [];

  /** Whether somebody waits for the medium. */
  get wantSync(): boolean {
    return this.#waiting.some((waiter) => waiter.synced);
  }

  add(upTo: number, synced: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ upTo, synced, resolve, reject });
    });
  }

  /** Answers everybody whose lines are there. */
  settle(written: number, synced: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) {
      if (waiter.upTo <= (waiter.synced ? synced : written)) waiter.resolve();
      else this.#waiting.push(waiter);
    }
  }

  refuse(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) waiter.reject(error);
  }
}
