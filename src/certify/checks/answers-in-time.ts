import type { Check } from '../check.js';
import { sampleIfNone, slowestOf } from '../timing.js';

export const answersInTime: Check = {
  id: 'answers-in-time',
  group: 'time',
  title: 'Answers within 10 seconds',
  level: 'must',
  why: 'An answer that comes later counts as none: the event is sent again although it was worked on, and after a day the endpoint is paused.',
  sends: 'Nothing of its own: looks back at everything that this run sent.',
  expects:
    'Every request was answered in full within 10 seconds (or what --timeout says), forgeries and damage included.',
  judged: 'Fails when a single answer took longer.',
  async play(bench) {
    await sampleIfNone(bench);
    const late = bench.history.filter(({ outcome }) => outcome.error?.code === 'timeout');
    const first = late[0];
    if (first === undefined) {
      return { result: 'passed', found: `slowest of ${bench.history.length}: ${slowestOf(bench.history)}` };
    }
    const found = `${late.length} of ${bench.history.length} too late. ${first.label}: ${first.outcome.error?.message ?? ''}`;
    return { result: 'failed', found };
  },
};
