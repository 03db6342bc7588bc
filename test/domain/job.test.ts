import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareJobs, isProgress, placeOf, pullsAuto, type Job } from '../../src/domain/job.js';
import type { JobKind } from '../../src/domain/words.js';

/** At one instant: state changes, then events that were held back, then attempts, then deadlines, then what is judged. */
const order: readonly (readonly JobKind[])[] = [
  ['message.status', 'template.review', 'template.move', 'customer.writes', 'scenario.step'],
  ['event.append'],
  ['delivery.attempt'],
  ['endpoint.pause'],
  ['scenario.judge'],
];
const kinds = order.flat();
const rank = (kind: JobKind): number => order.findIndex((alike) => alike.includes(kind));

const anyJob = fc.record({
  id: fc.constant('job'),
  subject: fc.constant('s'),
  kind: fc.constantFrom(...kinds),
  dueMs: fc.integer({ min: 0, max: 3 }),
  seq: fc.integer({ min: 1, max: 1_000_000 }),
  place: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
}) as fc.Arbitrary<Job>;

it('due comes before kind, and kind before the order of scheduling, which a repeated job keeps', () => {
  fc.assert(
    fc.property(anyJob, anyJob, (a, b) => {
      const difference = a.dueMs - b.dueMs || rank(a.kind) - rank(b.kind) || placeOf(a) - placeOf(b) || a.seq - b.seq;
      expect(Math.sign(compareJobs(a, b))).toBe(Math.sign(difference));
    }),
  );
});

it('deadlines, attempts and timelines are no progress; of these, only deadlines do not pull an auto clock', () => {
  const progress = ['message.status', 'template.review', 'template.move', 'customer.writes', 'event.append'];
  expect(kinds.filter(isProgress)).toEqual(progress);
  const others = kinds.filter((kind) => pullsAuto(kind) && !isProgress(kind));
  expect(others.sort()).toEqual(['delivery.attempt', 'scenario.step']);
  expect(progress.every((kind) => pullsAuto(kind as JobKind))).toBe(true);
});
