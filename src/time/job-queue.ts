import TinyQueue from 'tinyqueue';
import { compareJobs, isProgress, type Job, type JobKind } from '../domain/job.js';

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

/** The jobs of the book in the order in which they are due. A cancelled job is dropped when it becomes the next one. */
export class JobQueue {
  readonly #book: JobBook;
  #all = new TinyQueue<Job>([], compareJobs);
  /** The progress jobs once more. Built on first use, by `advance until idle` or the `auto` clock. */
  #progress: TinyQueue<Job> | null = null;

  constructor(book: JobBook) {
    this.#book = book;
  }

  push(job: Job): void {
    this.#all.push(job);
    if (this.#progress && isProgress(job.kind)) this.#progress.push(job);
  }

  next(): Job | undefined {
    return this.#peek(this.#all);
  }

  nextProgress(): Job | undefined {
    this.#progress ??= new TinyQueue(
      [...this.#book.all()].filter(({ kind }) => isProgress(kind)),
      compareJobs,
    );
    return this.#peek(this.#progress);
  }

  /** Takes the next job off the queue; it stays in the book. */
  take(): void {
    const job = this.#all.pop();
    // Both queues have one order, so a progress job that is next is next among the progress jobs too.
    if (job && this.#progress && this.#peek(this.#progress) === job) this.#progress.pop();
  }

  /** Starts over from what the book holds. */
  reload(): void {
    this.#all = new TinyQueue([...this.#book.all()], compareJobs);
    this.#progress = null;
  }

  #peek(queue: TinyQueue<Job>): Job | undefined {
    for (;;) {
      const job = queue.peek();
      if (job === undefined || this.#book.get(job.id) === job) return job;
      queue.pop();
    }
  }
}
