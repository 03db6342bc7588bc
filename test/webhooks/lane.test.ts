import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import { Lane } from '../../src/webhooks/delivery/endpoint-queue.js';

function job(seq: number): Job {
  return { id: `job_${seq}`, seq, kind: 'delivery.attempt', subject: 'd', dueMs: 0 };
}

/** A lane whose attempts end when the test says so. */
function openLane(atOnce: number, skip: (seq: number) => boolean = () => false) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let timesEmpty = 0;
  const begin = ({ seq }: Job): Promise<void> | null => {
    begun.push(seq);
    return skip(seq) ? null : new Promise((resolve) => ends.push(resolve));
  };
  const lane = new Lane(atOnce, begin, () => (timesEmpty += 1));
  const endNext = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lane, begun, endNext, timesEmpty: () => timesEmpty };
}

describe('Lane', () => {
  it('begins in order, as many at once as may be, and the next as one ends', async () => {
    const { lane, begun, endNext, timesEmpty } = openLane(2);
    expect([1, 2, 3, 4].map((seq) => lane.add(job(seq)))).toEqual([true, false, false, false]);
    expect(begun).toEqual([]);
    lane.start();
    expect(begun).toEqual([1, 2]);
    await endNext();
    expect(begun).toEqual([1, 2, 3]);
    expect(lane.add(job(5))).toBe(false);
    for (let i = 0; i < 3; i += 1) await endNext();
    expect(begun).toEqual([1, 2, 3, 4, 5]);
    expect(timesEmpty()).toBe(0);
    await endNext();
    expect(timesEmpty()).toBe(1);
    expect(lane.add(job(6))).toBe(true);
  });

  it('passes over what is not to be made, and is empty when that was all', () => {
    const { lane, begun, timesEmpty } = openLane(1, (seq) => seq !== 3);
    for (const seq of [1, 2, 3, 4]) lane.add(job(seq));
    lane.start();
    expect(begun).toEqual([1, 2, 3]);
    expect(timesEmpty()).toBe(0);
    const other = openLane(1, () => true);
    other.lane.add(job(1));
    other.lane.start();
    expect(other.timesEmpty()).toBe(1);
  });

  it('keeps the order of thousands that come while others go', async () => {
    const { lane, begun } = openLane(1, () => true);
    for (let seq = 0; seq < 3_000; seq += 1) {
      lane.add(job(seq));
      if (seq % 7 === 0) lane.start();
    }
    lane.start();
    await Promise.resolve();
    expect(begun).toEqual(Array.from({ length: 3_000 }, (_, seq) => seq));
  });
});
