/** The records after a cursor, of all kinds, in the order of their creation. */
import type { Account } from '../account/account.js';
import type { Row } from '../domain/row.js';
import type { Table } from '../store/tables/table.js';
import { creation, type ChangeNotification } from './change-notification.js';
import { recordKinds, recordTables } from './records.js';

/** Returns at most `limit` creations with the lowest numbers above `cursor`. Its cost does not depend on the number stored. */
export function recordsAfter(account: Account, cursor: number, limit: number): ChangeNotification[] {
  const notifications = recordTables.flatMap((name) => {
    const kind = recordKinds.get(name);
    if (!kind) return [];
    const { items } = (account.store.tables[name] as unknown as Table<Row>).page({}, { cursor, limit });
    return items.map((row) => creation(account, name, row, kind));
  });
  return notifications.sort((a, b) => a.seq - b.seq).slice(0, limit);
}
