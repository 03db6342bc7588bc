import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, compileRegex, RegexError } from '../../src/language/regex.js';
import { compileMatcher, type FactValue } from '../../src/rules/match.js';
import type { Matcher } from '../../src/language/match.js';
import { cases } from '../support/property.js';

describe('matchers', () => {
  it.each<[string, Matcher, FactValue, boolean]>([
    ['exact', 'order', 'order', true],
    ['exact, not part', 'order', 'orders', false],
    ['exact, in this case', 'order', 'Order', false],
    ['glob at the end', '+1415*', '+14155550100', true],
    ['glob in the middle', 'a*c', 'abbc', true],
    ['glob, overlap', 'ab*ba', 'aba', false],
    ['glob, dot is a dot', 'a.b*', 'axb', false],
    ['regex found inside', '/ef+/', 'refund', true],
    ['regex without flag', '/REFUND/', 'a refund', false],
    ['list, any of', ['a', 'b*'], 'bcd', true],
    ['number', '3', 3, true],
    ['boolean', 'true', true, true],
    ['status class of a number', '4xx', 429, true],
    ['status class, other', '4xx', 503, false],
    ['status class of a text', '4xx', '429', false],
    ['value list, one fits', 'otp.verified', ['message.status', 'otp.verified'], true],
    ['an escaped star', '/^a\\*$/', 'ab', false],
    ['missing', { not: '*' }, undefined, true],
    ['not missing', '*', 'x', true],
    ['absent fits nothing else', '*', undefined, false],
    ['not', { not: 'a' }, 'b', true],
    ['not, absent', { not: 'a' }, undefined, true],
    ['all keys hold', { min: 2, not: '3' }, 3, false],
    ['max', { min: 2, max: 3 }, 4, false],
  ])('%s', (_name, matcher, value, fits) => {
    expect(compileMatcher(matcher)(value)).toBe(fits);
  });

  it('takes a path for itself, not for a regex', () => {
    const test = compileMatcher('/v1/otp/s', { slashesArePlain: true });
    expect(test('/v1/otp/s')).toBe(true);
    expect(test('xv1/otpx')).toBe(false);
  });

  it('globs agree with a simple reference on random texts', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(letters, text, (pattern, value) => {
        const reference = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        expect(compileGlob(pattern)(value)).toBe(reference.test(value));
      }),
      { seed: 1, numRuns: cases(500) },
    );
  });
});

describe('regexes', () => {
  it('refuses flags that mean nothing', () => {
    expect(() => compileRegex('a', 'g')).toThrow('Unknown flag "g". Allowed: i, m, s and u.');
    expect(() => compileRegex('(a')).toThrow('cannot be read: missing closing )');
  });

  it('understands what people write', () => {
    expect(compileRegex('^\\d{4}-\\d{2}$').test('2026-03')).toBe(true);
    expect(compileRegex('\\bstop\\b', 'i').test('Please STOP now')).toBe(true);
    expect(compileRegex('a\\(?b[?=]').test('a(b=')).toBe(true);
  });

  it('never throws anything but its own error, and compiles fast', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40, unit: fc.constantFrom(...'ab(){}[]|*+?\\^$.,123-:=!<>kpP'.split('')) }),
        (source) => {
          try {
            compileRegex(source).test('abba');
          } catch (error) {
            expect(error).toBeInstanceOf(RegexError);
          }
        },
      ),
      { seed: 2, numRuns: cases(2000) },
    );
  });
});
