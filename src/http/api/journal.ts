/** The journal of API calls: request, response, duration, warnings and explanation. Keys are redacted before an entry is made. */
import { maxJournalBytes } from '../../domain/limits.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { Call, Exchange } from './request-context.js';
import { redactedHeadersOf } from './redact.js';

interface Answered {
  readonly status: number | null;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  /** The body as it goes over the wire; undefined where there is none. */
  readonly text: string | undefined;
}

/** Characters of an answer that an entry keeps as they are; of a larger one there is the beginning. */
const largestBody = 1024 * 1024;
const keptOfLarger = 64 * 1024;

export function journalCall(exchange: Exchange, request: Call, answer: Answered, endedMs: number): void {
  const { store, maxJournal } = exchange.account;
  const { requests } = store.tables;
  store.update(() => {
    // A response that could not be kept is replaced by the error that says so.
    const before = requests.get(exchange.id);
    if (before) requests.delete(before);
    requests.insert(recordOf(store.nextSeq(), exchange, request, answer, endedMs));
    while (requests.size > maxJournal || requests.weight > maxJournalBytes) {
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
  if (isLarge(answer)) {
    response.body = answer.text.slice(0, keptOfLarger);
    response.truncated = true;
  } else if (answer.body !== undefined) response.body = answer.body;
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
    bytes: sizeOf(exchange, call) + (response.truncated ? keptOfLarger : (answer.text?.length ?? 0)),
  };
  if (exchange.fault !== null) record.fault = exchange.fault;
  if (exchange.error !== null) record.error = exchange.error;
  if (exchange.explain !== null) record.explain = exchange.explain;
  return record;
}

function isLarge(answer: Answered): answer is Answered & { readonly text: string } {
  return answer.text !== undefined && answer.text.length > largestBody;
}

/** Of what was asked. The header says it of every usual call; what came in pieces or compressed is written out again. */
function sizeOf({ path, query }: Exchange, { body, headers }: Call): number {
  const target = path.length + query.length;
  if (body === undefined) return target;
  const told = headers['content-encoding'] === undefined ? headers['content-length'] : undefined;
  return target + (told === undefined ? JSON.stringify(body).length : Number(told));
}
