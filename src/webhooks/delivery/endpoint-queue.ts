import type { Job } from '../../domain/job.js';

/** The due attempts of one endpoint: first come first served, at most so many under way at once (contract §6). */
export class Lane {
  readonly #waiting: Job[] = [];
  /** Where the first one waits: to take each out of a long array by itself would cost more the longer that is. */
  #first = 0;
  #underWay = 0;

  /**
   * @param atOnce how many may be under way
   * @param begin starts one; null when there was nothing to be done
   * @param onEmpty called when nothing waits and nothing is under way
   */
  constructor(
    private readonly atOnce: number,
    private readonly begin: (job: Job) => Promise<void> | null,
    private readonly onEmpty: () => void,
  ) {}

  /** @returns whether it is the first to wait: then somebody has to `start`. */
  add(job: Job): boolean {
    return this.#waiting.push(job) === this.#first + 1;
  }

  /** Begins as many as may be under way; each that ends makes room for the next. */
  start(): void {
    while (this.#underWay < this.atOnce) {
      const job = this.#take();
      if (job === undefined) {
        if (this.#underWay === 0) this.onEmpty();
        return;
      }
      const attempt = this.begin(job);
      if (attempt !== null) void this.#follow(attempt);
    }
  }

  async #follow(attempt: Promise<void>): Promise<void> {
    this.#underWay += 1;
    try {
      await attempt;
    } finally {
      this.#underWay -= 1;
      this.start();
    }
  }

  #take(): Job | undefined {
    const job = this.#waiting[this.#first];
    if (job === undefined) return undefined;
    this.#first += 1;
    if (this.#first * 2 >= this.#waiting.length) {
      this.#waiting.splice(0, this.#first);
      this.#first = 0;
    }
    return job;
  }
}
