import { describe, expect, it } from 'vitest';
import { channelErrors, findChannelError } from '../../src/domain/channel-errors.js';

describe('failures of the channel', () => {
  it('lists the 23 failures of the contract, each with its own name and number', () => {
    expect(channelErrors).toHaveLength(23);
    expect(new Set(channelErrors.map(({ code }) => code)).size).toBe(23);
    expect(new Set(channelErrors.map(({ channelCode }) => channelCode)).size).toBe(23);
  });

  it('explains each in one full sentence', () => {
    for (const { message } of channelErrors) expect(message).toMatch(/^(?:The|A|Too) .{20,}\.$/);
  });

  it.each([
    ['undeliverable', 131026],
    ['policy_blocked', 368],
    ['throughput_limited', 130429],
    ['unknown_error', 131000],
  ])('finds %s by name, number and number as text', (code, channelCode) => {
    const failure = findChannelError(code);
    expect(failure).toMatchObject({ code, channelCode });
    expect(findChannelError(channelCode)).toBe(failure);
    expect(findChannelError(String(channelCode))).toBe(failure);
  });

  it.each(['undeliverble', '', 'toString', '__proto__', 1])('knows no failure called %j', (name) => {
    expect(findChannelError(name)).toBeUndefined();
  });
});
