import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { accountTime, LiveClock } from '../../src/ui/page/core/clock.js';

const noon = Date.UTC(2026, 2, 1, 12);

describe('account time between two words from the sandbox', () => {
  it.each([
    ['real', 1, 5000, 5000],
    ['scaled', 60, 5000, 300_000],
    ['scaled', 0.5, 5000, 2500],
    ['frozen', 1, 5000, 0],
    ['auto', 1, 5000, 0],
    ['real', 1, -50, 0],
  ] as const)('%s ×%d after %d ms', (mode, scale, passed, moved) => {
    expect(accountTime({ nowMs: noon, mode, scale, toldAtMs: 1000 }, 1000 + passed)).toBe(noon + moved);
  });
});

describe('the clock of an account', () => {
  function clockAt() {
    const tick = signal(0);
    let nowMs = 0;
    const clock = new LiveClock(tick, () => nowMs);
    const pass = (ms: number) => {
      nowMs += ms;
      tick.value += 1;
    };
    return { clock, pass };
  }
  const told = { now: new Date(noon).toISOString(), scale: 1, pending: 2, next_due: null };

  it('is unknown until it was told, then moves with each tick', () => {
    const { clock, pass } = clockAt();
    expect(clock.now.value).toBeNull();
    expect(clock.second.value).toBeNull();
    clock.set({ ...told, mode: 'real' });
    pass(1250);
    expect(clock.now.value).toBe(noon + 1250);
    expect(clock.second.value).toBe(noon + 1000);
    expect(clock.pending.value).toBe(2);
  });

  it.each(['frozen', 'auto'] as const)('follows what happens on a clock that is %s, and never goes back', (mode) => {
    const { clock, pass } = clockAt();
    clock.set({ ...told, mode });
    clock.seen(new Date(noon + 60_000).toISOString());
    clock.seen(new Date(noon + 30_000).toISOString());
    pass(99);
    expect(clock.now.value).toBe(noon + 60_000);
  });

  it('needs no such hint where it runs by itself', () => {
    const { clock } = clockAt();
    clock.set({ ...told, mode: 'real' });
    clock.seen(new Date(noon + 60_000).toISOString());
    expect(clock.now.value).toBe(noon);
  });
});
