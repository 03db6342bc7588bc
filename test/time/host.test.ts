import { afterEach, describe, expect, it, vi } from 'vitest';
import { machineTime, systemClockOf } from '../../src/time/system-clock.js';

describe('machineTime', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits out delays that do not fit the platform timer', () => {
    vi.useFakeTimers();
    const days = 86_400_000;
    const fn = vi.fn();
    systemClockOf(globalThis).setTimer(60 * days, fn);
    vi.advanceTimersByTime(60 * days - 1);
    expect(fn).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fn).toHaveBeenCalledTimes(1);
  });

  it('can be cancelled, in a later leg too, and cancelling twice is fine', () => {
    vi.useFakeTimers();
    const fn = vi.fn();
    const cancel = systemClockOf(globalThis).setTimer(2 ** 32, fn);
    vi.advanceTimersByTime(2 ** 31 + 5);
    cancel();
    cancel();
    vi.advanceTimersByTime(2 ** 33);
    expect(fn).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not hear of timers that are faked later in the process', async () => {
    vi.useFakeTimers();
    await new Promise<void>((resolve) => machineTime.setTimer(1, resolve));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never fires early and never within the call', async () => {
    for (const delayMs of [-5, 0, 0.5, 3]) {
      const startedAt = machineTime.monotonic();
      let within = true;
      const elapsed = await new Promise<number>((resolve) => {
        machineTime.setTimer(delayMs, () => {
          expect(within).toBe(false);
          resolve(machineTime.monotonic() - startedAt);
        });
        within = false;
      });
      expect(elapsed).toBeGreaterThanOrEqual(delayMs);
    }
  });
});
