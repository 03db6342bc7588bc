/** The clock of the account in which a scenario is played, and when the scenario ends. */
import { isProgress } from '../../domain/job.js';
import type { Job } from '../../domain/rows.js';
import type { Sandbox } from '../../sandbox.js';
import { scenarioEndMs } from '../../scenario/run/verdict.js';
import type { ClockMode } from '../../time/account-clock.js';

export type Account = ReturnType<Sandbox['accounts']['of']>;

/** The clock mode of the account; with `quietMs`, the clock jumps after the application has been idle for that long. */
interface RunningClock {
  readonly mode: ClockMode;
  readonly quietMs?: number;
}

/** Stops the clock at the activation, atomically, whatever mode the scenario sets: the run moves it. */
export function freeze({ store, clock, script, scheduler }: Account): void {
  store.update(() => {
    store.setClock(clock.set('frozen', 1, script.activatedAtMs ?? clock.now()));
  });
  // A clock that jumps when the application is quiet has set a timer for it.
  scheduler.rearm();
}

/** Whether nobody has moved the clock since the activation. */
export function isStill({ clock, script, scheduler }: Account): boolean {
  return clock.mode === 'frozen' && clock.now() === script.activatedAtMs && !scheduler.advancing;
}

/** Lets the clock run, unless someone else has moved it. Returns false if so. */
export function begin(account: Account, pace: RunningClock): boolean {
  if (!isStill(account)) return false;
  setPace(account, pace);
  return true;
}

/** Lets the clock run from an instant. */
export function setPace(account: Account, { mode, quietMs }: RunningClock, atMs = account.clock.now()): void {
  const { store, clock, scheduler } = account;
  store.setClock(clock.set(mode, 1, atMs, quietMs));
  scheduler.rearm();
  scheduler.runDue();
}

interface End {
  /** Whether nothing is due any more for which the run waits. */
  readonly isReached: boolean;
  /** When the next such job is due; infinite if there is none. */
  readonly nextMs: number;
  /** The last instant that the scenario plans. */
  readonly plannedMs: number;
  /** The instant at which the run ends. */
  readonly atMs: number;
}

const HOUR_MS = 3_600_000;

/** Deadlines are no reason to wait, and neither are the hourly retries to a receiver that is down. */
export function endOf(account: Account): End {
  const { store, clock, script } = account;
  const startMs = script.activatedAtMs ?? 0;
  const plannedMs = Math.max(scenarioEndMs(account) ?? 0, startMs);
  const isAwaited = ({ kind, dueMs }: Job): boolean =>
    isProgress(kind) ||
    kind === 'scenario.step' ||
    kind === 'scenario.judge' ||
    (kind === 'delivery.attempt' && dueMs <= plannedMs + HOUR_MS);
  const awaited = [...store.tables.jobs.all()].filter(isAwaited);
  const nextMs = awaited.reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
  return { isReached: nextMs === Infinity, nextMs, plannedMs, atMs: Math.max(plannedMs, clock.now()) };
}
