import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDuration, meantDurations } from '../../src/time/duration.js';

it.each([
  ['5', '5s'],
  ['5min', '5m'],
  ['30 s', '30s'],
  ['2 hours', '2h'],
  ['1.5h', '1h30m'],
  ['0.25s', '250ms'],
  ['90 Minutes', '1h30m'],
  ['1h, 30min', '1h30m'],
  ['2 weeks', '14d'],
  ['5s1m', '1m5s'],
  ['PT5M', '5m'],
  ['P1DT2H', '1d2h'],
  ['-5 min', '-5m'],
  ['20 millis', '20ms'],
])('%j stands for %s', (text, meant) => {
  expect(meantDurations(text)[0]).toBe(meant);
});

it('offers the other unit, without the sign and in the past too', () => {
  expect(meantDurations('1000')).toEqual(['1000s', '1000ms', '-1000s', '-1000ms']);
  expect(meantDurations('+5 m')).toEqual(['+5m', '5m', '-5m']);
});

it.each(['', 'soon', '5 parsecs', '5m or so', '1.2345h', '1h..2h', '5'.repeat(12), 'h'])(
  '%j stands for none',
  (text) => {
    expect(meantDurations(text)).toEqual([]);
  },
);

it('understands a duration, and offers what is one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (ms) => {
      expect(meantDurations(formatDuration(ms))[0]).toBe(formatDuration(ms));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.dhmsinpt +-,'.split('')), maxLength: 12 }), (text) => {
      for (const meant of meantDurations(text)) expect(meant).toMatch(/^[+-]?(?:\d+(?:ms|[dhms]))+$/);
    }),
  );
});
