/**
 * An account that contains only its setup can start at any instant. The setup moves with the clock, so that a review
 * due in a second is still due in a second.
 */
import type { Account } from './account.js';
import { tableEntries } from '../store/account-data.js';
import type { AccountStore } from '../store/account-store.js';

/** The reason why the start cannot be moved, as the end of a sentence; null if there is only setup. */
export function beyondSetUp({ store }: Account): string | null {
  const { messages, otps, events, deliveries } = store.tables;
  if (messages.size > 0) return 'has messages';
  if (otps.size > 0) return 'has one-time codes';
  const other = [...events.all()].find(({ type }) => type !== 'template.status');
  if (other) return `has an event of type ${other.type}`;
  const open = [...deliveries.all()].some(({ state }) => state === 'pending' || state === 'retrying');
  return open ? 'has a delivery that is still being made' : null;
}

/** The fields of records that are instants. */
const instantName = /^(?:at|due)Ms$|(?:At|Since)Ms$/;

/** Returns the instants of a record and of its history, changed. */
export function changedInstants(row: object, change: (atMs: number) => number): object {
  const changed = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'history')
      return [[name, (value as object[]).map((entry) => ({ ...entry, ...changedInstants(entry, change) }))]];
    return typeof value === 'number' && instantName.test(name) ? [[name, change(value)]] : [];
  });
  return Object.fromEntries(changed);
}

/** Moves every instant of the setup by `byMs`. Call it only inside a write. */
export function moveSetUp({ tables }: AccountStore, byMs: number): void {
  const shifted = (atMs: number): number => atMs + byMs;
  // The state of a rate limit is an instant; at the start, every bucket is full.
  for (const row of [...tables.counters.all()]) if (row.id.startsWith('limit/')) tables.counters.delete(row);
  for (const row of [...tables.events.all()]) {
    const { id, seq, type, subject } = row;
    const atMs = shifted(row.createdAtMs);
    const data = { ...row.data, timestamp: new Date(atMs).toISOString() };
    tables.events.delete(row);
    tables.events.insert({ id, seq, type, createdAtMs: atMs, data, subject });
  }
  for (const [name, table] of tableEntries(tables)) {
    if (name === 'events') continue;
    for (const row of [...table.all()]) {
      const changed = changedInstants(row, shifted);
      if (Object.keys(changed).length > 0) table.patch(row, changed);
    }
  }
}
