import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccountClock, startClock, type ClockMode } from '../../src/time/account-clock.js';
import { ManualHost } from '../support/manual-host.js';

const startMs = Date.UTC(2026, 2, 1, 9);
const hourMs = 3_600_000;

/** A machine whose clock can also be set, which the manual host's cannot. */
class Machine extends ManualHost {
  setBackMs = 0;
  override now(): number {
    return super.now() - this.setBackMs;
  }
}

function clockOf(mode: ClockMode, scale = 1): { clock: AccountClock; machine: Machine } {
  const machine = new Machine(startMs);
  return { machine, clock: new AccountClock(machine, startClock({ mode, scale, startMs: null }, machine)) };
}

describe('by mode', () => {
  it.each([
    ['real', 1, 60_000],
    ['scaled', 60, 3_600_000],
    ['scaled', 0.001, 60],
    ['frozen', 1, 0],
    ['auto', 1, 0],
  ] as const)('%s x%d moves with a minute of the machine by %i ms', (mode, scale, expected) => {
    const { clock, machine } = clockOf(mode, scale);
    expect(clock.now()).toBe(startMs);
    machine.tick(60_000);
    expect(clock.now()).toBe(startMs + expected);
  });
});

describe('when the clock of the machine is set back', () => {
  it.each(['real', 'scaled'] as const)(
    '%s stands still until the machine has caught up, and never goes back',
    (mode) => {
      const { clock, machine } = clockOf(mode, 2);
      const scale = clock.state.mode === 'scaled' ? 2 : 1;
      // A start with mode real keeps whatever scale it was given; setting it once makes it 1.
      clock.set(mode, scale, clock.now());
      machine.tick(10_000);
      const reached = clock.now();
      machine.setBackMs = 5_000;
      expect(clock.now()).toBe(reached);
      machine.tick(4_999);
      expect(clock.now()).toBe(reached);
      machine.tick(2);
      expect(clock.now()).toBe(reached + scale);
    },
  );
});

describe('after a start with a machine that was set back', () => {
  it('goes on from what was seen, and is the time of the machine again once that is no step back', () => {
    const machine = new ManualHost(startMs);
    const state = { mode: 'real', scale: 1, baseMs: startMs - hourMs, anchorMs: startMs - hourMs } as const;
    const clock = new AccountClock(machine, state, startMs + 48 * hourMs);
    expect(clock.now()).toBe(startMs + 48 * hourMs);
    machine.tick(hourMs);
    expect(clock.now()).toBe(startMs + 49 * hourMs);
    // What is stored has no offset, so that a start after two days of rest shows the time of the machine.
    expect(clock.state).toEqual(state);
    const later = new AccountClock(new ManualHost(startMs + 72 * hourMs), clock.state, clock.now());
    expect(later.now()).toBe(startMs + 72 * hourMs);
  });
});

describe('the wait until something is due', () => {
  it('is long enough: when it is over, what was waited for is due', () => {
    const factors = fc.double({ min: 0.001, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(
        factors,
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (scale, ahead, passed) => {
          const { clock, machine } = clockOf('scaled', scale);
          machine.tick(passed);
          const due = clock.now() + ahead;
          machine.tick(Math.ceil(clock.machineDelayTo(due) ?? Number.NaN));
          expect(clock.now()).toBeGreaterThanOrEqual(due);
        },
      ),
    );
  });
});
