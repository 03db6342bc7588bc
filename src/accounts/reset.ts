/**
 * Starting over: state dropped, jobs cancelled, attempts in flight forgotten (contract §4, reset).
 */
import { activeId } from '../scenario/runtime/account-script.js';
import { activateScenario, beginWith } from '../scenario/runtime/activate.js';
import type { BornScenario } from '../scenario/runtime/starting-scenario.js';
import { tableEntries, type TableName } from '../store/tables/account-data.js';
import type { ClockState } from '../time/account-clock.js';
import type { Account } from '../account/account.js';
import { bringBack, planAgain, templateJobs } from './clamp-timestamps.js';

export type KeptPart = 'templates' | 'webhooks' | 'clock' | 'scenario';

const tablesOf: Readonly<Partial<Record<KeptPart, TableName>>> = { templates: 'templates', webhooks: 'endpoints' };

/**
 * What an account starts with comes back: the scenario it was born with, or, when `scenario` is kept, the active one from
 * its beginning, with what it gives.
 *
 * What is kept lies in the past: no review of a kept template is lost, and none of its instants lies ahead.
 *
 * Random streams start over as well, so that a test after a reset sees the same ids as the first one did; what is kept
 * keeps its ids, and then the streams go on, or an id would come twice.
 */
export function resetAccount(
  account: Account,
  keep: readonly KeptPart[],
  freshClock: ClockState,
  born: BornScenario | null,
): void {
  const { store, scheduler, dispatcher, clock } = account;
  const active = keep.includes('scenario') ? account.script.scenario : null;
  const text = store.tables.scenarios.get(activeId)?.text ?? null;
  const kept = new Set(keep.map((part) => tablesOf[part]));
  scheduler.interrupt();
  dispatcher.forget();
  const wasMs = clock.now();
  store.update(() => {
    const planned = keep.includes('templates') ? templateJobs(store) : [];
    for (const [name, table] of tableEntries(store.tables)) {
      if (!kept.has(name)) table.clear();
    }
    for (const endpoint of store.tables.endpoints.all()) {
      // A run of failures belongs to deliveries that are gone.
      if (endpoint.failingSinceMs !== null) store.tables.endpoints.patch(endpoint, { failingSinceMs: null });
    }
    if (kept.size === 0 || [...kept].every((name) => name === undefined)) store.setDraws({});
    if (!keep.includes('clock')) {
      store.setClock(clock.set(freshClock.mode, freshClock.scale, freshClock.baseMs));
      bringBack(store, freshClock.baseMs);
    }
    planAgain(store, planned, wasMs, keep.includes('clock') ? wasMs : freshClock.baseMs);
  });
  account.coverage.clear();
  account.script.reload();
  scheduler.reload();
  const first = active ? { scenario: active, text } : (born ?? { scenario: null, text: null });
  if (!keep.includes('clock')) beginWith(account, first);
  else if (first.scenario) activateScenario(account, first.scenario, first.text);
}
