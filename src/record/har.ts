/**
 * Writes a recording as an HTTP Archive 1.2: the calls of the application, and the requests to its webhooks. An archive
 * is passed on, so it has no credentials.
 */
import { STATUS_CODES } from 'node:http';
import type { Attempt, RequestRecord, Row } from '../domain/rows.js';
import { isoTime } from '../domain/instant.js';
import { redactedHeaders, redactedText, redactedUrl } from '../domain/request.js';
import type { AccountStore } from '../store/account-store.js';

type Headers = Readonly<Record<string, string>>;

type Exchange = ReturnType<typeof callOf>;

/** Returns the archive of one or several accounts, in chronological order. */
export function harOf(entries: readonly HarEntry[], version: string): object {
  const sorted = [...entries].sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
  const creator = { name: 'messaging-sandbox', version };
  return { log: { version: '1.2', creator, pages: [], entries: sorted.map(({ entry }) => entry) } };
}

interface HarEntry {
  readonly atMs: number;
  readonly seq: number;
  readonly entry: object;
}

/**
 * @param url the URL of the sandbox, for calls whose Host header was not recorded
 * @param within whether a record belongs to the archive
 */
export function harEntries(
  { tables }: AccountStore,
  url: string,
  within: (row: Row) => boolean = () => true,
): HarEntry[] {
  return [
    ...[...tables.requests.all()].filter(within).map((row) => callOf(row, url)),
    ...[...tables.attempts.all()].filter(within).map(webhookOf),
  ].map((exchange) => ({ atMs: exchange.atMs, seq: exchange.seq, entry: entryOf(exchange) }));
}

function callOf({ request, response, ...row }: RequestRecord, url: string) {
  const host = request.headers['host'];
  const base = host === undefined ? url : `http://${host}`;
  return {
    seq: row.seq,
    atMs: row.atMs,
    durationMs: row.durationMs,
    method: row.method,
    url: base + row.path + (request.query === undefined ? '' : `?${request.query}`),
    headers: request.headers,
    body: request.text,
    /** Zero if no response came. */
    status: row.status ?? 0,
    answer: {
      headers: row.status === null ? {} : response.headers,
      body: row.status === null ? '' : (response.text ?? ''),
    },
    comment: row.explain?.text ?? row.operation ?? 'unknown call',
  };
}

function webhookOf({ seq, atMs, durationMs, status, number, request, response, error, explain }: Attempt): Exchange {
  const failed = error === undefined ? '' : ` ${error.message}`;
  return {
    seq,
    atMs,
    durationMs,
    method: 'POST',
    url: request.url,
    headers: request.headers,
    body: request.body,
    status: status ?? 0,
    answer: { headers: response?.headers ?? {}, body: response?.body ?? '' },
    comment: `Webhook, attempt ${number}.${failed}${explain ? ` ${explain.text}` : ''}`,
  };
}

function entryOf({ atMs, durationMs, comment, ...exchange }: Exchange): object {
  const { method, status } = exchange;
  const url = redactedUrl(exchange.url);
  const headers = redactedHeaders(exchange.headers);
  const body = exchange.body && redactedText(exchange.body);
  const answer = { headers: redactedHeaders(exchange.answer.headers), body: redactedText(exchange.answer.body) };
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return {
    startedDateTime: isoTime(atMs),
    time: durationMs,
    request: {
      method,
      url,
      ...common,
      headers: listed(headers),
      queryString: query.map(([name, value]) => ({ name, value })),
      ...(body !== undefined && { postData: { mimeType: typeOf(headers), params: [], text: body } }),
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? '',
      ...common,
      headers: listed(answer.headers),
      content: { size: Buffer.byteLength(answer.body), mimeType: typeOf(answer.headers), text: answer.body },
      redirectURL: '',
      bodySize: Buffer.byteLength(answer.body),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: redactedText(comment),
  };
}

function listed(headers: Headers): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function typeOf(headers: Headers): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return found?.[1] ?? 'application/octet-stream';
}
