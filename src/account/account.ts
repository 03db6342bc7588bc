/** An isolated account: everything that belongs to one API key. `accounts/build.ts` assembles it. */
import type { Dialect } from '../dialect/index.js';
import type { Ids } from '../random/ids.js';
import type { FakeData } from '../random/fake-data.js';
import type { Script } from '../rules/script.js';
import type { AccountStore } from '../store/account-store.js';
import type { AccountClock } from '../time/account-clock.js';
import type { Quiet } from '../time/quiet.js';
import type { Scheduler } from '../time/scheduler.js';
import type { Dispatcher } from '../webhooks/deliver.js';
import type { ApplicationSlot } from './application.js';
import type { Generation } from './generation.js';

export interface Account {
  readonly key: string;
  /** In the order of opening, from 1; never reused. */
  readonly number: number;
  /** The warning of every call while no scenario is active: the starting scenario is unknown or invalid. */
  readonly notice: string | undefined;
  readonly generation: Generation;
  readonly application: ApplicationSlot;
  readonly store: AccountStore;
  readonly clock: AccountClock;
  readonly scheduler: Scheduler;
  readonly quiet: Quiet;
  readonly ids: Ids;
  readonly fakeData: FakeData;
  readonly dispatcher: Dispatcher;
  readonly dialect: Dialect;
  readonly script: Script;
  readonly maxJournal: number;
}

/**
 * Due jobs run first, and all changes of the call are one write. Before it returns, the jobs that the call made due run
 * as well. Account time stands still meanwhile.
 */
export function transaction<T>(account: Account, work: () => T): T {
  account.scheduler.runDue();
  const before = account.clock.freezeForCall();
  try {
    return account.store.update(work);
  } finally {
    before();
    account.scheduler.runDue();
  }
}
