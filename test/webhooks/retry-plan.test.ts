import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pauseAfterMs } from '../../src/webhooks/delivery/pause.js';
import { nextAttemptDelayMs } from '../../src/webhooks/delivery/retry-plan.js';

/** Minutes at which the attempts of a delivery that always fails start, up to and including the limit. */
function startsWithin(limitMs: number): number[] {
  const starts: number[] = [];
  let at = 0;
  for (let attempt = 1; at <= limitMs; attempt += 1) {
    starts.push(at / 60_000);
    at += nextAttemptDelayMs(attempt);
  }
  return starts;
}

describe('retry schedule', () => {
  it('starts attempts at 0, 1, 6, 36, 96 … minutes: 27 of them before the pause', () => {
    const starts = startsWithin(pauseAfterMs);
    expect(starts.slice(0, 6)).toEqual([0, 1, 6, 36, 96, 156]);
    expect(starts).toHaveLength(27);
    expect(starts.at(-1)).toBe(36 + 23 * 60);
  });

  it('has no attempt on the very minute of the pause, so that their order never matters', () => {
    expect(startsWithin(pauseAfterMs)).not.toContain(pauseAfterMs / 60_000);
  });

  it('never shortens a gap and is hourly from the fourth on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (attempt) => {
        expect(nextAttemptDelayMs(attempt + 1)).toBeGreaterThanOrEqual(nextAttemptDelayMs(attempt));
        if (attempt >= 4) expect(nextAttemptDelayMs(attempt)).toBe(3_600_000);
      }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses attempt %d', (attempt) => {
    expect(() => nextAttemptDelayMs(attempt)).toThrow(/counted from 1/);
  });
});
