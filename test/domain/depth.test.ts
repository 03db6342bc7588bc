import { describe, expect, it } from 'vitest';
import { deepestBody, isShallow } from '../../src/domain/json.js';

function nested(depth: number): unknown {
  return JSON.parse(`${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`) as unknown;
}

describe('isShallow', () => {
  it('counts to the level, and does not run out of stack', () => {
    expect(isShallow(nested(deepestBody))).toBe(true);
    expect(isShallow([nested(deepestBody)])).toBe(false);
    expect(isShallow(nested(400_000))).toBe(false);
  });
});
