import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isProgress, jobBefore, jobRank, type Job, type JobKind } from '../../src/domain/job.js';

const kinds: readonly JobKind[] = [
  'message.status',
  'template.review',
  'template.move',
  'customer.writes',
  'scenario.step',
  'event.append',
  'delivery.attempt',
  'endpoint.pause',
  'scenario.judge',
];

const anyJob = fc.record({
  id: fc.constant('job'),
  subject: fc.constant('s'),
  kind: fc.constantFrom(...kinds),
  dueMs: fc.integer({ min: 0, max: 3 }),
  seq: fc.integer({ min: 1, max: 1_000_000 }),
});

it('at one instant: state changes, then events, then attempts, then deadlines, then what is judged', () => {
  const at = (kind: JobKind, seq: number): Job => ({ id: `job_${seq}`, seq, kind, subject: 's', dueMs: 0 });
  const jobs = [
    at('scenario.judge', 1),
    at('endpoint.pause', 2),
    at('delivery.attempt', 3),
    at('event.append', 4),
    at('message.status', 5),
  ];
  const sorted = [...jobs].sort((a, b) => (jobBefore(a, b) ? -1 : 1));
  expect(sorted.map(({ kind }) => kind)).toEqual([
    'message.status',
    'event.append',
    'delivery.attempt',
    'endpoint.pause',
    'scenario.judge',
  ]);
});

it('due comes before kind, and kind before the order of scheduling', () => {
  fc.assert(
    fc.property(anyJob, anyJob, (a, b) => {
      const difference = a.dueMs - b.dueMs || jobRank(a.kind) - jobRank(b.kind) || a.seq - b.seq;
      expect(jobBefore(a, b)).toBe(difference < 0);
    }),
  );
});

it('is an order: of two jobs one is first, and never both; it holds along a chain', () => {
  fc.assert(
    fc.property(anyJob, anyJob, anyJob, (a, b, c) => {
      expect(jobBefore(a, a)).toBe(false);
      if (a.seq !== b.seq) expect(jobBefore(a, b)).toBe(!jobBefore(b, a));
      if (jobBefore(a, b) && jobBefore(b, c)) expect(jobBefore(a, c)).toBe(true);
    }),
  );
});

it('deadlines, attempts and timelines pull no clock', () => {
  expect(kinds.filter(isProgress)).toEqual([
    'message.status',
    'template.review',
    'template.move',
    'customer.writes',
    'event.append',
  ]);
});
