import type { Job } from '../domain/rows.js';

/** The jobs that wait for a response from outside. An advance waits for them before time continues. */
export class InFlight {
  readonly #jobs = new Set<Job>();
  #waiting: (() => void)[] = [];

  /** @param whole those of the account, which contain these */
  constructor(private readonly whole?: InFlight) {}

  get count(): number {
    return this.#jobs.size;
  }

  jobs(): Iterable<Job> {
    return this.#jobs;
  }

  has(job: Job): boolean {
    return this.#jobs.has(job);
  }

  add(job: Job): void {
    this.#jobs.add(job);
    this.whole?.add(job);
  }

  delete(job: Job): void {
    this.#jobs.delete(job);
    this.whole?.delete(job);
    if (this.#jobs.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  clear(): void {
    for (const job of this.#jobs) this.delete(job);
  }

  /** Resolves when nothing is in flight. */
  quiet(): Promise<void> {
    return this.count === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
