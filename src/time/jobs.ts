/**
 * A job is due at an instant. It is plain data, so that it can be stored and loaded after a restart; see "How time
 * moves" in ARCHITECTURE.md.
 */
import TinyQueue from 'tinyqueue';
import type { Job } from '../domain/rows.js';
import type { JobKind } from '../domain/words.js';

/**
 * Kinds in the order in which they run at one instant: state changes, then delivery attempts, then deadlines. The
 * expectations of that instant are evaluated last.
 */
const ranks: Readonly<Record<JobKind, number>> = {
  'message.status': 0,
  'template.review': 0,
  'customer.writes': 0,
  'scenario.step': 0,
  'delivery.attempt': 2,
  'endpoint.pause': 3,
  'scenario.judge': 4,
};

export function placeOf({ place, seq }: Job): number {
  return place ?? seq;
}

const progress: ReadonlySet<JobKind> = new Set(['message.status', 'template.review', 'customer.writes']);

/** The jobs of `advance until idle`: no attempts, deadlines or timelines. */
export function isProgress({ kind }: Pick<Job, 'kind'>): boolean {
  return progress.has(kind);
}

/**
 * The jobs that an `auto` clock jumps to: progress, the next step of a timeline and a first attempt that was delayed.
 * Retries and deadlines do not pull it: a receiver that is down for a second must not let a day pass.
 */
export function pullsAuto({ kind, place }: Job): boolean {
  return progress.has(kind) || kind === 'scenario.step' || (kind === 'delivery.attempt' && place === undefined);
}

/** Queue order: due, then rank, then the order in which they, or the jobs that they repeat, were scheduled. */
export function compareJobs(a: Job, b: Job): number {
  return a.dueMs - b.dueMs || ranks[a.kind] - ranks[b.kind] || placeOf(a) - placeOf(b) || a.seq - b.seq;
}

/** A deadline comes after everything else of its instant, including responses ("How time moves" in ARCHITECTURE.md). */
export function isDeadline(kind: JobKind): boolean {
  return ranks[kind] >= ranks['endpoint.pause'];
}

export interface JobTable {
  readonly size: number;
  insert(job: Job): Job;
  delete(job: Job): void;
  get(id: string): Job | undefined;
  list(index: 'subject', subject: string): Iterable<Job>;
  values(): Iterable<Job>;
}

/** A cancelled job is dropped when it becomes the next one. */
export class JobQueue {
  #heap: TinyQueue<Job> | null = null;

  constructor(private readonly jobs: JobTable) {}

  push(job: Job): void {
    this.#heap?.push(job);
  }

  /** The search with `fits` looks at every job. */
  next(fits?: (job: Job) => boolean): Job | undefined {
    const heap = (this.#heap ??= new TinyQueue([...this.jobs.values()], compareJobs));
    let first = heap.peek();
    while (first !== undefined && !this.#isStored(first)) {
      heap.pop();
      first = heap.peek();
    }
    if (!fits || first === undefined || fits(first)) return first;
    let next: Job | undefined;
    for (const job of heap.data) {
      if (fits(job) && this.#isStored(job) && (next === undefined || compareJobs(job, next) < 0)) next = job;
    }
    return next;
  }

  take(): void {
    this.#heap?.pop();
  }

  reload(): void {
    this.#heap = null;
  }

  #isStored(job: Job): boolean {
    return this.jobs.get(job.id) === job;
  }
}

/** Jobs that wait for a response from outside. An advance waits for them before time continues. */
export class InFlight {
  readonly #jobs = new Set<Job>();
  /** Jobs that wait for something that only more account time brings. */
  readonly #patient = new Set<Job>();
  #waiting: (() => void)[] = [];

  /** `whole` has all jobs of the account, including these. */
  constructor(private readonly whole?: InFlight) {}

  get count(): number {
    return this.#jobs.size;
  }

  get holdsTime(): boolean {
    return this.#jobs.size > this.#patient.size;
  }

  letTimePass(job: Job): void {
    if (this.#jobs.has(job)) this.#patient.add(job);
    this.whole?.letTimePass(job);
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
    this.#patient.delete(job);
    this.whole?.delete(job);
    if (this.#jobs.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  clear(): void {
    for (const job of this.#jobs) this.delete(job);
  }

  quiet(): Promise<void> {
    return this.count === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
