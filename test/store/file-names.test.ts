import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNameOf } from '../../src/store/disk.js';
import { cases } from '../support/property.js';

describe('the name of an account on disk', () => {
  it.each(['default', 'test_default', 'worker3~flaky-api', 'v1.2', 'a+b@c.d'])('is the key %s itself', (key) => {
    expect(fileNameOf(key)).toBe(key);
  });

  it.each([
    ['a/b', 'a-b'],
    ['..', '-'],
    ['a.', 'a-'],
    ['../../etc/passwd', '-etc-passwd'],
    ['con', 'con'],
    ['lpt1.json', 'lpt1-json'],
    ['A b', 'a-b'],
    ['50%', '50-'],
    ['ключ', '-'],
  ])('of %j is %s and a hash', (key, shown) => {
    expect(fileNameOf(key)).toMatch(new RegExp(`^${shown}%[0-9a-f]{16}$`));
  });

  it('is one of its own for each key, safe on every file system', () => {
    const key = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.string({ minLength: 1 }),
      fc.stringMatching(/^[aA.%25-]{1,6}$/),
    );
    fc.assert(
      fc.property(key, key, (one, other) => {
        const name = fileNameOf(one);
        expect(name).toMatch(/^[\w~@+=%-][\w~@+=%.-]*(?<!\.)$/);
        expect(name.length).toBeLessThanOrEqual(140);
        if (one !== other) expect(name.toLowerCase()).not.toBe(fileNameOf(other).toLowerCase());
      }),
      { numRuns: cases(800) },
    );
  });
});
