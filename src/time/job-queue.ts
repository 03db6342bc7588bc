/** The jobs of the book in the order in which they are due. Cancelled ones are dropped as they surface. */
import { isProgress, jobBefore, type Job, type JobKind } from '../domain/job.js';
import { Heap } from './heap.js';
import { StrandHeap } from './strand-heap.js';

/** Where jobs are kept, so that they come back after a restart. */
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

export class JobQueue {
  readonly #book: JobBook;
  readonly #all = new StrandHeap<Job>(jobBefore);
  /** The progress jobs once more, from the first time somebody asks: `advance until idle`, or the `auto` clock. */
  #progress: Heap<Job> | null = null;

  constructor(book: JobBook) {
    this.#book = book;
  }

  push(job: Job): void {
    this.#all.push(job);
    if (this.#progress && isProgress(job.kind)) this.#progress.push(job);
  }

  next(): Job | undefined {
    return this.#top(this.#all);
  }

  nextProgress(): Job | undefined {
    return this.#top((this.#progress ??= this.#progressOfBook()));
  }

  /** Takes the next job off the queue; it stays in the book. */
  take(): void {
    const job = this.#all.pop();
    // Both heaps have one order: a progress job that is next is next among the progress jobs too.
    if (job && this.#progress && this.#top(this.#progress) === job) this.#progress.pop();
  }

  /** Starts over from what the book holds. */
  reload(): void {
    this.#all.clear();
    this.#progress = null;
    for (const job of this.#book.all()) this.push(job);
  }

  #progressOfBook(): Heap<Job> {
    const heap = new Heap<Job>(jobBefore);
    for (const job of this.#book.all()) if (isProgress(job.kind)) heap.push(job);
    return heap;
  }

  #top(heap: Pick<Heap<Job>, 'top' | 'pop'>): Job | undefined {
    for (;;) {
      const job = heap.top();
      if (job === undefined || this.#book.get(job.id) === job) return job;
      heap.pop();
    }
  }
}
