/**
 * An account that contains only its setup can start at any instant. The setup moves with the clock, so that a review
 * due in a second is still due in a second.
 */
import type { Account } from './account.js';
import { FreshEvent, dataOf } from '../domain/event.js';
import type { AccountStore } from '../store/tables/account-store.js';

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

/** Moves every instant of the setup by `byMs`. Call it only inside a write. */
export function shiftSetUp({ tables }: AccountStore, byMs: number): void {
  const shifted = <T extends number | null | undefined>(atMs: T) =>
    (typeof atMs === 'number' ? atMs + byMs : atMs) as T;
  for (const row of [...tables.templates.all()]) {
    const history = row.history?.map((entry) => ({ ...entry, atMs: shifted(entry.atMs) }));
    tables.templates.patch(row, { createdAtMs: shifted(row.createdAtMs), ...(history && { history }) });
  }
  for (const row of [...tables.customers.all()]) {
    tables.customers.patch(row, {
      lastInboundAtMs: shifted(row.lastInboundAtMs),
      windowClosesAtMs: shifted(row.windowClosesAtMs),
    });
  }
  for (const row of [...tables.endpoints.all()]) {
    tables.endpoints.patch(row, {
      createdAtMs: shifted(row.createdAtMs),
      updatedAtMs: shifted(row.updatedAtMs),
      failingSinceMs: shifted(row.failingSinceMs),
    });
  }
  for (const row of [...tables.jobs.all()]) tables.jobs.patch(row, { dueMs: shifted(row.dueMs) });
  for (const row of [...tables.scenarios.all()]) {
    tables.scenarios.patch(row, { activatedAtMs: shifted(row.activatedAtMs) });
  }
  for (const row of [...tables.rules.all()]) {
    if (row.addedAtMs !== undefined) tables.rules.patch(row, { addedAtMs: shifted(row.addedAtMs) });
  }
  for (const row of [...tables.ruleHits.all()]) tables.ruleHits.patch(row, { atMs: shifted(row.atMs) });
  // The state of a rate limit is an instant; at the start, every bucket is full.
  for (const row of [...tables.counters.all()]) if (row.id.startsWith('limit/')) tables.counters.delete(row);
  shiftRecords(tables, shifted);
}

/** Shifts the events and deliveries of template approvals. */
function shiftRecords(tables: AccountStore['tables'], shifted: (atMs: number) => number): void {
  for (const row of [...tables.events.all()]) {
    const { id, seq, type, subject } = row;
    const atMs = shifted(row.createdAtMs);
    const data = { ...dataOf(row), timestamp: new Date(atMs).toISOString() };
    tables.events.delete(row);
    tables.events.insert(new FreshEvent(id, seq, type, atMs, data, subject));
  }
  for (const row of [...tables.deliveries.all()]) {
    tables.deliveries.patch(row, { createdAtMs: shifted(row.createdAtMs) });
  }
  for (const row of [...tables.attempts.all()]) tables.attempts.patch(row, { atMs: shifted(row.atMs) });
  for (const row of [...tables.requests.all()]) tables.requests.patch(row, { atMs: shifted(row.atMs) });
  for (const row of [...tables.sinkRequests.all()]) tables.sinkRequests.patch(row, { atMs: shifted(row.atMs) });
}
