import { describe, expect, it } from 'vitest';
import { lastOffsetMs } from '../../src/rules/timeline.js';
import { loaded } from './fixtures.js';

describe('the timeline', () => {
  it('is over with its last entry, judgement or end of a rule', () => {
    const rules = loaded({ when: 'api.any', active: { before: '+3h' }, then: { respond: { status: 500 } } });
    expect(lastOffsetMs({ timeline: [], expect: [], rules })).toBe(10_800_000);
    expect(lastOffsetMs({ timeline: [{ at: '+4h', emit: { type: 'message.status' } }], expect: [], rules })).toBe(
      14_400_000,
    );
    expect(
      lastOffsetMs({
        timeline: [],
        expect: [
          { at: 'finish', that: 'requests', max: 0 },
          { at: '+5h', that: 'requests', max: 0 },
        ],
        rules,
      }),
    ).toBe(18_000_000);
    expect(lastOffsetMs({ timeline: [], expect: [], rules: [] })).toBe(0);
  });

  it('is over with the last repetition, and with a time of the day', () => {
    const emit = { type: 'message.status' } as const;
    const rest = { expect: [], rules: [] };
    expect(lastOffsetMs({ timeline: [{ at: '+1h', every: '1h', count: 3, emit }], ...rest })).toBe(3 * 3_600_000);
    const tenOClock = Date.UTC(2026, 2, 1, 10);
    expect(lastOffsetMs({ timeline: [{ at: { clock: '09:30' }, emit }], ...rest }, tenOClock)).toBe(84_600_000);
    expect(lastOffsetMs({ timeline: [{ at: { after: 'message.send', by: '5m' }, emit }], ...rest })).toBe(0);
  });
});
