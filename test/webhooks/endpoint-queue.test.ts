import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import { machineTime } from '../../src/time/system-clock.js';
import { EndpointQueue, Turns } from '../../src/webhooks/delivery/endpoint-queue.js';

function job(seq: number): Job {
  return { id: `job_${seq}`, seq, kind: 'delivery.attempt', subject: 'd', dueMs: 0 };
}

/** A queue whose attempts end when the test says so. */
function openQueue(atOnce: number, skip: (seq: number) => boolean = () => false) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let timesEmpty = 0;
  const begin = ({ seq }: Job): Promise<void> | null => {
    begun.push(seq);
    return skip(seq) ? null : new Promise((resolve) => ends.push(resolve));
  };
  const queue = new EndpointQueue(atOnce, begin, () => (timesEmpty += 1), new Turns(machineTime));
  const endNext = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, endNext, timesEmpty: () => timesEmpty };
}

describe('EndpointQueue', () => {
  it('begins in order, as many at once as may be, and the next as one ends', async () => {
    const { queue, begun, endNext, timesEmpty } = openQueue(2);
    expect([1, 2, 3, 4].map((seq) => queue.add(job(seq)))).toEqual([true, false, false, false]);
    expect(begun).toEqual([]);
    queue.start();
    expect(begun).toEqual([1, 2]);
    await endNext();
    expect(begun).toEqual([1, 2, 3]);
    expect(queue.add(job(5))).toBe(false);
    for (let i = 0; i < 3; i += 1) await endNext();
    expect(begun).toEqual([1, 2, 3, 4, 5]);
    expect(timesEmpty()).toBe(0);
    await endNext();
    expect(timesEmpty()).toBe(1);
    expect(queue.add(job(6))).toBe(true);
  });

  it('passes over what is not to be made, and is empty when that was all', () => {
    const { queue, begun, timesEmpty } = openQueue(1, (seq) => seq !== 3);
    for (const seq of [1, 2, 3, 4]) queue.add(job(seq));
    queue.start();
    expect(begun).toEqual([1, 2, 3]);
    expect(timesEmpty()).toBe(0);
    const other = openQueue(1, () => true);
    other.queue.add(job(1));
    other.queue.start();
    expect(other.timesEmpty()).toBe(1);
  });

  it('keeps the order of thousands that come while others go', async () => {
    const { queue, begun } = openQueue(1, () => true);
    for (let seq = 0; seq < 3_000; seq += 1) {
      queue.add(job(seq));
      if (seq % 7 === 0) queue.start();
    }
    queue.start();
    while (begun.length < 3_000) await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(Array.from({ length: 3_000 }, (_, seq) => seq));
  });

  it('begins a hundred in a turn of the event loop at most, with the other queues of the account', async () => {
    const turns = new Turns(machineTime);
    let begun = 0;
    const queues = [1, 2, 3].map(() => {
      const begin = () => ((begun += 1), Promise.resolve());
      const queue = new EndpointQueue(4, begin, () => undefined, turns);
      for (let seq = 0; seq < 500; seq += 1) queue.add(job(seq));
      return queue;
    });
    for (const queue of queues) queue.start();
    for (let last = 0; last < 1_500; last = begun) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(begun - last).toBeGreaterThan(0);
      expect(begun - last).toBeLessThanOrEqual(200);
    }
    expect(begun).toBe(1_500);
  });
});
