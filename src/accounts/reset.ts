import type { Job } from '../domain/rows.js';
import { activeId, type JobKind } from '../domain/words.js';
import { beginWith } from '../stage/activate.js';
import type { StartingScenario } from '../stage/starting-scenario.js';
import { tableEntries, type TableName } from '../store/account-data.js';
import type { AccountStore } from '../store/account-store.js';
import type { ClockState } from '../time/account-clock.js';
import type { Account } from '../account/account.js';
import { changeInstants } from '../account/set-up.js';

export type KeptPart = 'templates' | 'webhooks' | 'clock' | 'scenario';

const tablesOf: Readonly<Partial<Record<KeptPart, TableName>>> = { templates: 'templates', webhooks: 'endpoints' };

export interface Reset {
  readonly keep: readonly KeptPart[];
  /** The random streams begin anew. Otherwise they continue, so that no id is given twice. */
  readonly restartsIds: boolean;
  readonly clock: ClockState;
  /** The call sets the clock, which then overrides the scenario's clock. */
  readonly clockNamed: boolean;
  readonly scenario: Pick<StartingScenario, 'scenario' | 'text' | 'rules'> | null;
}

/** No instant of a kept record lies in the future, and the review of a kept template still happens. */
export function resetAccount(account: Account, { keep, restartsIds, clock: fresh, clockNamed, scenario }: Reset): void {
  const { store, scheduler, clock } = account;
  const active = keep.includes('scenario') ? account.script.scenario : null;
  const text = store.tables.scenarios.get(activeId)?.text ?? null;
  const keptTables = keep.flatMap((part) => tablesOf[part] ?? []);
  account.generation.end('reset');
  const wasMs = clock.now();
  store.update(() => {
    const planned = keep.includes('templates') ? templateJobs(store) : [];
    for (const [name, table] of tableEntries(store.tables)) {
      if (!keptTables.includes(name)) table.clear();
    }
    for (const endpoint of store.tables.endpoints.all()) {
      if (endpoint.failingSinceMs !== null) store.tables.endpoints.patch(endpoint, { failingSinceMs: null });
    }
    if (restartsIds) store.setDraws({});
    if (!keep.includes('clock')) {
      store.setClock(clock.set(fresh.mode, fresh.scale, fresh.baseMs, fresh));
      for (const name of keptTables) changeInstants(store, name, (atMs) => Math.min(atMs, fresh.baseMs));
    }
    reschedule(store, planned, wasMs, keep.includes('clock') ? wasMs : fresh.baseMs);
  });
  account.script.reload();
  scheduler.reload();
  const first = active ? { ...scenario, scenario: active, text } : (scenario ?? { scenario: null, text: null });
  beginWith(account, first, { keepClock: clockNamed || keep.includes('clock') });
}

/**
 * Jobs of templates, not of records that a reset deletes: without them, a pending template would stay pending forever.
 */
const ofTemplates: ReadonlySet<JobKind> = new Set(['template.review']);

function templateJobs({ tables }: AccountStore): Job[] {
  return [...tables.jobs.all()].filter(({ kind }) => ofTemplates.has(kind));
}

/** Each review happens after the time that was left for it. */
function reschedule({ tables }: AccountStore, jobs: readonly Job[], wasMs: number, nowMs: number): void {
  for (const job of jobs) tables.jobs.insert({ ...job, dueMs: job.dueMs - wasMs + nowMs });
}
