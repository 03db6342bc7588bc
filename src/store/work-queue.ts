/** Runs pieces of work one after the other. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything before it has ended, and returns its result. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all work queued so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
