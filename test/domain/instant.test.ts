import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../src/domain/instant.js';
import { cases } from '../support/property.js';

const minuteMs = 60_000;
const lastMs = 8.64e15;

describe('the form of an instant', () => {
  it('is that of the platform, whatever was shown before', () => {
    const near = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -1001, max: 1001 }));
    const instant = fc.oneof(
      near.map(([minutes, ms]) => minutes * minuteMs + ms),
      near.map(([minutes, ms]) => Date.UTC(2026, 1, 28, 23, 59) + minutes * minuteMs + ms),
      fc.double({ min: -2 * minuteMs, max: 2 * minuteMs, noNaN: true }),
      fc.integer({ min: -lastMs, max: lastMs }),
    );
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1 }), (instants) => {
        expect(instants.map(isoTime)).toStrictEqual(instants.map((ms) => new Date(ms).toISOString()));
      }),
      { numRuns: cases(500) },
    );
  });

  it('does not exist beyond the calendar of the platform', () => {
    for (const ms of [NaN, Infinity, lastMs + 1]) expect(() => isoTime(ms)).toThrow(RangeError);
  });
});
