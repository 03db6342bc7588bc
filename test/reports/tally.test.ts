/** Coverage counts of an account that was loaded from disk. */
import { expect, it } from 'vitest';
import type { Message } from '../../src/domain/message.js';
import { CoverageTally } from '../../src/reports/coverage/tally.js';
import { AccountStore } from '../../src/store/tables/account-store.js';
import { memoryPersistence } from '../../src/store/disk/persistence.js';
import { emptyData, message, startMs } from '../store/samples.js';

const read = (id: string, seq: number): Message => ({
  ...message(id, seq),
  status: 'read',
  history: (['accepted', 'sent', 'delivered', 'read'] as const).map((status) => ({ status, atMs: startMs })),
});

/** Seven messages and an endpoint, stored before the counting begins. */
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
  return store;
}

const counts = (tally: CoverageTally) => ({
  read: tally.hits('message state', 'read'),
  moved: tally.hits('message move', 'delivered → read'),
  active: tally.hits('endpoint state', 'active'),
});

it('every record is counted once, stored or new', () => {
  const store = stored();
  const tally = new CoverageTally(store);
  store.update(() => store.tables.messages.insert(read('m8', store.nextSeq())));
  expect(counts(tally)).toStrictEqual({ read: 8, moved: 8, active: 1 });
  store.update(() => store.tables.messages.insert(read('m9', store.nextSeq())));
  expect(counts(tally)).toStrictEqual({ read: 9, moved: 9, active: 1 });
});

it('counts that start over leave out what was stored', () => {
  const tally = new CoverageTally(stored());
  tally.clear();
  expect(counts(tally)).toStrictEqual({ read: 0, moved: 0, active: 0 });
});
