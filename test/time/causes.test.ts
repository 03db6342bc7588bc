import { expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import { LoopDetector } from '../../src/time/loop-detector.js';

let seq = 0;
function job(subject = 's'): Job {
  seq += 1;
  return { id: `job_${seq}`, seq, kind: 'message.status', subject, dueMs: 0 };
}

/** A chain of jobs, each caused by the one before. */
function chain(causes: LoopDetector, subjects: readonly string[]): Job[] {
  const jobs = subjects.map(job);
  jobs.forEach((each, i) => causes.note(each, jobs[i - 1] ?? null));
  return jobs;
}

it('starts over with each advance: what an earlier one caused is no chain of this one', () => {
  const causes = new LoopDetector();
  const jobs = chain(causes, ['a', 'b', 'c']);
  causes.startOver();
  expect(jobs.map((each) => causes.depth(each))).toEqual([0, 0, 0]);
  const later = job('d');
  causes.note(later, jobs[2] ?? null);
  expect(causes.depth(later)).toBe(1);
});
