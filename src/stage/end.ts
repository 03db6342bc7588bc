import type { Account } from '../account/account.js';
import type { Job } from '../domain/rows.js';
import { counted } from '../domain/text.js';
import type { JobKind } from '../domain/words.js';
import { parseOffset } from '../language/durations.js';
import { formatDuration, parseDuration } from '../time/duration.js';
import { isProgress } from '../time/jobs.js';
import { scenarioEndMs } from './verdict.js';

/** Retries are waited for this long after the last planned instant, in account milliseconds. */
const lastRetryMs = 3_600_000;

export interface PlayEnd {
  readonly atMs: number;
  readonly because: string;
  readonly stillDue: readonly JobKind[];
  /** Machine milliseconds for which the application was idle; null without an application. */
  readonly idleMs: number | null;
}

interface End {
  readonly isReached: boolean;
  readonly nextMs: number;
  readonly plannedMs: number;
  readonly atMs: number;
  /** True if it is a time that the scenario names: then a busy application does not delay it. */
  readonly isFixed: boolean;
  readonly because: string;
}

/** Deadlines are no reason to wait, and neither are the hourly retries to a receiver that is down. */
export function endOf(account: Account): End {
  const { store, clock, script } = account;
  const startMs = script.activatedAtMs ?? 0;
  const plannedMs = Math.max(scenarioEndMs(account) ?? 0, startMs);
  const isAwaited = ({ kind, dueMs }: Job): boolean =>
    isProgress({ kind }) ||
    kind === 'scenario.step' ||
    kind === 'scenario.judge' ||
    (kind === 'delivery.attempt' && dueMs <= plannedMs + lastRetryMs);
  let nextMs = Infinity;
  for (const job of store.tables.jobs.all()) if (isAwaited(job)) nextMs = Math.min(nextMs, job.dueMs);
  const ends = script.scenario?.ends;
  if (ends === undefined) {
    const atMs = Math.max(plannedMs, clock.now());
    return { isReached: nextMs === Infinity, nextMs, plannedMs, atMs, isFixed: false, because: 'nothing was due' };
  }
  const [atMs, because] =
    typeof ends === 'string'
      ? [startMs + parseOffset(ends), `ends: ${ends}`]
      : [Math.max(plannedMs, latestMs(account)) + parseDuration(ends.quiet), `nothing happened for ${ends.quiet}`];
  return { isReached: nextMs > atMs, nextMs, plannedMs, atMs, isFixed: typeof ends === 'string', because };
}

function latestMs({ store: { tables } }: Account): number {
  const times = [
    ...[...tables.requests.all(), ...tables.attempts.all()].map(({ atMs }) => atMs),
    ...[...tables.events.all()].map(({ createdAtMs }) => createdAtMs),
  ];
  return times.reduce((latest, atMs) => Math.max(latest, atMs), 0);
}

export function playEnd({ store, script }: Account, endMs: number, because: string, idleMs: number | null): PlayEnd {
  const stillDue = [...store.tables.jobs.all()].map(({ kind }) => kind);
  return { atMs: endMs - (script.activatedAtMs ?? 0), because, stillDue, idleMs };
}

const jobWords: Readonly<Partial<Record<JobKind, string>>> = {
  'message.status': 'status report',
  'template.review': 'review',
  'customer.writes': 'message of a customer',
  'delivery.attempt': 'delivery attempt',
  'scenario.step': 'timeline step',
  'scenario.judge': 'check',
};

export interface SaidEnd {
  readonly at: string;
  readonly because: string;
  readonly still_due: readonly string[];
  /** Machine milliseconds for which the application was idle; null without an application. */
  readonly idle_real_ms: number | null;
}

export function sayEnd(end: PlayEnd): SaidEnd {
  return { at: placeOf(end), because: end.because, still_due: stillDueIn(end), idle_real_ms: end.idleMs };
}

function stillDueIn({ stillDue }: PlayEnd): string[] {
  const words = stillDue.flatMap((kind) => jobWords[kind] ?? []);
  return [...new Set(words)].map((word) => counted(words.filter((one) => one === word).length, word));
}

/** Whole seconds, so that calls that take some milliseconds more or less do not change a report. */
function placeOf({ atMs }: PlayEnd): string {
  return `+${formatDuration(Math.floor(atMs / 1000) * 1000)}`;
}
