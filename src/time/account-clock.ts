import type { SystemClock } from './system-clock.js';

/**
 * The end of account time: a century, the longest duration, before years need five digits. Every expiry or retry
 * computed from now therefore has a timestamp.
 */
export const endOfTimeMs = Date.UTC(9899, 11, 31, 23, 59, 59, 999);

export type ClockMode = 'real' | 'frozen' | 'scaled' | 'auto';

/** With `auto`: time passes as on the machine, and jumps to the next job of any kind when the application is idle. */
export interface Pace {
  /** Machine milliseconds for which the application must be idle. */
  readonly quietMs?: number | undefined;
  /** The application must be idle for longer than its longest pause. */
  readonly learns?: boolean | undefined;
  readonly jumpsOnly?: boolean | undefined;
}

/** The stored state of a clock: at machine time `anchorMs`, account time was, or will be, `baseMs`. */
export interface ClockState extends Pace {
  readonly mode: ClockMode;
  /** Account milliseconds per machine millisecond; 1 unless scaled. */
  readonly scale: number;
  readonly baseMs: number;
  readonly anchorMs: number;
}

export interface ClockSettings extends Pace {
  readonly mode: ClockMode;
  readonly scale: number;
  readonly startMs: number | null;
}

export function paceOf({ quietMs, learns, jumpsOnly }: Pace): Pace {
  if (quietMs === undefined) return {};
  return { quietMs, ...(learns === true && { learns }), ...(jumpsOnly === true && { jumpsOnly }) };
}

export function startClock(settings: ClockSettings, host: SystemClock): ClockState {
  const anchorMs = host.now();
  const { mode, scale, startMs } = settings;
  return { mode, scale, baseMs: startMs ?? anchorMs, anchorMs, ...paceOf(settings) };
}

export function flows({ mode, quietMs, jumpsOnly }: Pick<ClockState, 'mode' | keyof Pace>): boolean {
  return mode === 'real' || mode === 'scaled' || (quietMs !== undefined && jumpsOnly !== true);
}

export class AccountClock {
  #state: ClockState;
  #held: number | null = null;
  #latest = -Infinity;
  /**
   * The time to continue from while the state would show an earlier one. Not stored, so a later start can be without
   * it.
   */
  #floor: Pick<ClockState, 'baseMs' | 'anchorMs'> | null = null;

  /**
   * `floorMs` is account time that was already seen: if the machine's clock was set back since, time continues from
   * there.
   */
  constructor(
    private readonly host: SystemClock,
    state: ClockState,
    floorMs = -Infinity,
  ) {
    this.#state = state;
    if (flows(state) && this.#flowing() < floorMs) this.#floor = { baseMs: floorMs, anchorMs: host.now() };
  }

  get state(): ClockState {
    return this.#state;
  }

  get mode(): ClockMode {
    return this.#state.mode;
  }

  /** Whole milliseconds. Never goes back, whatever the machine's clock does. */
  now(): number {
    if (this.#held !== null) return this.#held;
    this.#latest = Math.max(this.#latest, this.#flowing());
    return this.#latest;
  }

  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** The clock is held while a job runs, and between the steps of an advance. */
  hold(atMs: number): void {
    this.#held = atMs;
  }

  /** Everything in one call has the same time. Returns a function that releases the clock. */
  freezeForCall(): () => void {
    if (this.#held !== null) return () => undefined;
    this.#held = this.now();
    return () => {
      this.#held = null;
    };
  }

  /** Continues from the time that the clock would have reached without the hold. */
  release(): void {
    this.#held = null;
  }

  /** The caller checks that `nowMs` is not before `now()`, because the error message depends on the call. */
  set(mode: ClockMode, scale: number, nowMs: number, pace: Pace = {}): ClockState {
    const runs = { mode, scale: mode === 'scaled' ? scale : 1, ...paceOf(pace) };
    this.#state = { ...runs, baseMs: nowMs, anchorMs: this.host.now() };
    this.#floor = null;
    this.#latest = Math.min(nowMs, endOfTimeMs);
    if (this.#held !== null) this.#held = nowMs;
    return this.#state;
  }

  moveTo(nowMs: number): ClockState {
    return this.set(this.#state.mode, this.#state.scale, nowMs, this.#state);
  }

  /** Machine milliseconds until account time `dueMs`; null if the clock does not reach it automatically. */
  machineDelayTo(dueMs: number): number | null {
    if (!flows(this.#state)) return null;
    return Math.max(0, (dueMs - this.now()) / this.#state.scale);
  }

  #flowing(): number {
    const flownTo = ({ baseMs, anchorMs }: Pick<ClockState, 'baseMs' | 'anchorMs'>): number =>
      baseMs + (flows(this.#state) ? Math.floor((this.host.now() - anchorMs) * this.#state.scale) : 0);
    const ms = this.#floor ? Math.max(flownTo(this.#floor), flownTo(this.#state)) : flownTo(this.#state);
    return Math.min(ms, endOfTimeMs);
  }
}
