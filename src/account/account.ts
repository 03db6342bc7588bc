/** An isolated account: everything that belongs to one API key. `accounts/build.ts` creates it. */
import type { Dialect } from '../dialect/index.js';
import type { EventLog } from '../webhooks/event-log.js';
import type { Ids } from '../random/ids.js';
import type { MakeUp } from '../random/fake-data.js';
import type { CoverageTally } from '../reports/coverage/tally.js';
import type { AccountScript } from '../scenario/runtime/account-script.js';
import type { AccountStore } from '../store/tables/account-store.js';
import type { AccountClock } from '../time/account-clock.js';
import type { Scheduler } from '../time/scheduler.js';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.js';

export interface Account {
  readonly key: string;
  readonly store: AccountStore;
  readonly clock: AccountClock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly makeUp: MakeUp;
  readonly events: EventLog;
  readonly dispatcher: Dispatcher;
  readonly dialect: Dialect;
  /** What rules, magic numbers and defaults decide. */
  readonly script: AccountScript;
  /** What of the contract this account has exercised. */
  readonly coverage: CoverageTally;
  /** Most entries the journal of API-plane calls keeps. */
  readonly maxJournal: number;
}

/**
 * Runs a call on the account: what was due before it has happened, what it changes is one write, and what it makes due
 * now has run when it returns. Account time stands still meanwhile.
 */
export function perform<T>(account: Account, work: () => T): T {
  account.scheduler.runDue();
  const before = account.clock.freezeForCall();
  try {
    return account.store.update(work);
  } finally {
    before();
    account.scheduler.runDue();
  }
}
