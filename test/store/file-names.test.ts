import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNameOf } from '../../src/store/disk.js';
import { cases } from '../support/property.js';

describe('the name of an account on disk', () => {
  it.each([
    ['default', 'default'],
    ['test_default', 'test_default'],
    ['worker3~flaky-api', 'worker3~flaky-api'],
    ['v1.2', 'v1.2'],
    ['a/b', 'a%2fb'],
    ['..', '%2e%2e'],
    ['a.', 'a%2e'],
    ['../../etc/passwd', '%2e.%2f..%2fetc%2fpasswd'],
    ['con', '%63on'],
    ['lpt1.json', '%6cpt1.json'],
    ['a b', 'a%20b'],
    ['50%', '50%25'],
    ['ключ', '%d0%ba%d0%bb%d1%8e%d1%87'],
  ])('of %j is %s', (key, name) => {
    expect(fileNameOf(key)).toBe(name);
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
      { numRuns: cases(2000) },
    );
  });
});
