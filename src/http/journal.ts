/**
 * The journal of API-plane calls: request, answer, duration, warnings, why (contract §4). Keys are redacted on the way in.
 */
import type { RequestRecord } from '../domain/request-record.js';
import type { Call, Exchange } from './exchange.js';
import { redactedHeadersOf } from './redact.js';

interface Answered {
  readonly status: number | null;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

export function journalCall(exchange: Exchange, request: Call, answer: Answered, endedMs: number): void {
  const { store, maxJournal } = exchange.account;
  const { requests } = store.tables;
  store.update(() => {
    requests.insert(recordOf(store.nextSeq(), exchange, request, answer, endedMs));
    while (requests.size > maxJournal) {
      const oldest = requests.all().at(0);
      if (!oldest) break;
      requests.delete(oldest);
    }
  });
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Put together field by field: most calls have none of those that a call may have. */
function recordOf(seq: number, exchange: Exchange, call: Call, answer: Answered, endedMs: number): RequestRecord {
  const request: Open<RequestRecord['request']> = { headers: redactedHeadersOf(call) };
  if (exchange.query !== '') request.query = exchange.query;
  if (call.body !== undefined) request.body = call.body;
  const response: Open<RequestRecord['response']> = { headers: answer.headers };
  if (answer.body !== undefined) response.body = answer.body;
  const record: Open<RequestRecord> = {
    id: exchange.id,
    seq,
    atMs: exchange.atMs,
    operation: exchange.route?.operationId ?? null,
    method: call.method,
    path: exchange.path,
    status: answer.status,
    durationMs: Math.round((endedMs - exchange.startedMs) * 1000) / 1000,
    request,
    response,
    warnings: exchange.warnings,
  };
  if (exchange.fault !== null) record.fault = exchange.fault;
  if (exchange.error !== null) record.error = exchange.error;
  if (exchange.explain !== null) record.explain = exchange.explain;
  return record;
}
