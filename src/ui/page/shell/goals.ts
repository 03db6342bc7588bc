/** Useful targets for the clock: from the future jobs, and from the open record. */
import type { AccountModel } from '../core/model.js';
import type { Job } from '../core/records.js';
import type { Route } from '../core/route.js';

interface Goal {
  readonly words: string;
  readonly atMs: number;
}

/** @param nowMs account time; only later instants are goals */
export function goalsOf(
  account: Pick<AccountModel, 'customers' | 'otps'>,
  route: Route,
  jobs: readonly Job[],
  nowMs: number,
): Goal[] {
  const first = (fits: (job: Job) => boolean) => Math.min(...jobs.filter(fits).map(dueMs));
  const last = (fits: (job: Job) => boolean) => Math.max(...jobs.filter(fits).map(dueMs));
  const goals: Goal[] = [
    { words: 'To the next retry', atMs: first(({ job, attempt = 1 }) => job === 'delivery.attempt' && attempt > 1) },
    { words: 'To the next step of the scenario', atMs: first(({ job }) => job === 'scenario.step') },
    { words: 'To the end of the scenario', atMs: last(({ job }) => job.startsWith('scenario.')) },
    { words: 'To the pause of an endpoint', atMs: first(({ job }) => job === 'endpoint.pause') },
    ...openOf(account, route),
  ];
  return goals.filter(({ atMs }) => Number.isFinite(atMs) && atMs > nowMs).sort((a, b) => a.atMs - b.atMs);
}

function dueMs({ due }: Job): number {
  return Date.parse(due);
}

/** The window of the open conversation, the expiry of the open code. */
function openOf({ customers, otps }: Pick<AccountModel, 'customers' | 'otps'>, { panel, path: [id] }: Route): Goal[] {
  if (panel === 'handset' && id !== undefined) {
    const closesAt = customers.get(id)?.window.closes_at;
    return typeof closesAt === 'string' ? [{ words: 'To the end of this window', atMs: Date.parse(closesAt) }] : [];
  }
  if (panel === 'codes') {
    const otp = id === undefined ? otps.rows.at(-1) : otps.get(id);
    return otp?.state === 'active' ? [{ words: 'To the expiry of this code', atMs: Date.parse(otp.expires_at) }] : [];
  }
  return [];
}
