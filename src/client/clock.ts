import type { Connection } from './connection.js';
import type { AdvanceInput, AdvanceResult, Clock, ClockInput, ClockStart, Duration, Timestamp } from './types.js';

/** The target of an advance: a duration, an instant, the next job, or until no progress job is left. */
export type Advance =
  | Duration
  | { readonly by: Duration; readonly settleReal?: Duration }
  | { readonly to: Date | Timestamp; readonly settleReal?: Duration }
  | { readonly until: 'next' | 'idle'; readonly max?: Duration; readonly settleReal?: Duration };

/** The speed of a running clock; `x60` is a minute per second. */
export type Pace = 'real' | 'auto' | `x${number}`;

export function clockControl({ call }: Connection) {
  const get = (): Promise<Clock> => call('GET', '/_sandbox/clock');
  const put = (input: ClockInput): Promise<Clock> => call('PUT', '/_sandbox/clock', input);
  return {
    now: async (): Promise<Timestamp> => (await get()).now,
    /** The time, the mode, the pending jobs and when the next is due. */
    get,
    /**
     * Advances the clock. Returns when no job is due and all receivers have responded, so that no further waiting is
     * necessary. `settleReal` waits for this idle period, in real time, after each step.
     */
    advance: async (how: Advance): Promise<AdvanceResult> => call('POST', '/_sandbox/clock/advance', advanceInput(how)),
    /**
     * Freezes the clock now, or at an instant: only `advance` moves time. A past instant is only possible before
     * anything has happened.
     */
    freeze: (at?: Date | Timestamp): Promise<Clock> =>
      put({ mode: 'frozen', ...(at !== undefined && { now: instant(at) }) }),
    /** Makes time pass automatically. */
    run: (pace: Pace = 'real'): Promise<Clock> =>
      put(pace === 'real' || pace === 'auto' ? { mode: pace } : { mode: 'scaled', scale: Number(pace.slice(1)) }),
    /**
     * Moves to an instant, through all jobs due until then; backward only before anything has happened. The mode does
     * not change.
     */
    set: (to: Date | Timestamp): Promise<Clock> => put({ now: instant(to) }),
  };
}

function advanceInput(how: Advance): AdvanceInput {
  if (typeof how === 'string') return { by: how };
  const { settleReal, ...target } = how;
  return {
    ...target,
    ...('to' in target && { to: instant(target.to) }),
    ...(settleReal !== undefined && { settle_real: settleReal }),
  } as AdvanceInput;
}

/** The sandbox validates the parts. */
export function clockInput(start: ClockStart): ClockInput {
  const [mode = '', detail] = start.split(/:(.*)/s);
  if (mode === 'frozen') return { mode, ...(detail !== undefined && { now: new Date(detail).toISOString() }) };
  if (mode === 'auto') return { mode, ...(detail !== undefined && { quiet_real: detail }) };
  return mode === 'real' ? { mode } : { mode: 'scaled', scale: Number(mode.slice(1)) };
}

export function instant(at: Date | Timestamp): Timestamp {
  return typeof at === 'string' ? at : at.toISOString();
}
