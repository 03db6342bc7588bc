/**
 * The journal of API calls: request, response, duration, warnings and explanation. Secrets are redacted before an entry
 * is created: the visible part of a key identifies it, but is not enough to use it.
 */
import { keptBody } from '../../domain/limits.js';
import { redactedHeaders, redactedQuery } from '../../domain/redact.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { Call, RequestContext } from '../call.js';

interface Sent {
  /** Null if a fault suppressed the response. */
  readonly status: number | null;
  readonly headers: Record<string, string>;
  /** The body as it is sent; undefined if there is none. */
  readonly text: string | undefined;
}

export function journalCall(context: RequestContext, call: Call, sent: Sent, endedMs: number): void {
  const { store, maxJournal } = context.account;
  const { requests } = store.tables;
  store.update(() => {
    // If a response is too large to keep, an error that says so replaces it.
    if (context.entry) requests.delete(context.entry);
    context.entry = requests.insert(recordOf(store.nextSeq(), context, call, sent, endedMs));
    while (requests.size > maxJournal) {
      const [oldest] = requests.oldest();
      if (!oldest) break;
      store.trim('requests', oldest);
    }
  });
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Builds an entry field by field, because most calls have none of the optional fields. Bodies stay texts. */
function recordOf(seq: number, context: RequestContext, call: Call, sent: Sent, endedMs: number): RequestRecord {
  const query = redactedQuery(context.query);
  const request: Open<RequestRecord['request']> = { headers: redactedHeaders(call.headers) };
  if (query !== '') request.query = query;
  if (call.text !== undefined && call.text !== '') {
    request.text = call.text.slice(0, keptBody);
    if (call.text.length > keptBody) request.truncated = true;
  }
  const response: Open<RequestRecord['response']> = { headers: sent.headers };
  if (sent.text !== undefined) {
    response.text = sent.text;
    if (sent.text.length > keptBody) {
      response.text = sent.text.slice(0, keptBody);
      response.truncated = true;
    }
  }
  const record: Open<RequestRecord> = {
    id: context.id,
    seq,
    atMs: context.atMs,
    operation: call.operation?.operationId ?? null,
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
