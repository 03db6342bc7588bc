import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { below, createStream, type Draws } from '../../src/random/stream.js';

function draw(count: number, seed: number | string = 1, account = 'a', purpose = 'p', draws: Draws = {}): number[] {
  const stream = createStream(seed, account, purpose, draws);
  return Array.from({ length: count }, () => stream.next());
}

describe('a stream', () => {
  it('repeats itself exactly for the same seed, account and purpose', () => {
    expect(draw(1_000)).toEqual(draw(1_000));
  });

  it.each([
    ['seed', draw(1_000, 2)],
    ['account', draw(1_000, 1, 'b')],
    ['purpose', draw(1_000, 1, 'a', 'q')],
  ])('is another one with another %s', (_what, other) => {
    const values = new Set(draw(1_000));
    // Two independent sets of 1,000 out of 2^32 share a value once in 4,000 tries.
    expect(other.filter((value) => values.has(value))).toEqual([]);
  });

  it('does not mistake a boundary between its names', () => {
    expect(draw(10, 1, 'ab', 'c')).not.toEqual(draw(10, 1, 'a', 'bc'));
    expect(draw(10, 1, 'a","b', 'c')).not.toEqual(draw(10, 1, 'a', 'b","c'));
  });

  it('takes a seed as text or number alike', () => {
    expect(draw(10, '42')).toEqual(draw(10, 42));
  });

  it('goes on where its count stands, in however many pieces it is drawn', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 6 }), (pieces) => {
        const draws: Draws = {};
        const values = pieces.flatMap((count) => draw(count, 1, 'a', 'p', draws));
        expect(values).toEqual(draw(values.length));
        expect(draws['p'] ?? 0).toBe(values.length);
      }),
    );
  });

  it('is not moved by another purpose that shares its counts', () => {
    const draws: Draws = {};
    const one = createStream(1, 'a', 'p', draws);
    const other = createStream(1, 'a', 'q', draws);
    const mixed = Array.from({ length: 100 }, (_, i) => {
      for (let n = 0; n < i % 3; n += 1) other.next();
      return one.next();
    });
    expect(mixed).toEqual(draw(100));
  });

  it('yields whole numbers of 32 bits, each bit set about half of the time', () => {
    const values = draw(20_000);
    for (const value of values.slice(0, 1_000)) {
      expect(Number.isInteger(value) && value >= 0 && value < 2 ** 32).toBe(true);
    }
    for (let bit = 0; bit < 32; bit += 1) {
      const set = values.reduce((sum, value) => sum + ((value >>> bit) & 1), 0);
      // Six standard deviations of 20,000 coin tosses are 424.
      expect(Math.abs(set - 10_000)).toBeLessThan(424);
    }
  });

  it('spreads evenly over small ranges, and its neighbours are independent', () => {
    const stream = createStream('spread', 'a', 'p', {});
    const cells = new Array<number>(100).fill(0);
    for (let i = 0; i < 50_000; i += 1) {
      const cell = below(stream, 10) * 10 + below(stream, 10);
      cells[cell] = (cells[cell] ?? 0) + 1;
    }
    const chiSquared = cells.reduce((sum, seen) => sum + (seen - 500) ** 2 / 500, 0);
    // 99 degrees of freedom: mean 99, standard deviation 14; five of them either way.
    expect(chiSquared).toBeGreaterThan(29);
    expect(chiSquared).toBeLessThan(169);
  });

  it('stays below its limit and reaches all of it', () => {
    const stream = createStream(1, 'a', 'p', {});
    const seen = new Set(Array.from({ length: 500 }, () => below(stream, 7)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});
