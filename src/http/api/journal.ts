/**
 * The journal of API calls: request, response, duration, warnings and explanation. Secrets are redacted before an entry
 * is created: the visible part of a key identifies it, but is not enough to use it.
 */
import { keptBody } from '../../domain/limits.js';
import { redactedHeaders, redactedQuery } from '../../domain/request.js';
import type { RequestRecord } from '../../domain/rows.js';
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

function recordOf(seq: number, context: RequestContext, call: Call, sent: Sent, endedMs: number): RequestRecord {
  const query = redactedQuery(context.query);
  return {
    id: context.id,
    seq,
    atMs: context.atMs,
    operation: call.operation?.operationId ?? null,
    method: call.method,
    path: context.path,
    status: sent.status,
    durationMs: Math.round((endedMs - context.startedMs) * 1000) / 1000,
    request: {
      headers: redactedHeaders(call.headers),
      ...(query !== '' && { query }),
      ...(call.text !== '' && bodyKept(call.text)),
    },
    response: { headers: sent.headers, ...bodyKept(sent.text) },
    warnings: context.warnings,
    ...(context.fault !== null && { fault: context.fault }),
    ...(context.error !== null && { error: context.error }),
    ...(context.explain !== null && { explain: context.explain }),
  };
}

function bodyKept(text: string | undefined) {
  if (text === undefined) return {};
  return text.length > keptBody ? { text: text.slice(0, keptBody), truncated: true } : { text };
}
