/**
 * The journal of API calls: request, response, duration, warnings and explanation. Secrets are redacted before an entry
 * is created: the visible part of a key identifies it, but is not enough to use it.
 */
import { keptBody } from '../../domain/limits.js';
import { redactedHeaders, redactedQuery } from '../../domain/request.js';
import type { RequestRecord } from '../../domain/rows.js';
import type { Call } from '../call.js';
import type { ApiCall } from './api-call.js';

interface Sent {
  /** Null if a fault suppressed the response. */
  readonly status: number | null;
  readonly headers: Record<string, string>;
  /** The body as it is sent; undefined if there is none. */
  readonly text: string | undefined;
}

export function journalCall(call: ApiCall, request: Call, sent: Sent, endedMs: number): void {
  const { store, maxJournal } = call.account;
  const { requests } = store.tables;
  const query = redactedQuery(call.query);
  store.update(() => {
    // An error replaces a response that could not be stored.
    if (call.entry) requests.delete(call.entry);
    call.entry = requests.insert({
      id: call.id,
      seq: store.nextSeq(),
      atMs: call.atMs,
      operation: request.operation?.operationId ?? null,
      method: call.method,
      path: call.path,
      status: sent.status,
      durationMs: Math.round((endedMs - call.startedMs) * 1000) / 1000,
      request: {
        headers: redactedHeaders(request.headers),
        ...(query !== '' && { query }),
        ...(request.text !== '' && bodyKept(request.text)),
      },
      response: { headers: sent.headers, ...bodyKept(sent.text) },
      warnings: call.warnings,
      ...(call.fault !== null && { fault: call.fault }),
      ...(call.error !== null && { error: call.error }),
      ...(call.explained !== null && { explain: call.explained }),
    } satisfies RequestRecord);
    while (requests.size > maxJournal) {
      const [oldest] = requests.oldest();
      if (!oldest) break;
      store.trim('requests', oldest);
    }
  });
}

function bodyKept(text: string | undefined) {
  if (text === undefined) return undefined;
  return text.length > keptBody ? { text: text.slice(0, keptBody), truncated: true } : { text };
}
