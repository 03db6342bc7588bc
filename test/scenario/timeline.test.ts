import { describe, expect, it } from 'vitest';
import {
  clockInstantMs,
  compileTimeline,
  lastOffsetMs,
  type TimelineItem,
} from '../../src/scenario/engine/timeline.js';
import { loaded } from './fixtures.js';

describe('the timeline', () => {
  it('is sorted by offset, equal offsets as written', () => {
    const items = compileTimeline([
      { at: '+6h', template: { name: 'a', status: 'paused' } },
      { at: '5m', inbound: { phone: '+12025550150', text: 'one' } },
      { at: '+5m', inbound: { phone: '+12025550150', text: 'two' } },
      { at: '+0s', emit: { type: 'message.status' } },
      { at: '+1d', message: { phone: '+12025550150', status: 'read' } },
      { at: '+1d', window: 'open', phone: '+12025550150' },
      { at: '+1d', webhook: { alias: 'app', status: 'paused' } },
    ]);
    const atMs = ({ start }: TimelineItem) => ('atMs' in start ? start.atMs : NaN);
    expect(items.map((item) => `${atMs(item)} ${item.action.kind}`)).toEqual([
      '0 emit',
      '300000 inbound',
      '300000 inbound',
      '21600000 template',
      '86400000 message',
      '86400000 window',
      '86400000 webhook',
    ]);
    expect(items[1]?.action).toEqual({ kind: 'inbound', inbound: { phone: '+12025550150', text: 'one' } });
  });

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

  it.each([
    ['09:00', '2026-03-02T09:00'],
    ['10:00', '2026-03-01T10:00'],
    ['23:59', '2026-03-01T23:59'],
  ])('at ten, the clock shows %s next at %s', (clock, expected) => {
    const [hours, minutes] = clock.split(':').map(Number);
    const atMs = clockInstantMs(hours! * 60 + minutes!, Date.UTC(2026, 2, 1, 10));
    expect(new Date(atMs).toISOString().slice(0, 16)).toBe(expected);
  });
});
