import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DurationError, formatDuration, parseDuration } from '../../src/time/duration.js';

describe('parseDuration', () => {
  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['1h30m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['0s', 0],
    [' 90s ', 90_000],
  ])('reads %s as %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    ['-23h59m', -86_340_000],
    ['+5m', 300_000],
    ['5m', 300_000],
    ['-0s', 0],
  ])('reads %s where a sign is allowed', (text, ms) => {
    expect(parseDuration(text, { signed: true })).toBe(ms);
  });

  it.each([
    ['', /it is empty/],
    ['300', /unit is missing.*300s or 300ms/],
    ['-5m', /a sign \("-"\) is not allowed here/],
    ['1.5h', /1h30m instead of 1\.5h/],
    ['10 s', /contains a space/],
    ['10min', /"min" is not a unit/],
    ['2w', /"w" is not a unit/],
    ['10S', /"S" is not a unit/],
    ['30m1h', /"h" comes after a smaller unit/],
    ['1m1m', /"m" occurs twice/],
    ['5ms1s', /"s" comes after a smaller unit/],
    ['40000d', /longer than a hundred years/],
    ['99999999999999999999h', /longer than a hundred years/],
    ['soon', /form is wrong/],
    ['5m\n6s', /contains a space/],
  ])('refuses %j', (text, complaint) => {
    expect(() => parseDuration(text)).toThrow(DurationError);
    expect(() => parseDuration(text)).toThrow(complaint);
    expect(() => parseDuration(text)).toThrow('Allowed: whole numbers with the units d, h, m, s, ms');
  });

  it('reads back whatever formatDuration writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -36_500 * 86_400_000, max: 36_500 * 86_400_000 }), (ms) => {
        expect(parseDuration(formatDuration(ms), { signed: true })).toBe(ms === 0 ? 0 : ms);
      }),
    );
  });

  it('either reads a text or throws DurationError, whatever the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+-]?[0-9dhms .+-]{0,12}$/), (text) => {
        try {
          expect(Number.isSafeInteger(parseDuration(text, { signed: true }))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(DurationError);
        }
      }),
    );
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0s'],
    [250, '250ms'],
    [60_000, '1m'],
    [5_400_000, '1h30m'],
    [-86_340_000, '-23h59m'],
    [90_061_001, '1d1h1m1s1ms'],
    [1.4, '1ms'],
  ])('writes %d as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('refuses what is no number of milliseconds', () => {
    expect(() => formatDuration(Number.NaN)).toThrow(RangeError);
    expect(() => formatDuration(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });
});
