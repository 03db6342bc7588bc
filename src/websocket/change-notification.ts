/** The notifications of a write: one for each changed record, in the order of the account's sequence. */
import type { Account } from '../account/account.js';
import { isoTime } from '../domain/instant.js';
import type { Row } from '../domain/row.js';
import type { Change } from '../store/tables/table.js';
import type { Frame } from './frame.js';
import { recordKinds, type RecordKind } from './records.js';

export interface ChangeNotification {
  /** Identifies the record; a later notification with the same key replaces an earlier one. */
  readonly key: string;
  readonly kind: string;
  /** The record's own number for a creation; for other changes, the latest number that the write had reached. */
  readonly seq: number;
  readonly how: 'created' | 'updated' | 'deleted';
  /** The record's own number; null for anything else, such as the clock. */
  readonly rowSeq: number | null;
  /** Account time of the change. */
  readonly atMs: number;
  /** Returns the record in its state at the time of the call. */
  readonly data: () => object;
}

export function frameOf(notification: ChangeNotification, seq = notification.seq): Frame {
  return { seq, at: isoTime(notification.atMs), kind: notification.kind, data: notification.data() };
}

/** @param before the account's latest number before the write */
export function notificationsOf(account: Account, changes: readonly Change[], before: number): ChangeNotification[] {
  const notifications = new Map<string, ChangeNotification>();
  // Every write advances the sequence, so this number belongs to this write alone.
  let seq = before + 1;
  for (const change of changes) {
    if (change.op === 'insert') seq = Math.max(seq, change.row.seq);
    const kind = recordKinds.get(change.table);
    if (!kind) continue;
    if (change.op === 'clear') {
      for (const key of notifications.keys()) if (key.startsWith(`${change.table}/`)) notifications.delete(key);
      continue;
    }
    const key = `${change.table}/${change.row.id}`;
    const earlier = notifications.get(key);
    const notification = notificationOf({ account, change, kind, key, seq, earlier });
    if (notification === earlier) continue;
    notifications.delete(key);
    if (notification) notifications.set(key, notification);
  }
  // A client that disconnects in between must be able to resume without missing a creation.
  return [...notifications.values()].sort((a, b) => a.seq - b.seq || creationsFirst(a) - creationsFirst(b));
}

function creationsFirst({ how }: ChangeNotification): number {
  return how === 'created' ? 0 : 1;
}

interface Step {
  readonly account: Account;
  readonly change: Exclude<Change, { op: 'clear' }>;
  readonly kind: RecordKind;
  readonly key: string;
  readonly seq: number;
  /** The notification of an earlier change of the same record in the same write. */
  readonly earlier: ChangeNotification | undefined;
}

/** Returns undefined if there is nothing to report. */
function notificationOf({ account, change, kind, key, seq, earlier }: Step): ChangeNotification | undefined {
  const { row } = change;
  const base = { key, seq, atMs: account.clock.now(), rowSeq: row.seq, data: () => kind.show(row, account) };
  switch (change.op) {
    case 'insert':
      return creation(account, change.table, row, kind);
    case 'patch': {
      if (earlier?.how === 'created') return earlier;
      const updated = kind.updated(change.patch);
      if (updated === null) return earlier;
      // A change of state is more important than a change of any other field.
      const told = earlier && updated.endsWith('.updated') ? earlier.kind : updated;
      return { ...base, kind: told, how: 'updated' };
    }
    case 'delete':
      if (kind.deleted === null || earlier?.how === 'created') return undefined;
      return { ...base, kind: kind.deleted, how: 'deleted' };
  }
}

export function creation(account: Account, table: string, row: Row, kind: RecordKind): ChangeNotification {
  const { createdAtMs, atMs = createdAtMs ?? account.clock.now() } = row as Row & {
    createdAtMs?: number;
    atMs?: number;
  };
  return {
    atMs,
    key: `${table}/${row.id}`,
    kind: kind.created,
    seq: row.seq,
    how: 'created',
    rowSeq: row.seq,
    data: () => kind.show(row, account),
  };
}
