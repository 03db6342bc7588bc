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
  readonly #book: JobBook;
  #all = new TinyQueue<Job>([], compareJobs);
  /** Jobs due now that are scheduled again. */
  readonly #progress: PartQueue;
  readonly #auto: PartQueue;

  constructor(book: JobBook) {
    this.#book = book;
    this.#progress = new PartQueue(book, isProgress);
    this.#auto = new PartQueue(book, pullsAuto);
  }

  push(job: Job): void {
    this.#all.push(job);
    this.#progress.push(job);
    this.#auto.push(job);
  }

  next(): Job | undefined {
    return peek(this.#all, this.#book);
  }

  nextProgress(): Job | undefined {
    return this.#progress.next();
  }

  nextForAuto(): Job | undefined {
    return this.#auto.next();
  }

  /** Takes the next job off the queue; it stays stored. */
  take(): void {
    const job = this.#all.pop();
    if (!job) return;
    this.#progress.taken(job);
    this.#auto.taken(job);
  }

  /** Rebuilds the queue from the stored jobs. */
  reload(): void {
    this.#all = new TinyQueue([...this.#book.all()], compareJobs);
    this.#progress.reload();
    this.#auto.reload();
  }
}

/** A queue of jobs of some kinds. It is built on first use, because most clocks never need it. */
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
    return peek(this.#queue, this.book);
  }

  /** All queues have the same order, so a job that was next overall is also next here, if it is one of these. */
  taken(job: Job): void {
    if (this.#queue && peek(this.#queue, this.book) === job) this.#queue.pop();
  }

  reload(): void {
    this.#queue = null;
  }
}

function peek(queue: TinyQueue<Job>, book: JobBook): Job | undefined {
  for (;;) {
    const job = queue.peek();
    if (job === undefined || book.get(job.id) === job) return job;
    queue.pop();
  }
}
