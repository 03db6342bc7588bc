import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCode, type OtpVerdict, shownState } from '../../src/domain/otp.js';
import type { Otp } from '../../src/domain/rows.js';

const sentAtMs = Date.UTC(2026, 2, 1, 9);
const expiresAtMs = sentAtMs + 300_000;

function otp(changes: Partial<Otp> = {}): Otp {
  return {
    id: 'o',
    seq: 1,
    to: '+12025550150',
    code: '042042',
    state: 'active',
    maxAttempts: 5,
    attemptsLeft: 5,
    createdAtMs: sentAtMs,
    expiresAtMs,
    verifiedAtMs: null,
    templateId: 't',
    messageId: 'm',
    explain: { by: 'default', text: 'a test' },
    ...changes,
  };
}

/** What the operation stores of a verdict. */
function apply(before: Otp, verdict: OtpVerdict): Otp {
  if (verdict.kind === 'correct') return { ...before, state: 'verified' };
  if (verdict.kind !== 'wrong') return before;
  return { ...before, attemptsLeft: verdict.attemptsLeft, state: verdict.locks ? 'locked' : before.state };
}

describe('judging a code', () => {
  it('never lets a code pass twice, after its time, or after as many wrong ones as allowed, in any order of calls', () => {
    const tries = fc.array(fc.record({ right: fc.boolean(), waitMs: fc.integer({ min: 0, max: 120_000 }) }));
    fc.assert(
      fc.property(tries, fc.integer({ min: 1, max: 6 }), (calls, maxAttempts) => {
        let state = otp({ maxAttempts, attemptsLeft: maxAttempts });
        let nowMs = sentAtMs;
        let wrong = 0;
        let passed = 0;
        for (const { right, waitMs } of calls) {
          nowMs += waitMs;
          const verdict = checkCode(state, right ? '042042' : '111111', nowMs);
          const over = passed > 0 || wrong >= maxAttempts || nowMs >= expiresAtMs;
          expect(['correct', 'wrong'].includes(verdict.kind)).toBe(!over);
          if (verdict.kind === 'correct') passed += 1;
          if (verdict.kind === 'wrong') expect(verdict.attemptsLeft).toBe(maxAttempts - (wrong += 1));
          state = apply(state, verdict);
        }
        expect(passed).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the state a tester sees', () => {
  it('turns to expired at the very instant, and only for what is still active', () => {
    expect(shownState(otp(), expiresAtMs - 1)).toBe('active');
    expect(shownState(otp(), expiresAtMs)).toBe('expired');
    expect(shownState(otp({ state: 'locked' }), expiresAtMs)).toBe('locked');
    expect(shownState(otp({ state: 'verified' }), expiresAtMs)).toBe('verified');
  });
});
