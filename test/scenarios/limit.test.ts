import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit, compileLimit, parseRate } from '../../src/scenarios/limit.js';

describe('rates', () => {
  it.each([
    ['80/s', 80, 1000],
    ['600/m', 600, 60_000],
    ['5/10s', 5, 10_000],
    ['1/250ms', 1, 250],
    ['3/d', 3, 86_400_000],
  ])('%s', (text, tokens, perMs) => {
    expect(parseRate(text)).toEqual({ tokens, perMs });
  });

  it.each(['80', '0/s', '1/0s', '-1/s', '80/', '1.5/s', '80/w', ''])('%j is none', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});

describe('a bucket', () => {
  it('lets the burst through at once, then one per token time, and says how long to wait', () => {
    const limit = compileLimit({ rate: '10/s', burst: 3 });
    let state: number | undefined;
    const ask = (nowMs: number) => {
      const answer = admit(limit, state, nowMs);
      state = answer.state;
      return answer.allowed ? 'yes' : answer.retryAfterMs;
    };
    expect([ask(0), ask(0), ask(0), ask(0)]).toEqual(['yes', 'yes', 'yes', 100]);
    expect(ask(99)).toBe(1);
    expect(ask(100)).toBe('yes');
    expect(ask(100)).toBe(100);
    expect([ask(10_000), ask(10_000), ask(10_000), ask(10_000)]).toEqual(['yes', 'yes', 'yes', 100]);
  });

  it('lets who waits as told through, at any rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 20 }), (tokens, burst) => {
        const limit = { tokens, perMs: 1000, burst };
        let state: number | undefined;
        let nowMs = 1_772_355_600_000;
        for (let i = 0; i < 60; i += 1) {
          const first = admit(limit, state, nowMs);
          state = first.state;
          if (first.allowed) continue;
          nowMs += first.retryAfterMs;
          const second = admit(limit, state, nowMs);
          expect(second.allowed).toBe(true);
          state = second.state;
        }
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
