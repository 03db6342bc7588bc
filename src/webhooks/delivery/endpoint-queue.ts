import type { Job } from '../../domain/job.js';
import type { SystemClock } from '../../time/system-clock.js';

/** The maximum number of attempts of an account that start in one turn of the event loop. */
const mostInTurn = 100;

/**
 * Shares turns of the event loop among the queues of an account. Attempts without network access, such as simulated
 * ones, would otherwise follow each other without end, and no call would be served meanwhile.
 */
export class Turns {
  #left = mostInTurn;

  constructor(private readonly host: Pick<SystemClock, 'defer'>) {}

  /** Returns whether another attempt may start now; if not, `later` is called in the next turn. */
  mayBegin(later: () => void): boolean {
    if (this.#left === mostInTurn) this.host.defer(() => (this.#left = mostInTurn));
    if (this.#left === 0) {
      this.host.defer(later);
      return false;
    }
    this.#left -= 1;
    return true;
  }
}

/** The due attempts of one endpoint: first come, first served, with a limit on how many are in flight. */
export class EndpointQueue {
  readonly #waiting: Job[] = [];
  /**
   * The index of the first waiting attempt: removing each from a long array would take time proportional to its length.
   */
  #first = 0;
  #inFlight = 0;

  /**
   * @param atOnce maximum number in flight
   * @param begin starts one; null if there was nothing to do
   * @param onEmpty called when nothing waits and nothing is in flight
   */
  constructor(
    private readonly atOnce: number,
    private readonly begin: (job: Job) => Promise<void> | null,
    private readonly onEmpty: () => void,
    private readonly turns: Turns,
  ) {}

  /** @returns whether it is the first to wait; if so, the caller has to `start` */
  add(job: Job): boolean {
    return this.#waiting.push(job) === this.#first + 1;
  }

  /** Starts as many attempts as may be in flight; each one that ends makes room for the next. */
  start(): void {
    while (this.#inFlight < this.atOnce) {
      if (this.#waiting.length > 0 && !this.turns.mayBegin(() => this.start())) return;
      const job = this.#take();
      if (job === undefined) {
        if (this.#inFlight === 0) this.onEmpty();
        return;
      }
      const attempt = this.begin(job);
      if (attempt !== null) void this.#follow(attempt);
    }
  }

  async #follow(attempt: Promise<void>): Promise<void> {
    this.#inFlight += 1;
    try {
      await attempt;
    } finally {
      this.#inFlight -= 1;
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
