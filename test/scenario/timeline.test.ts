import { describe, expect, it } from 'vitest';
import { compileTimeline, lastOffsetMs } from '../../src/scenario/engine/timeline.js';
import { loaded } from './fixtures.js';

describe('the timeline', () => {
  it('is sorted by offset, equal offsets as written', () => {
    const items = compileTimeline([
      { at: '+6h', template: { name: 'a', status: 'paused' } },
      { at: '5m', inbound: { from: '+12025550150', text: 'one' } },
      { at: '+5m', inbound: { from: '+12025550150', text: 'two' } },
      { at: '+0s', emit: { type: 'message.status' } },
      { at: '+1d', message: { to: '+12025550150', status: 'read' } },
      { at: '+1d', window: { phone: '+12025550150', open: true } },
      { at: '+1d', webhook: { alias: 'app', status: 'paused' } },
    ]);
    expect(items.map(({ atMs, action }) => `${atMs} ${action.kind}`)).toEqual([
      '0 emit',
      '300000 inbound',
      '300000 inbound',
      '21600000 template',
      '86400000 message',
      '86400000 window',
      '86400000 webhook',
    ]);
    expect(items[1]?.action).toEqual({ kind: 'inbound', inbound: { from: '+12025550150', text: 'one' } });
  });

  it('is over with its last entry, judgement or end of a rule', () => {
    const rules = loaded({ when: 'api.any', active: { to: '+3h' }, then: { respond: { status: 500 } } });
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
});
