/** What a JSON text would take is counted before it is parsed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceededLimit } from '../../src/domain/depth.js';

const limits = (depth: number, parsedBytes = Infinity) => ({ depth, parsedBytes });
const of = (text: string, depth = 3, parsedBytes?: number) =>
  exceededLimit(Buffer.from(text), limits(depth, parsedBytes));

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('exceededLimit', () => {
  it.each([
    ['[[[]]]', null],
    ['[[[[]]]]', 'depth'],
    ['[[],[],[],[]]', null],
    ['{"a":"[[[[{{{{"}', null],
    ['{"a":"\\"[[[[{{{{"}', null],
    ['{"a\\\\":[[{"b":1}]]}', 'depth'],
    ['"never closed [[[[', null],
  ])('%s: %s', (text, expected) => {
    expect(of(text)).toBe(expected);
  });

  it('finds the depth of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const depth = depthOf(JSON.parse(text));
        expect(of(text, depth)).toBeNull();
        if (depth > 0) expect(of(text, depth - 1)).toBe('depth');
      }),
    );
  });

  it('counts many small values as large', () => {
    const objects = `[${'{},'.repeat(10_000)}{}]`;
    expect(of(objects, 2, 500_000)).toBe('size');
    expect(of(objects, 2, 1_500_000)).toBeNull();
    expect(of(`"${'x'.repeat(30_000)}"`, 2, 50_000)).toBeNull();
    expect(of(`[${'1,'.repeat(30_000)}1]`, 2, 500_000)).toBe('size');
  });
});
