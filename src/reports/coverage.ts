/** What a run exercised of the API, counted in the records of its accounts, as JSON, Markdown and JUnit. */
import type { Attempt } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Otp } from '../domain/otp.js';
import type { RequestRecord } from '../domain/request-record.js';
import type { AccountStore } from '../store/account-store.js';
import { coverageCatalogue, type CoverageItem, type DocumentedOperations } from './coverage-catalogue.js';
import { junitXml } from './junit.js';

export interface Coverage {
  readonly total: number;
  readonly covered: number;
  readonly items: readonly (CoverageItem & { readonly hits: number })[];
}

/** How often each item occurs in the records of an account, by `group: name`. */
export type Hits = ReadonlyMap<string, number>;

export function coverageOf(document: DocumentedOperations, accounts: readonly Hits[]): Coverage {
  const items = coverageCatalogue(document).map((item) => {
    // Every response is counted as an operation, whichever group shows it.
    const key = `${item.group === 'outcome' ? 'operation' : item.group}: ${item.name}`;
    return { ...item, hits: accounts.reduce((sum, hits) => sum + (hits.get(key) ?? 0), 0) };
  });
  return { total: items.length, covered: items.filter(({ hits }) => hits > 0).length, items };
}

export function hitsOf({ tables }: AccountStore): Hits {
  const hits = new Map<string, number>();
  const count = (group: string, name: string, times = 1): void => {
    if (times > 0) hits.set(`${group}: ${name}`, (hits.get(`${group}: ${name}`) ?? 0) + times);
  };
  for (const { origin, history } of tables.messages.all()) {
    if (origin !== 'api') continue;
    for (const [at, { status }] of history.entries()) {
      count('message state', status);
      const before = history[at - 1];
      if (before) count('message move', `${before.status} → ${status}`);
    }
  }
  for (const { status, history } of tables.templates.all()) {
    // A template that was only submitted has no history; every template was pending first.
    const states = history?.map((entry) => entry.status) ?? [status];
    for (const state of states[0] === 'pending' ? states : ['pending', ...states]) count('template state', state);
  }
  for (const endpoint of tables.endpoints.all()) countEndpoint(endpoint, count);
  for (const otp of tables.otps.all()) countOtp(otp, count);
  for (const { type } of tables.events.all()) count('event type', type);
  for (const attempt of tables.attempts.all()) countAttempt(attempt, count);
  for (const request of tables.requests.all()) countRequest(request, count);
  return hits;
}

type Count = (group: string, name: string, times?: number) => void;

/** An endpoint shows how often it was paused, and so how often it was resumed. */
function countEndpoint({ status, pauses = 0 }: Endpoint, count: Count): void {
  count('endpoint state', pauses === 0 ? status : 'active');
  count('endpoint state', 'paused', pauses);
  count('endpoint state', 'active again', status === 'active' ? pauses : pauses - 1);
}

function countOtp({ state, maxAttempts, attemptsLeft }: Otp, count: Count): void {
  count('OTP state', 'sent');
  count('OTP state', 'wrong code', maxAttempts - attemptsLeft);
  if (state !== 'active') count('OTP state', state);
}

function countAttempt({ number, step = number, status, error, trigger }: Attempt, count: Count): void {
  const gap = ['after 1 min', 'after 5 min', 'after 30 min'][step - 2] ?? 'hourly';
  if (trigger === 'schedule' && step > 1) count('retry step', gap);
  const noAnswer = error?.code === 'timeout' ? 'timeout' : 'no connection';
  count('webhook answer', status === null ? noAnswer : `${Math.floor(status / 100)}xx`);
}

function countRequest({ operation, status, error }: RequestRecord, count: Count): void {
  if (error !== undefined) count('error code', error);
  if (error === 'otp_expired') count('OTP state', 'expired');
  if (operation === null || status === null) return;
  count('operation', `${operation} ${status >= 200 && status < 300 ? '2xx' : status}`);
}

/** The share of exercised items, in per cent, rounded down: 100 means all. */
export function percent({ total, covered }: Pick<Coverage, 'total' | 'covered'>): number {
  return total === 0 ? 100 : Math.floor((covered / total) * 100);
}

interface Group {
  readonly name: string;
  readonly covered: number;
  readonly total: number;
}

export function groupsOf({ items }: Coverage): Group[] {
  return [...new Set(items.map(({ group }) => group))].map((name) => {
    const own = items.filter((item) => item.group === name);
    return { name, covered: own.filter(({ hits }) => hits > 0).length, total: own.length };
  });
}

export function coverageMarkdown(coverage: Coverage): string {
  const missing = coverage.items.filter(({ hits }) => hits === 0);
  return [
    `# API coverage: ${percent(coverage)} % (${coverage.covered} of ${coverage.total})`,
    '',
    '| Group | Exercised | Of | |',
    '|---|---|---|---|',
    ...groupsOf(coverage).map((group) => `| ${group.name} | ${group.covered} | ${group.total} | ${percent(group)} % |`),
    '',
    ...(missing.length === 0
      ? ['Everything was exercised.']
      : ['## Never exercised', '', '| | How to exercise it |', '|---|---|']),
    ...missing.map(({ group, name, hint }) => `| ${group}: ${name} | ${hint} |`),
    '',
  ].join('\n');
}

/** An item that was not exercised is skipped, not failed: the caller decides whether the share is sufficient. */
export function coverageJunit(coverage: Coverage): string {
  return junitXml(
    'contract coverage',
    coverage.items.map(({ group, name, hits, hint }) => ({
      name,
      group,
      failure: null,
      ...(hits === 0 && { skipped: `never exercised; try: ${hint}` }),
    })),
  );
}
