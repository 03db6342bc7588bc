/** The records behind a cursor, of all kinds, in the order of their creation: what the lists would show after it. */
import type { Account } from '../account/account.js';
import type { Row } from '../domain/row.js';
import type { Table } from '../store/tables/table.js';
import { creation, type Note } from './change-notification.js';
import { recordKinds, recordTables } from './records.js';

/** At most `limit` creations, those with the lowest numbers above `cursor`. Costs the same whatever is stored. */
export function recordsAfter(account: Account, cursor: number, limit: number): Note[] {
  const notes = recordTables.flatMap((name) => {
    const kind = recordKinds.get(name);
    if (!kind) return [];
    const { items } = (account.store.tables[name] as unknown as Table<Row>).page({}, { cursor, limit });
    return items.map((row) => creation(account, name, row, kind));
  });
  return notes.sort((a, b) => a.seq - b.seq).slice(0, limit);
}
