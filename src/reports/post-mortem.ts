/** The last calls of a failed command, and the deliveries that its receiver did not accept. */
import { counted, printableLine } from '../domain/text.js';
import { bodyOf } from '../domain/request.js';
import type { Delivery, RequestRecord } from '../domain/rows.js';
import type { Tables } from '../store/account-data.js';
import type { AccountStore } from '../store/account-store.js';

const MOST_CALLS = 8;
const MOST_DELIVERIES = 5;

/** Read at the end of an account, since the tests of a suite delete their accounts. */
export interface Trace {
  readonly account: string;
  readonly made: number;
  readonly calls: readonly RequestRecord[];
  readonly failedDeliveries: readonly string[];
}

export function traceOf(account: string, { tables }: AccountStore): Trace {
  const failed = [...tables.deliveries.all()].filter(
    ({ id, state, attemptCount }) =>
      attemptCount > 0 && state !== 'delivered' && state !== 'dropped' && lastAttempt(tables, id)?.faults === undefined,
  );
  return {
    account,
    made: tables.requests.size,
    calls: [...tables.requests.all()].slice(-MOST_CALLS),
    failedDeliveries: failed.map((delivery) => deliveryLine(tables, delivery)),
  };
}

/** `more` names what keeps all of it, as the end of a sentence. */
export function postMortem(traces: readonly Trace[], more: string): string[] {
  const made = traces.reduce((sum, trace) => sum + trace.made, 0);
  const last = traces
    .flatMap(({ account, calls }) => calls.map((call) => ({ account, call })))
    .sort((a, b) => (a.call.realMs ?? a.call.atMs) - (b.call.realMs ?? b.call.atMs))
    .slice(-MOST_CALLS);
  const isOne = new Set(last.map(({ account }) => account)).size === 1;
  const failed = traces.flatMap(({ failedDeliveries }) => failedDeliveries);
  if (made === 0) return ['The command made no API call. It finds the sandbox in MESSAGING_BASE_URL.'];
  return [
    `The last ${counted(last.length, 'call')} of ${made}${more}:`,
    ...last.map(({ account, call }) => callLine(call, isOne ? '' : account)),
    ...(failed.length === 0
      ? []
      : [`${counted(failed.length, 'failed delivery')}:`, ...failed.slice(0, MOST_DELIVERIES)]),
  ];
}

function lastAttempt({ attempts }: Tables, deliveryId: string) {
  return [...attempts.list('delivery', deliveryId)].at(-1);
}

function callLine({ method, path, status, response }: RequestRecord, account: string): string {
  const { error } = (bodyOf(response) ?? {}) as { error?: { code?: string; message?: string } };
  const why = error === undefined ? '' : ` ${error.code ?? ''}: ${error.message ?? ''}`;
  const whose = account === '' ? '' : `${account}  `;
  return printableLine(`  ${whose}${status ?? 'no response'}  ${method} ${path}${why}`).slice(0, 200);
}

function deliveryLine(tables: Tables, { id, eventType, url, attemptCount }: Delivery): string {
  const last = lastAttempt(tables, id);
  const found = last?.status ?? last?.error?.message ?? 'no response';
  return printableLine(`  ${eventType} → ${url}: ${found} (${counted(attemptCount, 'attempt')})`).slice(0, 240);
}
