/** The clock of the account in which a scenario is played. */
import { ServiceError } from '../../domain/errors.js';
import type { Sandbox } from '../../sandbox.js';
import { scenarioEndMs } from '../../scenario/run/verdict.js';
import type { ClockMode } from '../../time/account-clock.js';
import { CliFailure } from '../failure.js';

type Account = ReturnType<Sandbox['accounts']['of']>;

/** Longest account time that a run waits for progress after the last planned instant. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;

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

/** Lets the clock run, unless someone else has moved it. Returns false if so. */
export function begin(account: Account, pace: RunningClock): boolean {
  const { clock, script, scheduler } = account;
  if (clock.mode !== 'frozen' || clock.now() !== script.activatedAtMs || scheduler.advancing) return false;
  setPace(account, pace);
  return true;
}

/** Lets the clock run from now. */
export function setPace({ store, clock, scheduler }: Account, { mode, quietMs }: RunningClock): void {
  store.setClock(clock.set(mode, 1, clock.now(), quietMs));
  scheduler.rearm();
  scheduler.runDue();
}

/** Plays the rest of the timeline, and what is due after it, in every account that has a scenario. */
export async function toTheEnd({ accounts }: Sandbox): Promise<void> {
  for (const account of accounts.all()) {
    const endMs = scenarioEndMs(account);
    if (endMs === null) continue;
    const { clock, scheduler, script } = account;
    try {
      await scheduler.advance(Math.max(endMs, clock.now()));
      if (script.scenario?.ends === undefined) await scheduler.advance(endMs + LONGEST_WAIT_MS, { until: 'idle' });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw unplayable(error.message, error);
    }
  }
}

export function unplayable(message: string, cause: Error): CliFailure {
  return new CliFailure(1, `the timeline cannot be played to its end: ${message}`, { cause });
}
