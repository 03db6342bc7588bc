import { gapNameBefore, gapNames, startMinuteOf } from '../domain/retry-schedule.js';
import { errorTable } from '../domain/errors.js';
import type { EventType } from '../domain/words.js';
import type { AccountStore } from '../store/account-store.js';
import { junitXml } from './junit.js';

export interface CoverageItem {
  readonly group: string;
  readonly name: string;
  readonly hint: string;
}

export interface Coverage {
  readonly total: number;
  readonly covered: number;
  readonly items: readonly (CoverageItem & { readonly hits: number })[];
}

export interface DocumentedOperations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Keys have the form `group: name`. */
export type Hits = ReadonlyMap<string, number>;

export function coverageOf(document: DocumentedOperations, accounts: readonly Hits[]): Coverage {
  const items = [...operationItems(document), ...errorItems(), ...stateItems].map((item) => {
    // Every response is counted as an operation, whichever group shows it.
    const key = `${item.group === 'outcome' ? 'operation' : item.group}: ${item.name}`;
    return { ...item, hits: accounts.reduce((sum, hits) => sum + (hits.get(key) ?? 0), 0) };
  });
  return { total: items.length, covered: items.filter(({ hits }) => hits > 0).length, items };
}

const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'message state': {
    accepted: 'any send',
    sent: 'any send',
    delivered: 'advance the clock by 300ms after a send',
    read: 'advance the clock by 1s after a send',
    failed: 'send to a number ending in 555 0120',
  },
  'template state': {
    pending: 'submit a template',
    approved: 'submit a template and advance the clock by 1s',
    rejected: 'submit a template whose name ends in _reject, or scenario template-rejected',
    paused: 'scenario template-paused-midway',
    deleted: 'POST /_sandbox/templates/{id}/status {"status":"deleted"}',
  },
  'endpoint state': {
    active: 'register a webhook',
    paused: 'scenario webhook-down-24h',
    'active again': 'register the URL of a paused webhook again',
  },
  'OTP state': {
    sent: 'POST /v1/otp/send',
    'wrong code': 'verify with a wrong code',
    verified: 'verify with the code of GET /_sandbox/otps',
    locked: 'a number ending in 555 0162 locks after one wrong code; scenario otp-trouble',
    expired: 'a number ending in 555 0161 expires after 30s; scenario otp-trouble',
  },
  'retry step': Object.fromEntries(
    gapNames.map((name, index) => [
      name,
      `a receiver that responds with 500, and advance ${startMinuteOf(index + 2)}m${name === 'hourly' ? '; scenario webhook-down-24h' : ''}`,
    ]),
  ),
  'event type': {
    'message.received': 'POST /_sandbox/inbound',
    'message.status': 'any send',
    'otp.verified': 'verify a code',
    'template.status': 'submit a template and advance the clock by 1s',
  } satisfies Record<EventType, string>,
};

const stateItems: readonly CoverageItem[] = Object.entries(states).flatMap(([group, names]) =>
  Object.entries(names).map(([name, hint]) => ({ group, name, hint })),
);

/** Statuses and codes that only a broken disk, a broken client or an error of the sandbox causes. */
const notExercised = new Set(['401', '403', '405', '408', '413', '415', '417', '431', '500', '503', 'default']);
const codesNotExercised = new Set([
  'unauthorized',
  'forbidden',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'limit_reached',
  'headers_too_large',
]);

function operationItems({ paths }: DocumentedOperations): CoverageItem[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return operations.flatMap((operation) => {
    const { operationId, responses } = operation as { operationId?: string; responses?: Record<string, unknown> };
    if (operationId === undefined || responses === undefined) return [];
    const rejections = Object.keys(responses).filter((status) => !notExercised.has(status) && !status.startsWith('2'));
    return [
      // A creation responds with 200 or 201, depending on the dialect.
      { group: 'operation', name: `${operationId} 2xx`, hint: 'call it' },
      ...rejections.map((status) => ({ group: 'outcome', name: `${operationId} ${status}`, hint: hintOf(status) })),
    ];
  });
}

function hintOf(status: string): string {
  if (status === '429') return 'X-Sandbox-Prefer: status=429, or scenario rate-limited';
  return `send an invalid request, or set X-Sandbox-Prefer: status=${status}`;
}

function errorItems(): CoverageItem[] {
  return Object.entries(errorTable)
    .filter(([code, { plane }]) => plane !== 'control' && !codesNotExercised.has(code))
    .map(([name, { title }]) => ({
      group: 'error code',
      name,
      hint: `${title} Or X-Sandbox-Prefer: code=${name}`,
    }));
}

export function hitsOf({ tables }: AccountStore): Hits {
  const hits = new Map<string, number>();
  const count = (group: string, name: string, times = 1): void => {
    if (times > 0) hits.set(`${group}: ${name}`, (hits.get(`${group}: ${name}`) ?? 0) + times);
  };
  for (const { origin, history } of tables.messages.all()) {
    if (origin === 'api') for (const { status } of history) count('message state', status);
  }
  for (const { status, history } of tables.templates.all()) {
    // A template that was only submitted has no history; every template was pending first.
    const moves = history?.map((entry) => entry.status) ?? [status];
    for (const state of moves[0] === 'pending' ? moves : ['pending', ...moves]) count('template state', state);
  }
  for (const { status, pauses = 0 } of tables.endpoints.all()) {
    count('endpoint state', pauses === 0 ? status : 'active');
    count('endpoint state', 'paused', pauses);
    // How often it was paused says how often it was resumed.
    count('endpoint state', 'active again', status === 'active' ? pauses : pauses - 1);
  }
  for (const { state, maxAttempts, attemptsLeft } of tables.otps.all()) {
    count('OTP state', 'sent');
    count('OTP state', 'wrong code', maxAttempts - attemptsLeft);
    if (state !== 'active') count('OTP state', state);
  }
  for (const { type } of tables.events.all()) count('event type', type);
  for (const { number, step = number, trigger } of tables.attempts.all()) {
    if (trigger === 'schedule' && step > 1) count('retry step', gapNameBefore(step));
  }
  for (const { operation, status, error } of tables.requests.all()) {
    if (error !== undefined) count('error code', error);
    if (error === 'otp_expired') count('OTP state', 'expired');
    if (operation === null || status === null) continue;
    count('operation', `${operation} ${status >= 200 && status < 300 ? '2xx' : status}`);
  }
  return hits;
}

/** Rounded down: 100 means all. */
export function percent({ total, covered }: Pick<Coverage, 'total' | 'covered'>): number {
  return total === 0 ? 100 : Math.floor((covered / total) * 100);
}

export function groupsOf({ items }: Coverage) {
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

export function coverageJunit({ items }: Coverage): string {
  const cases = items.map(({ group, name, hits, hint }) => ({
    name,
    group,
    failure: null,
    ...(hits === 0 && { skipped: `never exercised; try: ${hint}` }),
  }));
  return junitXml([{ name: 'contract coverage', cases }]);
}
