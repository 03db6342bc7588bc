/**
 * The journal of API-plane calls: request, answer, duration, warnings, why (contract §4). Keys are redacted on the way in.
 */
import type { RequestRecord } from '../domain/request-record.js';
import type { Call, Exchange } from './exchange.js';
import { redactedHeaders } from './redact.js';

export function journalCall(
  exchange: Exchange,
  request: Call,
  answer: { status: number | null; headers: Record<string, string>; body?: unknown },
  endedMs: number,
): void {
  const { account } = exchange;
  const { requests } = account.store.tables;
  const { body } = request;
  const record = (seq: number): RequestRecord => ({
    id: exchange.id,
    seq,
    atMs: exchange.atMs,
    operation: exchange.route?.operationId ?? null,
    method: request.method,
    path: exchange.path,
    status: answer.status,
    durationMs: Math.round((endedMs - exchange.startedMs) * 1000) / 1000,
    request: {
      headers: redactedHeaders(request.headers),
      ...(exchange.query !== '' && { query: exchange.query }),
      ...(body !== undefined && { body }),
    },
    response: { headers: answer.headers, ...(answer.body !== undefined && { body: answer.body }) },
    warnings: exchange.warnings,
    ...(exchange.fault !== null && { fault: exchange.fault }),
    ...(exchange.error !== null && { error: exchange.error }),
    ...(exchange.explain && { explain: exchange.explain }),
  });
  account.store.update(() => {
    requests.insert(record(account.store.nextSeq()));
    while (requests.size > account.maxJournal) {
      const oldest = requests.all().at(0);
      if (!oldest) break;
      requests.delete(oldest);
    }
  });
}
