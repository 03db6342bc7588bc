/**
 * What a reset keeps belongs to a time that may not have come yet: its instants are brought back to the account's present,
 * and the reviews of templates are planned again. Only inside a write.
 */
import type { Job, JobKind } from '../domain/job.js';
import type { AccountStore } from '../store/tables/account-store.js';

/** Jobs that belong to templates, not to records that a reset deletes: without them a pending template would stay pending forever. */
const ofTemplates: ReadonlySet<JobKind> = new Set(['template.review', 'template.move']);

/** The jobs to take over, before the others go. */
export function templateJobs({ tables }: AccountStore): Job[] {
  return [...tables.jobs.all()].filter(({ kind }) => ofTemplates.has(kind));
}

/** The same verdicts after the time that was left for each; where the clock stays, at the same instants. */
export function planAgain({ tables }: AccountStore, jobs: readonly Job[], wasMs: number, nowMs: number): void {
  for (const job of jobs) tables.jobs.insert({ ...job, dueMs: job.dueMs - wasMs + nowMs });
}

/** Nothing was made later than now. */
export function bringBack({ tables }: AccountStore, nowMs: number): void {
  const past = (atMs: number) => Math.min(atMs, nowMs);
  for (const row of [...tables.templates.all()]) {
    const history = row.history?.map((entry) => ({ ...entry, atMs: past(entry.atMs) }));
    tables.templates.patch(row, { createdAtMs: past(row.createdAtMs), ...(history && { history }) });
  }
  for (const row of [...tables.endpoints.all()]) {
    tables.endpoints.patch(row, { createdAtMs: past(row.createdAtMs), updatedAtMs: past(row.updatedAtMs) });
  }
}
