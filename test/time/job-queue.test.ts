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
    const next = () => [queue.all.next(), queue.progress.next()];
    for (const expected of [
      [jobs[0], jobs[0]],
      [jobs[1], jobs[2]],
      [jobs[2], jobs[2]],
    ]) {
      expect(next()).toEqual(expected);
      queue.take(expected[0]!);
    }
    expect(next()).toEqual([undefined, undefined]);
  });
});
