/** Counts of an account that came from a disk, where older messages are at rest (contract §4, coverage; §7). */
import { expect, it } from 'vitest';
import type { Message } from '../../src/domain/message.js';
import { CoverageTally } from '../../src/reports/coverage/tally.js';
import { AccountStore } from '../../src/store/tables/account-store.js';
import { memoryPersistence } from '../../src/store/disk/persistence.js';
import { Settled } from '../../src/store/tables/settled.js';
import { emptyData, message, startMs } from '../store/samples.js';

const read = (id: string, seq: number): Message => ({
  ...message(id, seq),
  status: 'read',
  history: (['accepted', 'sent', 'delivered', 'read'] as const).map((status) => ({ status, atMs: startMs })),
});

/** Seven messages, the older ones at rest, and an endpoint, as a start finds them. */
function stored(): AccountStore {
  const store = new AccountStore(emptyData(), memoryPersistence());
  store.update(() => {
    for (let n = 1; n <= 7; n += 1) store.tables.messages.insert(read(`m${n}`, store.nextSeq()));
    store.tables.endpoints.insert({
      id: 'w1',
      seq: store.nextSeq(),
      url: 'https://sink.sandbox/app',
      events: ['message.status'],
      secret: 'whsec_1',
      status: 'active',
      pauseReason: null,
      createdAtMs: startMs,
      updatedAtMs: startMs,
      failingSinceMs: null,
    });
  });
  const entries = [...store.tables.messages.entries()];
  expect(entries.filter((entry) => entry instanceof Settled)).toHaveLength(5);
  return store;
}

const counts = (tally: CoverageTally) => ({
  read: tally.hits('message state', 'read'),
  moved: tally.hits('message move', 'delivered → read'),
  active: tally.hits('endpoint state', 'active'),
});

it('every record is counted once: those at rest, those beside them, and those that come before anybody asks', () => {
  const store = stored();
  const tally = new CoverageTally(store, {});
  store.update(() => store.tables.messages.insert(read('m8', store.nextSeq())));
  expect(counts(tally)).toStrictEqual({ read: 8, moved: 8, active: 1 });
  store.update(() => store.tables.messages.insert(read('m9', store.nextSeq())));
  expect(counts(tally)).toStrictEqual({ read: 9, moved: 9, active: 1 });
});

it('counts that start over leave out what was at rest, though nobody had asked for it', () => {
  const tally = new CoverageTally(stored(), {});
  tally.clear();
  expect(counts(tally)).toStrictEqual({ read: 0, moved: 0, active: 0 });
});
