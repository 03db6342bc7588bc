/** Copies an account to a new key, so that an expensive setup is made once and each test continues from it. */
import { invalidField, ServiceError } from '../domain/errors.js';
import type { SystemClock } from '../time/system-clock.js';
import { turnOfOthers } from '../time/turns.js';
import type { Account } from '../account/account.js';
import type { Accounts } from './registry.js';

/**
 * The copy has every record, pending job and random stream of the source at this instant, where its clock is frozen; it has
 * no snapshots. It is made in slices, so that other calls wait for no more than one of them.
 * @throws ServiceError `validation_error`, `name_taken` or `limit_reached`; then there is no copy
 */
export async function forkAccount(
  accounts: Accounts,
  source: Account,
  key: string,
  host: SystemClock,
): Promise<Account> {
  requireFree(accounts, key);
  const { store, clock } = source;
  accounts.requireRoom();
  const reserved = accounts.reserve();
  reserved.set(store.weight);
  const nowMs = clock.now();
  const capture = store.capture();
  try {
    const copying = capture.copy({
      clock: { mode: 'frozen', scale: 1, baseMs: nowMs, anchorMs: host.now() },
      streams: store.meta.streams ?? source.key,
    });
    let slice = copying.next();
    for (; slice.done !== true; slice = copying.next()) await turnOfOthers(host);
    // Another call may have created an account with this key in the meantime.
    requireFree(accounts, key);
    return accounts.adopt(key, slice.value, source);
  } finally {
    capture.release();
    reserved.release();
  }
}

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
