import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit } from '../../src/rules/effects.js';
import { cases } from '../support/property.js';

describe('a bucket', () => {
  it('lets exactly its number through at once, at any rate and in any year', () => {
    const rates = fc.record({
      tokens: fc.integer({ min: 1, max: 50 }),
      perMs: fc.constantFrom(1000, 60_000, 3_600_000),
    });
    fc.assert(
      fc.property(rates, fc.integer({ min: 1_700_000_000_000, max: 4_000_000_000_000 }), (limit, nowMs) => {
        let state: number | undefined;
        let through = 0;
        for (; through <= limit.tokens; through += 1) {
          const { allowed, state: next } = admit(limit, state, nowMs);
          if (!allowed) break;
          state = next;
        }
        expect(through).toBe(limit.tokens);
      }),
      { seed: 3, numRuns: cases(500), examples: [[{ tokens: 7, perMs: 1000 }, 1_803_891_600_000]] },
    );
  });

  it('keeps to its rate over a day', () => {
    for (const tokens of [3, 7, 13, 80, 999]) {
      const limit = { tokens, perMs: 60_000 };
      let state: number | undefined;
      let nowMs = 1_772_355_600_000;
      const endMs = nowMs + 86_400_000;
      let through = 0;
      while (nowMs < endMs) {
        const answer = admit(limit, state, nowMs);
        state = answer.state;
        if (answer.allowed) through += 1;
        else nowMs += answer.retryAfterMs;
      }
      expect(Math.abs(through - tokens * 1440)).toBeLessThanOrEqual(tokens + tokens * 1440 * 1e-5);
    }
  });
});
