/** The clock of the account in which `scenario run` plays. */
import { ServiceError } from '../../domain/errors.js';
import type { RunningClock } from '../../runner/flow.js';
import type { Sandbox } from '../../sandbox.js';
import { scenarioEndMs } from '../../scenario/runtime/verdict.js';
import { CliFailure } from '../failure.js';

type Account = ReturnType<Sandbox['accounts']['of']>;

/** Stops the clock at the activation, atomically, whatever mode the scenario sets: the run moves it. */
export function freeze({ store, clock, script, scheduler }: Account): void {
  store.update(() => {
    store.setClock(clock.set('frozen', 1, script.activatedAtMs ?? clock.now()));
  });
  // A clock that jumps when the application is quiet has set a timer for it.
  scheduler.rearm();
}

/**
 * Lets the clock run, unless the command has moved it. The check and the change are atomic, so no call of the command
 * can come in between. Returns false if the command has moved it.
 */
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

/** Plays the rest of the timeline in every account that has one. */
export async function toTheEnd({ accounts }: Sandbox): Promise<void> {
  for (const account of accounts.all()) {
    const endMs = scenarioEndMs(account);
    if (endMs === null) continue;
    try {
      await account.scheduler.advance(Math.max(endMs, account.clock.now()));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw unplayable(error.message, error);
    }
  }
}

export function unplayable(message: string, cause: Error): CliFailure {
  return new CliFailure(1, `the timeline cannot be played to its end: ${message}`, { cause });
}
