import { describe, expect, it } from 'vitest';
import { FreshEvent } from '../../src/domain/event.js';
import { weights } from '../../src/store/tables/memory-budget.js';

describe('the weight of an event', () => {
  it('is taken without making its bytes, which of most events nobody reads', () => {
    const data = { text: 'hello', toJSON: () => expect.unreachable('the bytes were made') };

    expect(weights.events(new FreshEvent('evt_1', 1, 'message.received', 0, data, 'm1'))).toBeGreaterThan(300);
  });

  it('follows the length of its texts', () => {
    const event = (text: string) => new FreshEvent('evt_1', 1, 'message.received', 0, { text }, 'm1');

    expect(weights.events(event('x'.repeat(10_000))) - weights.events(event('x'.repeat(100)))).toBe(2 * 9_900);
  });
});
