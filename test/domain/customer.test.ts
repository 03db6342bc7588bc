import { expect, it } from 'vitest';
import { windowLengthMs, windowOpen, type Customer } from '../../src/domain/customer.js';

function wroteAt(atMs: number): Customer {
  return {
    id: '+12025550150',
    seq: 1,
    profileName: null,
    lastInboundAtMs: atMs,
    windowClosesAtMs: atMs + windowLengthMs,
  };
}

it.each([
  [0, true],
  [1, true],
  [86_399_999, true],
  [86_400_000, false],
  [86_400_001, false],
])('%i ms after the latest message the window is open: %s', (laterMs, open) => {
  const atMs = Date.UTC(2026, 2, 1, 9);
  expect(windowOpen(wroteAt(atMs), atMs + laterMs)).toBe(open);
});

it('is closed for who never wrote, and for who is not known', () => {
  expect(windowOpen({ ...wroteAt(0), lastInboundAtMs: null, windowClosesAtMs: null }, 0)).toBe(false);
  expect(windowOpen(undefined, 0)).toBe(false);
});

it('can end at the epoch itself', () => {
  expect(windowOpen({ ...wroteAt(0), windowClosesAtMs: 0 }, -1)).toBe(true);
  expect(windowOpen({ ...wroteAt(0), windowClosesAtMs: 0 }, 0)).toBe(false);
});
