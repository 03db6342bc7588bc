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

it('counts how many jobs stand before one in its chain', () => {
  const causes = new LoopDetector();
  const jobs = chain(causes, ['a', 'b', 'c']);
  expect(jobs.map((each) => causes.depth(each))).toEqual([0, 1, 2]);
});

it('counts chains, not crowds: a thousand jobs of one cause are one deep', () => {
  const causes = new LoopDetector();
  const [root] = chain(causes, ['root']);
  const crowd = Array.from({ length: 1_000 }, () => job());
  for (const each of crowd) causes.note(each, root ?? null);
  expect(new Set(crowd.map((each) => causes.depth(each)))).toEqual(new Set([1]));
});

it('does not count a job it never met', () => {
  const causes = new LoopDetector();
  const stranger = job();
  expect(causes.depth(stranger)).toBe(0);
  expect(causes.trail(stranger)).toEqual([]);
});

it('starts over with each advance: what an earlier one caused is no chain of this one', () => {
  const causes = new LoopDetector();
  const jobs = chain(causes, ['a', 'b', 'c']);
  causes.startOver();
  expect(jobs.map((each) => causes.depth(each))).toEqual([0, 0, 0]);
  const later = job('d');
  causes.note(later, jobs[2] ?? null);
  expect(causes.depth(later)).toBe(1);
});

it('finds the deepest of some jobs, and none among none', () => {
  const causes = new LoopDetector();
  const jobs = chain(causes, ['a', 'b', 'c']);
  expect(causes.deepest([jobs[1]!, jobs[2]!, jobs[0]!])).toBe(jobs[2]);
  expect(causes.deepest([])).toBeNull();
});

it('names the last six links of a chain, oldest first', () => {
  const causes = new LoopDetector();
  const jobs = chain(causes, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  expect(causes.trail(jobs[7]!)).toEqual(['c', 'd', 'e', 'f', 'g', 'h'].map((name) => `message.status of ${name}`));
  expect(causes.trail(jobs[1]!)).toEqual(['message.status of a', 'message.status of b']);
});

it('refuses a job with more than 10,000 before it in its chain, and shows the end of that', () => {
  const causes = new LoopDetector();
  const jobs = chain(causes, ['s', ...Array.from({ length: 10_001 }, (_, i) => `s${i % 2}`)]);
  causes.refuseLoop(jobs[10_000]!);
  expect(() => {
    causes.refuseLoop(jobs[10_001]!);
  }).toThrow(/^More than 10000 jobs ran, .* The chain ends in: .*message\.status of s1 → message\.status of s0\. /);
});
