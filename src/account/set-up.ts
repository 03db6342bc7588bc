/**
 * An account that contains only its setup can start at any instant. The setup moves with the clock, so that a review
 * due in a second is still due in a second.
 */
import type { Row } from '../domain/rows.js';
import { type RowOf, tableEntries, type TableName } from '../store/account-data.js';
import type { AccountStore } from '../store/account-store.js';
import type { Table } from '../store/table.js';

/** The reason why the start cannot be moved, as the end of a sentence; null if there is only setup. */
export function beyondSetUp({ tables }: AccountStore): string | null {
  const { messages, otps, events, deliveries } = tables;
  if (messages.size > 0) return 'has messages';
  if (otps.size > 0) return 'has one-time codes';
  const other = events.find(({ type }) => type !== 'template.status');
  if (other) return `has an event of type ${other.type}`;
  const open = deliveries.find(({ state }) => state === 'pending' || state === 'retrying');
  return open ? 'has a delivery that is still being made' : null;
}

const instantFields: { readonly [Name in TableName]?: readonly (keyof RowOf<Name>)[] } = {
  templates: ['createdAtMs'],
  customers: ['lastInboundAtMs', 'windowClosesAtMs'],
  endpoints: ['createdAtMs', 'updatedAtMs', 'failingSinceMs'],
  events: ['createdAtMs'],
  deliveries: ['createdAtMs', 'nextAttemptAtMs', 'failingSinceMs'],
  attempts: ['atMs'],
  jobs: ['dueMs'],
  requests: ['atMs'],
  scenarios: ['activatedAtMs'],
  rules: ['addedAtMs'],
  ruleHits: ['atMs'],
  sinkRequests: ['atMs'],
};

/** Call it only inside a write. */
export function changeInstants({ tables }: AccountStore, name: TableName, change: (atMs: number) => number): void {
  const table = tables[name] as unknown as Table<Row>;
  const fields: readonly string[] = instantFields[name] ?? [];
  for (const row of fields.length === 0 ? [] : table.all()) {
    const values = row as unknown as Readonly<Record<string, unknown>>;
    const changed: Record<string, unknown> = {};
    for (const field of fields) {
      const value = values[field];
      if (typeof value === 'number') changed[field] = change(value);
    }
    if (name === 'templates') {
      const { history = [] } = row as RowOf<'templates'>;
      changed['history'] = history.map((entry) => ({ ...entry, atMs: change(entry.atMs) }));
    }
    table.patch(row, changed);
  }
}

/** Call it only inside a write. */
export function moveSetUp(store: AccountStore, byMs: number): void {
  const { counters, events } = store.tables;
  // The state of a rate limit is an instant; at the start, every bucket is full.
  for (const row of counters.filter(({ id }) => id.startsWith('limit/'))) counters.delete(row);
  for (const [name] of tableEntries(store.tables)) changeInstants(store, name, (atMs) => atMs + byMs);
  for (const row of events.all()) {
    events.patch(row, { data: { ...row.data, timestamp: new Date(row.createdAtMs).toISOString() } });
  }
}
