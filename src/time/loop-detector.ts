/** Which job caused which, within one advance: this distinguishes an endless chain from a long list of jobs. */
import { ServiceError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';

const longestChain = 10_000;

interface Link {
  readonly depth: number;
  readonly job: Job;
  readonly before: Link | null;
  readonly advance: number;
}

export class LoopDetector {
  readonly #links = new WeakMap<Job, Link>();
  #advance = 0;

  /** Starts a new advance: chains count from here. */
  startOver(): void {
    this.#advance += 1;
  }

  note(job: Job, cause: Job | null): void {
    const known = cause === null ? undefined : this.#links.get(cause);
    const before = known?.advance === this.#advance ? known : null;
    const depth = cause === null ? 0 : (before?.depth ?? 0) + 1;
    this.#links.set(job, { depth, job, before, advance: this.#advance });
  }

  /** Number of jobs of this advance that precede it in its chain. */
  #depth(job: Job): number {
    const link = this.#links.get(job);
    return link?.advance === this.#advance ? link.depth : 0;
  }

  /** @throws ServiceError `clock_loop` if the chain that ends in `job` is too long */
  refuseLoop(job: Job): void {
    if (this.#depth(job) <= longestChain) return;
    // The last links of the chain: enough to see the cycle.
    const trail: string[] = [];
    for (let link = this.#links.get(job) ?? null; link !== null && trail.length < 6; link = link.before) {
      trail.unshift(`${link.job.kind} of ${link.job.subject}`);
    }
    throw new ServiceError(
      'clock_loop',
      `More than ${longestChain} jobs ran, each caused by the one before it, so the advance stopped. The chain ends in: ${trail.join(' → ')}. ` +
        'Look for a rule or a receiver that answers each event with something that causes the next one.',
      { extra: { cycle: trail } },
    );
  }

  deepest(jobs: Iterable<Job>): Job | null {
    let deepest: Job | null = null;
    for (const job of jobs) if (deepest === null || this.#depth(job) > this.#depth(deepest)) deepest = job;
    return deepest;
  }
}
