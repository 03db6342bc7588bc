import { ServiceError } from '../domain/errors.js';
import type { Job } from '../domain/rows.js';

const longestChain = 10_000;
/** The number of jobs that the error names: enough to see the cycle. */
const shownJobs = 6;

/** Counts the jobs of one advance that cause each other: an endless chain is an error, a long list of jobs is not. */
export class LoopDetector {
  /** The number of jobs before each one in its chain. */
  readonly #depths = new WeakMap<Job, number>();
  readonly #trail: string[] = [];

  note(job: Job, cause: Job | null): void {
    this.#depths.set(job, cause === null ? 0 : this.#depth(cause) + 1);
  }

  /** @throws ServiceError `clock_loop` if the chain that ends in `job` is too long */
  refuseLoop(job: Job): void {
    const depth = this.#depth(job);
    if (depth > longestChain - shownJobs) this.#trail.push(`${job.kind} of ${job.subject}`);
    if (depth <= longestChain) return;
    const cycle = this.#trail.slice(-shownJobs);
    throw new ServiceError(
      'clock_loop',
      `More than ${longestChain} jobs ran, each caused by the one before it, so the advance stopped. The chain ends in: ${cycle.join(' → ')}. ` +
        'Look for a rule or a receiver that answers each event with something that causes the next one.',
      { extra: { cycle } },
    );
  }

  deepest(jobs: Iterable<Job>): Job | null {
    return [...jobs].reduce<Job | null>(
      (deepest, job) => (deepest === null || this.#depth(job) > this.#depth(deepest) ? job : deepest),
      null,
    );
  }

  #depth(job: Job): number {
    return this.#depths.get(job) ?? 0;
  }
}
