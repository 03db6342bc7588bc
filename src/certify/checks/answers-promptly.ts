import type { Check } from '../check.js';
import { sampleIfNone, slowestOf } from '../timing.js';

export const answersPromptly: Check = {
  id: 'answers-promptly',
  group: 'time',
  title: 'Answers before it does the work',
  level: 'advice',
  why: 'Who needs seconds at a desk needs more under load. Take the event down, answer, and do the work afterwards.',
  sends: 'Nothing of its own: looks back at every event that was taken in.',
  expects: 'A 2xx within a fifth of the time allowed, 2 seconds of 10.',
  judged: 'Fails when a single one took longer. Skipped when no event was taken in.',
  async play(bench) {
    await sampleIfNone(bench);
    const taken = bench.history.filter(({ outcome }) => outcome.ok);
    if (taken.length === 0) return { result: 'skipped', found: 'no event was taken in' };
    const slow = taken.filter(({ outcome }) => outcome.durationMs > bench.timeoutMs / 5);
    const found = `slowest of ${taken.length} taken in: ${slowestOf(taken)}`;
    return { result: slow.length === 0 ? 'passed' : 'failed', found };
  },
};
