/** HTTP Archive 1.2. An archive is passed on, so it has no credentials. */
import { STATUS_CODES } from 'node:http';
import type { Attempt, RequestRecord, Row } from '../domain/rows.js';
import { isoTime } from '../domain/instant.js';
import { redactedHeaders, redactedText, redactedUrl } from '../domain/request.js';
import type { AccountStore } from '../store/account-store.js';

type Headers = Readonly<Record<string, string>>;

interface CallOrAttempt {
  readonly seq: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  readonly request: { readonly headers: Headers; readonly body: string | undefined };
  readonly status: number | null;
  readonly response?: { readonly headers: Headers; readonly body: string } | undefined;
  readonly comment: string;
}

export function* harLines(exchanges: readonly CallOrAttempt[], version: string): Generator<string, void> {
  const head = { log: { version: '1.2', creator: { name: 'messaging-sandbox', version }, pages: [] } };
  yield `${JSON.stringify(head).slice(0, -2)},"entries":[`;
  let separator = '\n';
  for (const exchange of exchanges.toSorted((a, b) => a.atMs - b.atMs || a.seq - b.seq)) {
    yield separator + JSON.stringify(entryOf(exchange));
    separator = ',\n';
  }
  yield '\n]}}\n';
}

export function exchangesOf(
  { tables }: AccountStore,
  url: string,
  within: (row: Row) => boolean = () => true,
): CallOrAttempt[] {
  return [
    ...tables.requests.filter(within).map((row) => callOf(row, url)),
    ...tables.attempts.filter(within).map(webhookOf),
  ];
}

/** A call that was rejected before it had an account. */
export interface RejectedExchange {
  readonly seq: number;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly status: number;
  readonly message: string;
  readonly response: unknown;
}

export function exchangesOfRejected(calls: readonly RejectedExchange[], url: string): CallOrAttempt[] {
  return calls.map(({ path, query, headers, message, response, ...call }) => ({
    ...call,
    durationMs: 0,
    url: url + path + (query === '' ? '' : `?${query}`),
    request: { headers, body: undefined },
    response: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(response) },
    comment: message,
  }));
}

function callOf({ request, response, status, ...row }: RequestRecord, url: string): CallOrAttempt {
  const host = request.headers['host'];
  const base = host === undefined ? url : `http://${host}`;
  return {
    ...row,
    url: base + row.path + (request.query === undefined ? '' : `?${request.query}`),
    request: { headers: request.headers, body: request.text },
    status,
    response: status === null ? undefined : { headers: response.headers, body: response.text ?? '' },
    comment: row.explain?.text ?? row.operation ?? 'unknown call',
  };
}

function webhookOf({ request, error, explain, ...row }: Attempt): CallOrAttempt {
  const failed = error === undefined ? '' : ` ${error.message}`;
  const comment = `Webhook, attempt ${row.number}.${failed}${explain ? ` ${explain.text}` : ''}`;
  return { ...row, method: 'POST', url: request.url, request, comment };
}

function entryOf({ atMs, durationMs, comment, ...exchange }: CallOrAttempt): object {
  const { method, status, request, response } = exchange;
  const url = redactedUrl(exchange.url);
  const headers = redactedHeaders(request.headers);
  const body = request.body && redactedText(request.body);
  const answer = { headers: redactedHeaders(response?.headers ?? {}), body: redactedText(response?.body ?? '') };
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
      // Zero if no response came.
      status: status ?? 0,
      statusText: STATUS_CODES[status ?? 0] ?? '',
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
