import { describe, expect, it } from 'vitest';
import { deepestBody, isShallow } from '../../src/domain/json.js';

function nested(depth: number): unknown {
  return JSON.parse(`${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`) as unknown;
}

describe('isShallow', () => {
  it.each([
    [null, 0, true],
    ['text', 0, true],
    [[], 0, false],
    [[], 1, true],
    [{}, 1, true],
    [{ a: 1, b: [] }, 1, false],
    [{ a: 1, b: [] }, 2, true],
    [[[1], [[2]]], 2, false],
    [[[1], [[2]]], 3, true],
  ])('%j within %d levels: %s', (value, most, expected) => {
    expect(isShallow(value, most)).toBe(expected);
  });

  it('counts to the level, and does not run out of stack', () => {
    expect(isShallow(nested(deepestBody))).toBe(true);
    expect(isShallow([nested(deepestBody)])).toBe(false);
    expect(isShallow(nested(400_000))).toBe(false);
  });
});
