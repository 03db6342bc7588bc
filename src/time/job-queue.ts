import TinyQueue from 'tinyqueue';
import { compareJobs, isProgress, pullsAuto, type Job, type JobKind } from '../domain/job.js';

/** Stores jobs so that they survive a restart. */
export interface JobBook {
  insert(kind: JobKind, subject: string, dueMs: number, data: unknown, place?: number): Job;
  delete(job: Job): void;
  get(id: string): Job | undefined;
  ofSubject(subject: string): Iterable<Job>;
  all(): Iterable<Job>;
  readonly size: number;
  /** Runs work as one write. */
  update<T>(work: () => T): T;
}

/** The stored jobs in the order in which they are due. A cancelled job is dropped when it becomes the next one. */
export class JobQueue {
  readonly all: PartQueue;
  readonly progress: PartQueue;
  /** The jobs to which an `auto` clock jumps. */
  readonly auto: PartQueue;
  readonly #parts: readonly PartQueue[];

  constructor(book: JobBook) {
    this.all = new PartQueue(book, () => true);
    this.progress = new PartQueue(book, isProgress);
    this.auto = new PartQueue(book, pullsAuto);
    this.#parts = [this.all, this.progress, this.auto];
  }

  push(job: Job): void {
    for (const part of this.#parts) part.push(job);
  }

  /** Takes a job that is next off the queue; it stays stored. */
  take(job: Job): void {
    for (const part of this.#parts) part.take(job);
  }

  /** Rebuilds the queue from the stored jobs. */
  reload(): void {
    for (const part of this.#parts) part.reload();
  }
}

/** A queue of jobs of some kinds. It is built on first use, because most clocks never need some of them. */
class PartQueue {
  #queue: TinyQueue<Job> | null = null;

  constructor(
    private readonly book: JobBook,
    private readonly holds: (kind: JobKind) => boolean,
  ) {}

  push(job: Job): void {
    if (this.#queue && this.holds(job.kind)) this.#queue.push(job);
  }

  next(): Job | undefined {
    this.#queue ??= new TinyQueue(
      [...this.book.all()].filter(({ kind }) => this.holds(kind)),
      compareJobs,
    );
    for (;;) {
      const job = this.#queue.peek();
      if (job === undefined || this.book.get(job.id) === job) return job;
      this.#queue.pop();
    }
  }

  nextDueMs(): number | null {
    return this.next()?.dueMs ?? null;
  }

  /** All queues have the same order, so a job that was next overall is also next here, if it is one of these. */
  take(job: Job): void {
    if (this.#queue && this.next() === job) this.#queue.pop();
  }

  reload(): void {
    this.#queue = null;
  }
}
