/** The counts of rules, kept in the account's store so that a restart or a snapshot goes on where it stopped. */
import type { Counters } from '../engine/rules.js';
import type { AccountStore } from '../../store/tables/account-store.js';

export function storeCounters(store: AccountStore): Counters {
  const { counters } = store.tables;
  return {
    get: (key) => counters.get(key)?.value ?? 0,
    increment: (key) => {
      const known = counters.get(key);
      if (!known) return counters.insert({ id: key, seq: store.nextSeq(), value: 1 }).value;
      return counters.patch(known, { value: known.value + 1 }).value;
    },
  };
}
