import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepestBody, isDeeper, isShallow } from '../../src/domain/json.js';

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

describe('isDeeper', () => {
  it.each([
    ['[[[]]]', false],
    ['[[[[]]]]', true],
    ['[[],[],[],[]]', false],
    ['{"a":"[[[[{{{{"}', false],
    ['{"a":"\\"[[[[{{{{"}', false],
    ['{"a\\\\":[[{"b":1}]]}', true],
    ['"never closed [[[[', false],
  ])('%s: %s', (text, expected) => {
    expect(isDeeper(Buffer.from(text), 3)).toBe(expected);
  });

  it('judges the text of a value as isShallow does the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(5), (value, most) => {
        const text = JSON.stringify(value);
        expect(isDeeper(Buffer.from(text), most)).toBe(!isShallow(JSON.parse(text), most));
      }),
    );
  });
});
