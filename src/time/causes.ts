/**
 * Which job caused which, within one advance: a chain that does not end is told from a long list of jobs (contract §3).
 */
import type { Job } from '../domain/job.js';

interface Link {
  readonly depth: number;
  readonly job: Job;
  readonly before: Link | null;
  readonly advance: number;
}

export class Causes {
  readonly #links = new WeakMap<Job, Link>();
  #advance = 0;

  /** A new advance begins: chains count from here. */
  startOver(): void {
    this.#advance += 1;
  }

  note(job: Job, cause: Job | null): void {
    const known = cause === null ? undefined : this.#links.get(cause);
    const before = known?.advance === this.#advance ? known : null;
    const depth = cause === null ? 0 : (before?.depth ?? 0) + 1;
    this.#links.set(job, { depth, job, before, advance: this.#advance });
  }

  /** How many jobs of this advance stand before it in its chain. */
  depth(job: Job): number {
    const link = this.#links.get(job);
    return link?.advance === this.#advance ? link.depth : 0;
  }

  deepest(jobs: Iterable<Job>): Job | null {
    let deepest: Job | null = null;
    for (const job of jobs) if (deepest === null || this.depth(job) > this.depth(deepest)) deepest = job;
    return deepest;
  }

  /** The last links of the chain that ends in `job`: enough to see the cycle. */
  trail(job: Job): string[] {
    const labels: string[] = [];
    for (let link = this.#links.get(job) ?? null; link !== null && labels.length < 6; link = link.before) {
      labels.unshift(`${link.job.kind} of ${link.job.subject}`);
    }
    return labels;
  }
}
