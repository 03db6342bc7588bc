/** The journal of API calls: request, response, duration, warnings and explanation. Keys are redacted before an entry is made. */
import { maxJournalBytes } from '../../domain/limits.js';
import type { RequestRecord } from '../../domain/request-record.js';
import { redactedHeadersOf, redactedQuery } from './redact.js';
import type { Call, RequestContext } from './request-context.js';

interface Sent {
  /** Null when a fault kept the response back. */
  readonly status: number | null;
  readonly headers: Record<string, string>;
  /** The body as it goes over the wire; undefined where there is none. */
  readonly text: string | undefined;
}

/** Characters of a response that an entry keeps as they are; of a larger one it keeps the beginning. */
const largestBody = 1024 * 1024;
const keptOfLarger = 64 * 1024;

export function journalCall(context: RequestContext, call: Call, sent: Sent, endedMs: number): void {
  const { store, maxJournal } = context.account;
  const { requests } = store.tables;
  store.update(() => {
    // A response that could not be kept is replaced by the error that says so.
    const before = requests.get(context.id);
    if (before) requests.delete(before);
    const mostBytes = store.isMemoryFull ? Math.min(requests.weight, maxJournalBytes) : maxJournalBytes;
    requests.insert(recordOf(store.nextSeq(), context, call, sent, endedMs));
    while (requests.size > maxJournal || requests.weight > mostBytes) {
      const oldest = requests.all().at(0);
      if (!oldest) break;
      store.trim('requests', oldest);
    }
  });
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Puts an entry together field by field, because most calls have none of the optional fields. Bodies stay texts. */
function recordOf(seq: number, context: RequestContext, call: Call, sent: Sent, endedMs: number): RequestRecord {
  const query = redactedQuery(context.query);
  const request: Open<RequestRecord['request']> = { headers: redactedHeadersOf(call) };
  if (query !== '') request.query = query;
  if (call.text !== undefined && call.text !== '') request.text = call.text;
  const response: Open<RequestRecord['response']> = { headers: sent.headers };
  if (sent.text !== undefined) {
    response.text = sent.text;
    if (sent.text.length > largestBody) {
      response.text = sent.text.slice(0, keptOfLarger);
      response.truncated = true;
    }
  }
  const record: Open<RequestRecord> = {
    id: context.id,
    seq,
    atMs: context.atMs,
    operation: context.route?.operationId ?? null,
    method: call.method,
    path: context.path,
    status: sent.status,
    durationMs: Math.round((endedMs - context.startedMs) * 1000) / 1000,
    request,
    response,
    warnings: context.warnings,
  };
  if (context.fault !== null) record.fault = context.fault;
  if (context.error !== null) record.error = context.error;
  if (context.explain !== null) record.explain = context.explain;
  return record;
}
