import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import { JobQueue } from '../../src/time/job-queue.js';
import { MemoryBook } from './support/stage.js';

describe('the queue of jobs', () => {
  it('lets go of a progress job that was taken', () => {
    const book = new MemoryBook();
    const queue = new JobQueue(book);
    const jobs = book.update((): Job[] => [
      book.insert('message.status', 'a', 1, undefined),
      book.insert('delivery.attempt', 'b', 2, undefined),
      book.insert('message.status', 'c', 3, undefined),
    ]);
    for (const job of jobs) queue.push(job);
    expect(queue.nextProgress()).toBe(jobs[0]);
    queue.take();
    expect([queue.next(), queue.nextProgress()]).toEqual([jobs[1], jobs[2]]);
    queue.take();
    expect([queue.next(), queue.nextProgress()]).toEqual([jobs[2], jobs[2]]);
    queue.take();
    expect([queue.next(), queue.nextProgress()]).toEqual([undefined, undefined]);
  });
});
