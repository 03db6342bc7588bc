import { describe, expect, it } from 'vitest';
import { channelErrors } from '../../src/domain/errors.js';

describe('failures of the channel', () => {
  it('lists the 23 failures of the contract, each with its own name and number', () => {
    expect(channelErrors).toHaveLength(23);
    expect(new Set(channelErrors.map(({ code }) => code)).size).toBe(23);
    expect(new Set(channelErrors.map(({ channelCode }) => channelCode)).size).toBe(23);
  });

  it('explains each in one full sentence', () => {
    for (const { message } of channelErrors) expect(message).toMatch(/^(?:The|A|Too) .{20,}\.$/);
  });
});
