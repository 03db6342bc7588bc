/** Reads HTTP Archives, and webhooks as raw requests or NDJSON. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

export type Headers = Readonly<Record<string, string>>;

interface Part {
  /** Its place: `traffic.har#3`, counted from 1. */
  readonly place: string;
  /** Milliseconds since 1970; null if the capture has no time. */
  readonly atMs: number | null;
}

export interface CapturedCall extends Part {
  /** Each value of the Authorization header has a separate account. */
  readonly account: string;
  readonly method: string;
  /** No base URL: `/v1/messages`. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  /** Undefined if it is not JSON. */
  readonly response: unknown;
}

export interface CapturedEvent extends Part {
  readonly headers: Headers;
  readonly raw: string;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
}

export interface Capture {
  readonly calls: readonly CapturedCall[];
  readonly events: readonly CapturedEvent[];
}

/** A file that holds no traffic in a known form. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

export function readCapture(files: readonly { readonly name: string; readonly bytes: Buffer }[]): Capture {
  const calls: CapturedCall[] = [];
  const events: CapturedEvent[] = [];
  for (const { name, bytes } of files) {
    const part = partOf(name, bytes);
    calls.push(...part.calls);
    events.push(...part.events);
  }
  const inOrder = <Of extends Part>(parts: Of[]) =>
    parts
      .map((part, index) => ({ part, index }))
      .sort((a, b) => (a.part.atMs ?? 0) - (b.part.atMs ?? 0) || a.index - b.index);
  return { calls: inOrder(calls).map(({ part }) => part), events: events };
}

function partOf(name: string, bytes: Buffer): Capture {
  const text = decoded(bytes, '')
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const whole = json(text);
  const entries = (whole as { log?: { entries?: unknown } } | undefined)?.log?.entries;
  if (Array.isArray(entries)) return archive(name, entries as HarEntry[]);
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(json);
  const allHave = (key: string) => rows.every((row) => typeof row === 'object' && row !== null && key in row);
  if (rows.length > 0 && allHave('request')) return archive(name, rows as HarEntry[]);
  if (rows.length > 0 && allHave('body'))
    return { calls: [], events: rows.map((row, index) => eventOfRow(row as Row, `${name}#${index + 1}`)) };
  const raw = /^((?:[^\r\n]+\r?\n)+)\r?\n([\s\S]*)$/.exec(text);
  const headers = raw && headersOfLines(raw[1] ?? '');
  if (headers) return { calls: [], events: [eventOf(name, null, headers, raw[2] ?? '')] };
  throw new CaptureError(
    `${name} is neither an HTTP Archive ({"log": {"entries": […]}}), nor NDJSON ({"headers", "body"} or {"request", "response"} in each line), nor a request with headers, an empty line and its body. Export the traffic as HAR, or save each webhook with its headers.`,
  );
}

interface HarBody {
  readonly text?: string;
  readonly encoding?: string;
}

interface NameValue {
  readonly name: string;
  readonly value: string;
}

interface Timed {
  readonly startedDateTime?: unknown;
  readonly at?: unknown;
  readonly timestamp?: unknown;
}

/** Headers and a body as a proxy of the user's own may write them. */
interface Message {
  readonly headers?: Headers | NameValue[];
  readonly body?: unknown;
  readonly encoding?: string;
}

interface HarEntry extends Timed {
  readonly request?: Message & { method?: string; url?: string; postData?: HarBody };
  readonly response?: Message & { status?: number; content?: HarBody };
}

type Row = Message & Timed;

const known = /\/v1\/(?:messages(?:\/[^/]+)?|otp\/(?:send|verify)|templates(?:\/[^/]+)?|webhooks(?:\/[^/]+)?)$/;

function archive(name: string, entries: readonly HarEntry[]): Capture {
  const calls: CapturedCall[] = [];
  const events: CapturedEvent[] = [];
  const keyOf = ({ request = {} }: HarEntry) => lowerCase(request.headers)['authorization'] ?? '';
  const hasKeys = entries.some((entry) => keyOf(entry) !== '');
  for (const [index, entry] of entries.entries()) {
    const { request = {}, response = {} } = entry;
    const about = { place: `${name}#${index + 1}`, atMs: timeOf(entry) };
    const headers = lowerCase(request.headers);
    const sent = textOf(request.postData ?? bodyOf(request), headers['content-encoding'] ?? '');
    if (headers['x-service-signature'] !== undefined) {
      events.push(eventOf(about.place, about.atMs, headers, sent));
      continue;
    }
    const url = request.url ?? '';
    const path = URL.canParse(url, 'http://localhost')
      ? known.exec(new URL(url, 'http://localhost').pathname)?.[0]
      : undefined;
    const { method = 'GET' } = request;
    const { status = 0 } = response;
    // A browser's preflight, and a call without a response, say nothing about the service.
    if (path === undefined || status === 0 || method === 'OPTIONS') continue;
    const received = textOf(
      response.content ?? bodyOf(response),
      lowerCase(response.headers)['content-encoding'] ?? '',
    );
    const account = hasKeys ? accountOf(keyOf(entry), name) : name;
    calls.push({ ...about, account, method, path, status, body: json(sent), response: json(received) });
  }
  return { calls, events };
}

/** Without its keys, as browsers and journals save it, an archive is of one account. */
function accountOf(authorization: string, file: string): string {
  return /redacted|removed|hidden|\*\*|[…[<]/i.test(authorization) ? file : authorization;
}

function timeOf({ startedDateTime, at, timestamp }: Timed): number | null {
  const given = startedDateTime ?? at ?? timestamp;
  const ms = typeof given === 'number' ? given : Date.parse(String(given));
  return Number.isNaN(ms) ? null : ms;
}

function bodyOf({ body, encoding }: Message): HarBody | undefined {
  if (body === undefined || body === null) return undefined;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { text, ...(encoding !== undefined && { encoding }) };
}

function eventOfRow(row: Row, place: string): CapturedEvent {
  const headers = lowerCase(row.headers);
  return eventOf(place, timeOf(row), headers, textOf(bodyOf(row), headers['content-encoding'] ?? ''));
}

const eventOf = (place: string, atMs: number | null, headers: Headers, raw: string): CapturedEvent => ({
  ...{ place, atMs, headers, raw, body: json(raw) },
});

/** A request line can come first. */
function headersOfLines(text: string): Headers | null {
  const lines = text.split(/\r?\n/).filter(Boolean);
  const own = /^[A-Z]+ \S+ HTTP\//.test(lines[0] ?? '') ? lines.slice(1) : lines;
  const pairs = own.map((line) => /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(line));
  if (pairs.some((pair) => pair === null)) return null;
  return lowerCase(pairs.map((pair) => ({ name: pair?.[1] ?? '', value: pair?.[2] ?? '' })));
}

function lowerCase(headers: Headers | readonly NameValue[] = []): Headers {
  const pairs = Array.isArray(headers)
    ? (headers as readonly NameValue[]).map(({ name, value }) => [name, value] as const)
    : Object.entries(headers);
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

/** The text of a body, which may be base64, and may still be compressed. */
function textOf(body: HarBody | undefined, encoding: string): string {
  const { text = '', encoding: form } = body ?? {};
  if (form !== 'base64') return text;
  return decoded(Buffer.from(text, 'base64'), encoding).toString('utf8');
}

function decoded(bytes: Buffer, encoding: string): Buffer {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, { maxOutputLength: longest });
    if (encoding === 'br') return brotliDecompressSync(bytes, { maxOutputLength: longest });
    if (encoding === 'deflate') return inflateSync(bytes, { maxOutputLength: longest });
  } catch {
    // The archive says how it came over the wire, but most tools store it decompressed.
  }
  return bytes;
}

const longest = 256 * 1024 * 1024;

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
