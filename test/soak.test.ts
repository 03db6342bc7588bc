/** A short soak, and whether the judge of a long one would find a leak. */
import { describe, expect, it } from 'vitest';
import { soak } from '../scripts/soak/soak.js';
import { growthOf, slope, type Reading } from '../scripts/soak/steady.js';

const readings = (heapAt: (operations: number) => number, resourcesAt: (round: number) => Record<string, number>) =>
  Array.from({ length: 30 }, (_, round): Reading => {
    const operations = (round + 1) * 10_000;
    return { operations, heapBytes: heapAt(operations), resources: resourcesAt(round) };
  });
const flat = () => 40_000_000;
const noisy = (operations: number) => flat() + Math.sin(operations) * 1_000_000;
const server = () => ({ TCPServerWrap: 2 });

describe('the judge of a soak', () => {
  it('finds nothing in noise, and in what a process gains while it warms up', () => {
    for (const heapAt of [flat, noisy, (n: number) => noisy(n) + Math.min(n, 90_000) * 100]) {
      const growth = growthOf(readings(heapAt, server));
      expect(growth.bytesPerOperation).toBeLessThan(growth.allowedBytesPerOperation);
      expect(growth.resources).toEqual([]);
    }
  });

  it('finds twenty bytes an operation under that noise', () => {
    const growth = growthOf(readings((operations) => noisy(operations) + operations * 20, server));
    expect(growth.bytesPerOperation).toBeGreaterThan(growth.allowedBytesPerOperation);
    expect(growth.bytesPerOperation).toBeGreaterThan(15);
  });

  it('finds a socket that stays, and a timer of which there was none before', () => {
    const piling = growthOf(readings(flat, (round) => ({ TCPServerWrap: 2, TCPSocketWrap: round })));
    expect(piling.resources).toEqual(['TCPSocketWrap: 19 at most before, 29 at the end']);
    const late = growthOf(readings(flat, (round) => (round < 29 ? server() : { ...server(), Timeout: 1 })));
    expect(late.resources).toEqual(['Timeout: 0 at most before, 1 at the end']);
    // One that comes and goes is no leak.
    expect(growthOf(readings(flat, (round) => ({ Timeout: round % 3 }))).resources).toEqual([]);
  });

  it('wants enough readings to judge by', () => {
    expect(() => growthOf(readings(flat, server).slice(0, 5))).toThrow(/Six readings.*found 5/);
    expect(slope([[1, 5]])).toBe(0);
  });
});

it('thousands of operations leave neither heap nor handles nor listeners behind', { timeout: 240_000 }, async () => {
  const {
    readings: taken,
    byStatus,
    warnings,
  } = await soak({
    operations: 2_000,
    rounds: 6,
    lives: 8,
    seed: 7,
    dataDir: null,
  });
  const growth = growthOf(taken);
  expect(taken.at(-1)?.operations).toBeGreaterThanOrEqual(2_000);
  expect(byStatus.get('2xx')).toBeGreaterThan(1_000);
  expect(warnings).toEqual([]);
  expect(growth.resources).toEqual([]);
  expect(growth.bytesPerOperation).toBeLessThan(growth.allowedBytesPerOperation);
});
