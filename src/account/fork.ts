/** Copies an account to a new key, so that an expensive setup is made once and each test continues from it. */
import { invalidField, ServiceError } from '../domain/errors.js';
import { byDefault } from '../domain/explain.js';
import type { AccountData } from '../store/account-data.js';
import type { SystemClock } from '../time/system-clock.js';
import type { Account } from './account.js';
import type { Accounts } from './registry.js';

/**
 * The copy has every record, pending job and random stream of the source at this instant, where its clock is frozen; it has
 * no snapshots, and attempts in flight stay with the source.
 * @throws ServiceError `validation_error`, `name_taken`, `limit_reached` or `store_unavailable`; then there is no copy
 */
export async function forkAccount(
  accounts: Accounts,
  source: Account,
  key: string,
  host: SystemClock,
): Promise<Account> {
  requireFree(accounts, key);
  accounts.requireRoom();
  const { store, clock, dispatcher } = source;
  store.requireWritable();
  const data = store.copy({
    clock: { mode: 'frozen', scale: 1, baseMs: clock.now(), anchorMs: host.now() },
    streams: store.meta.streams ?? source.key,
  });
  dropInFlight(
    data,
    Array.from(dispatcher.inFlight.jobs(), ({ id }) => id),
  );
  const fork = accounts.addCopy(key, data);
  try {
    await fork.store.answerable();
  } catch (error) {
    // A refused fork leaves no account.
    await accounts.drop(key).catch(() => undefined);
    throw error;
  }
  return fork;
}

/** An attempt in flight is made once, by the source: its delivery in the fork is dropped, with this reason. */
function dropInFlight({ tables: { jobs, deliveries } }: AccountData, ids: readonly string[]): void {
  for (const id of ids) {
    const job = jobs.get(id);
    const delivery = job && deliveries.get(job.subject);
    if (job) jobs.delete(job);
    if (delivery) deliveries.patch(delivery, { state: 'dropped', nextAttemptAtMs: null, explain: stayed });
  }
}

const stayed = byDefault('The attempt was in flight when the account was forked, and stayed with its source.');

function requireFree(accounts: Accounts, key: string): void {
  if (!accounts.accepts(key)) {
    throw invalidField('to', 'is not among the keys that this sandbox accepts; add it to --api-keys');
  }
  if (!accounts.get(key)) return;
  throw new ServiceError(
    'name_taken',
    `Account ${key} already exists. Delete it with DELETE /_sandbox/accounts/${encodeURIComponent(key)}, or fork to another key.`,
  );
}
