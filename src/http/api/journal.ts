/**
 * The journal of API calls: request, response, duration, warnings and explanation. Secrets are redacted before an entry
 * is created: the visible part of a key identifies it, but is not enough to use it.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { maxJournalBytes } from '../../domain/limits.js';
import type { RequestRecord } from '../../domain/request-record.js';
import { tokenHeader } from '../guard.js';
import { type Call, parseQuery, type RequestContext } from './request-context.js';

interface Sent {
  /** Null if a fault suppressed the response. */
  readonly status: number | null;
  readonly headers: Record<string, string>;
  /** The body as it is sent; undefined if there is none. */
  readonly text: string | undefined;
}

/** The number of characters of a response that an entry keeps; a larger response is cut off there. */
const largestBody = 1024 * 1024;
const keptOfLarger = 64 * 1024;

export function journalCall(context: RequestContext, call: Call, sent: Sent, endedMs: number): void {
  const { store, maxJournal } = context.account;
  const { requests } = store.tables;
  store.update(() => {
    // If a response is too large to keep, an error that says so replaces it.
    if (context.entry) requests.delete(context.entry);
    const mostBytes = store.isMemoryFull ? Math.min(requests.weight, maxJournalBytes) : maxJournalBytes;
    context.entry = requests.insert(recordOf(store.nextSeq(), context, call, sent, endedMs));
    while (requests.size > maxJournal || requests.weight > mostBytes) {
      const oldest = requests.all().at(0);
      if (!oldest) break;
      store.trim('requests', oldest);
    }
  });
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Builds an entry field by field, because most calls have none of the optional fields. Bodies stay texts. */
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

/** Headers that contain only a secret. */
const secret: ReadonlySet<string> = new Set(['cookie', 'x-api-key', tokenHeader]);
/** Headers that contain a scheme, then a secret. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);
/** Names of query parameters whose values are secrets, such as `control_token` and `api_key`. */
const secretName = /token|secret|passw|credential|authorization|(?:api|access|private)[-_ ]?key/i;

let latestRaw: readonly string[] = [];
let latestKept: Readonly<Record<string, string>> = {};

/** Redacts the headers of a call. Clients send the same headers again and again, so entries share them. */
export function redactedHeadersOf({ rawHeaders, headers }: IncomingMessage): Readonly<Record<string, string>> {
  if (!areEqual(rawHeaders, latestRaw)) {
    latestKept = redactedHeaders(headers);
    latestRaw = rawHeaders;
  }
  return latestKept;
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, at) => text === others[at]);
}

export function redactedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    kept[name] = secret.has(name) ? '***' : credentials.has(name) ? redactedCredentials(text) : text;
  }
  return kept;
}

/** Treats the first word as a scheme only if it is a known one: a key without a scheme may also contain spaces. */
function redactedCredentials(value: string): string {
  const [, scheme, key = ''] = /^(bearer|basic|digest|token) +(.*)$/i.exec(value) ?? [];
  if (scheme === undefined || key === '') return '***';
  return `${scheme} ${key.length > 8 && /^bearer$/i.test(scheme) ? key.slice(0, 4) : ''}***`;
}

/** Redacts the values of secret parameters; the rest of the query is unchanged. */
export function redactedQuery(query: string): string {
  if (query === '') return query;
  const parts = query.split('&').map((part) => {
    const [name = ''] = part.split('=', 1);
    const isSecret = part.includes('=') && Object.keys(parseQuery(name)).some((each) => secretName.test(each));
    return isSecret ? `${name}=***` : part;
  });
  return parts.join('&');
}
