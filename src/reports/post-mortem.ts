/** What the sandbox saw of a command that failed: its last calls, and the deliveries that its receiver did not accept. */
import { counted } from '../domain/in-words.js';
import { printableLine } from '../domain/printable.js';
import { bodyOf, type RequestRecord } from '../domain/request-record.js';
import type { Delivery } from '../domain/delivery.js';
import type { AccountStore } from '../store/account-store.js';

/** Enough to see what the test did last. */
const MOST_CALLS = 8;
const MOST_DELIVERIES = 5;

/** @param more what keeps all of it, as the end of a sentence */
export function postMortem(stores: readonly AccountStore[], more: string): string[] {
  const requests = stores.flatMap(({ tables }) => [...tables.requests.all()]).sort((a, b) => a.atMs - b.atMs);
  const failed = stores.flatMap(({ tables }) =>
    [...tables.deliveries.all()]
      .filter(({ state, attemptCount }) => attemptCount > 0 && state !== 'delivered' && state !== 'dropped')
      .map((delivery) => deliveryLine(tables, delivery)),
  );
  if (requests.length === 0) return ['The command made no API call. It finds the sandbox in MESSAGING_BASE_URL.'];
  return [
    `The last ${counted(Math.min(MOST_CALLS, requests.length), 'call')} of ${requests.length}${more}:`,
    ...requests.slice(-MOST_CALLS).map(callLine),
    ...(failed.length === 0
      ? []
      : [`${counted(failed.length, 'failed delivery')}:`, ...failed.slice(0, MOST_DELIVERIES)]),
  ];
}

function callLine({ method, path, status, response }: RequestRecord): string {
  const { error } = (bodyOf(response) ?? {}) as { error?: { code?: string; message?: string } };
  const why = error === undefined ? '' : ` ${error.code ?? ''}: ${error.message ?? ''}`;
  return printableLine(`  ${status ?? 'no response'}  ${method} ${path}${why}`).slice(0, 200);
}

function deliveryLine({ attempts }: AccountStore['tables'], { id, eventType, url, attemptCount }: Delivery): string {
  const last = [...attempts.all()].findLast(({ deliveryId }) => deliveryId === id);
  const found = last?.status ?? last?.error?.message ?? 'no response';
  return printableLine(`  ${eventType} → ${url}: ${found} (${counted(attemptCount, 'attempt')})`).slice(0, 240);
}
