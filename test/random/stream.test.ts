import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStream, type Draws } from '../../src/random/ids.js';

function draw(count: number, seed: number | string = 1, account = 'a', purpose = 'p', draws: Draws = {}): number[] {
  const stream = createStream(seed, account, purpose, draws);
  return Array.from({ length: count }, () => stream.next());
}

describe('a stream', () => {
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
});
