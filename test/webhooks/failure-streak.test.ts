import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/domain/endpoint.js';
import { FailureStreaks } from '../../src/webhooks/delivery/failure-streak.js';
import { cases } from '../support/property.js';

interface Planned {
  readonly ok: boolean;
  /** Which of those under way is answered next. */
  readonly next: number;
  /** How many begin before it is. */
  readonly begun: number;
}

const endpointSince = (failingSinceMs: number | null) => ({ id: 'e', failingSinceMs }) as Endpoint;

/** Since when the endpoint fails when they are answered one by one, in the order in which they began. */
function inOrder(failingSinceMs: number | null, outcomes: readonly boolean[]): number | null {
  return outcomes.reduce<number | null>((since, ok, i) => (ok ? null : (since ?? i)), failingSinceMs);
}

/** The same when as many as `plans` say are under way together, and are answered in any order. */
function inAnyOrder(failingSinceMs: number | null, plans: readonly Planned[]): number | null {
  const streaks = new FailureStreaks();
  let endpoint = endpointSince(failingSinceMs);
  const waiting = [...plans.entries()];
  const underWay: { ok: boolean; atMs: number; turn: number }[] = [];
  for (const { begun, next } of plans) {
    for (const [atMs, { ok }] of waiting.splice(0, Math.max(begun, underWay.length === 0 ? 1 : 0))) {
      underWay.push({ ok, atMs, turn: streaks.begin(endpoint) });
    }
    const [answered] = underWay.splice(next % underWay.length, 1);
    if (!answered) break;
    endpoint = endpointSince(streaks.end(endpoint, answered.turn, answered.atMs, answered.ok));
  }
  return endpoint.failingSinceMs;
}

describe('a streak of failures', () => {
  it('is the same in whatever order attempts that are under way together are answered', () => {
    const plan = fc.record({ ok: fc.boolean(), next: fc.nat(9), begun: fc.nat(3) });
    fc.assert(
      fc.property(fc.option(fc.constant(-5)), fc.array(plan, { minLength: 1, maxLength: 12 }), (since, plans) => {
        const outcomes = plans.map(({ ok }) => ok);
        expect(inAnyOrder(since, plans)).toBe(inOrder(since, outcomes));
      }),
      { numRuns: cases(5000) },
    );
  });

  it('begins anew after somebody else has ended it', () => {
    const streaks = new FailureStreaks();
    const [first, second, third] = [endpointSince(null), endpointSince(null), endpointSince(null)].map((each) =>
      streaks.begin(each),
    ) as [number, number, number];
    expect(streaks.end(endpointSince(null), first, 10, false)).toBe(10);
    // Registered again: the failure before that is forgotten.
    expect(streaks.end(endpointSince(null), second, 20, false)).toBe(20);
    expect(streaks.end(endpointSince(20), third, 30, true)).toBeNull();
  });

  it('is not touched by an attempt that says nothing about it', () => {
    const streaks = new FailureStreaks();
    const [overtaken, counted] = [streaks.begin(endpointSince(10)), streaks.begin(endpointSince(10))];
    streaks.leave('e', overtaken);
    expect(streaks.end(endpointSince(10), counted, 20, false)).toBe(10);
  });
});
