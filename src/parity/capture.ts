/** Reads HTTP Archives, and webhooks as raw requests or NDJSON. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { mustBe } from '../domain/must-be.js';

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
  /** Entries that cannot be read, with the reason. */
  readonly skipped: readonly { readonly place: string; readonly why: string }[];
}

/** A file that holds no traffic in a known form. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

export function readCapture(files: readonly { readonly name: string; readonly bytes: Buffer }[]): Capture {
  const parts = files.map(({ name, bytes }) => partOf(name, bytes));
  return {
    calls: parts
      .flatMap(({ calls }) => calls)
      .map((call, index) => ({ call, index }))
      .sort((a, b) => (a.call.atMs ?? 0) - (b.call.atMs ?? 0) || a.index - b.index)
      .map(({ call }) => call),
    events: parts.flatMap(({ events }) => events),
    skipped: parts.flatMap(({ skipped }) => skipped),
  };
}

const inEachLine = '{"headers", "body"} or {"request", "response"} in each line';

function partOf(name: string, bytes: Buffer): Capture {
  const text = decoded(bytes, '')
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const whole = json(text);
  const entries = (whole as { log?: { entries?: unknown } } | null | undefined)?.log?.entries;
  if (Array.isArray(entries))
    return archive(
      name,
      entries.map((value: unknown, index) => ({ place: `${name}#${index + 1}`, value })),
    );
  const raw = /^((?:[^\r\n]+\r?\n)+)\r?\n([\s\S]*)$/.exec(text);
  const headers = raw && headersOfLines(raw[1] ?? '');
  if (headers) return { calls: [], events: [eventOf(name, null, headers, raw[2] ?? '')], skipped: [] };
  const rows = isRow(whole) ? [{ line: 1, value: whole }] : rowsOf(text);
  if (rows.some(({ value }) => isRow(value))) {
    const broken = rows.filter(({ value }) => value === undefined).map(({ line }) => line);
    if (broken.length === 0)
      return archive(
        name,
        rows.map(({ line, value }) => ({ place: `${name}#${line}`, value })),
      );
    throw new CaptureError(
      `${name} has lines that are not JSON: ${broken.slice(0, 5).join(', ')}${broken.length > 5 ? ', …' : ''}. NDJSON has ${inEachLine}. Repair these lines, or remove them.`,
    );
  }
  const cut =
    whole === undefined && /^\s*[[{]/.test(text) ? ' It begins as JSON and is none; it may have been cut off.' : '';
  throw new CaptureError(
    `${name} is neither an HTTP Archive ({"log": {"entries": […]}}), nor NDJSON (${inEachLine}), nor a request with headers, an empty line and its body.${cut} Export the traffic as HAR, or save each webhook with its headers.`,
  );
}

/** Undefined is a line that is not JSON. */
function rowsOf(text: string): { line: number; value: unknown }[] {
  return text
    .split(/\r?\n/)
    .flatMap((row, index) => (row.trim() === '' ? [] : [{ line: index + 1, value: json(row) }]));
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRow = (value: unknown): boolean =>
  isFields(value) && ['request', 'response', 'headers', 'body'].some((key) => key in value);

/** The reason that an entry cannot be read. */
class UnreadableEntry extends Error {}

function fieldsOf(value: unknown, what: string): Fields {
  if (isFields(value)) return value;
  throw new UnreadableEntry(`${what} ${mustBe('an object', value)}`);
}

function textIn(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new UnreadableEntry(`${what} ${mustBe('a text', value)}`);
}

const known = /\/v1\/(?:messages(?:\/[^/]+)?|otp\/(?:send|verify)|templates(?:\/[^/]+)?|webhooks(?:\/[^/]+)?)$/;

type ReadEntry =
  | { readonly event: CapturedEvent }
  | { readonly call: Omit<CapturedCall, 'account'> | null; readonly authorization: string };

/** The entries are those of an HTTP Archive, or what a proxy of the user's own writes in each line. */
function archive(name: string, entries: readonly { readonly place: string; readonly value: unknown }[]): Capture {
  const read: ReadEntry[] = [];
  const skipped: { place: string; why: string }[] = [];
  for (const { place, value } of entries)
    try {
      read.push(entryOf(value, place));
    } catch (error) {
      if (!(error instanceof UnreadableEntry)) throw error;
      skipped.push({ place, why: error.message });
    }
  const hasKeys = read.some((entry) => 'call' in entry && entry.authorization !== '');
  return {
    calls: read.flatMap((entry) =>
      'call' in entry && entry.call !== null
        ? [{ ...entry.call, account: hasKeys ? accountOf(entry.authorization, name) : name }]
        : [],
    ),
    events: read.flatMap((entry) => ('event' in entry ? [entry.event] : [])),
    skipped,
  };
}

/** @throws UnreadableEntry */
function entryOf(value: unknown, place: string): ReadEntry {
  const entry = fieldsOf(value, 'the entry');
  const atMs = timeOf(entry);
  if (!('request' in entry)) {
    if (!('body' in entry)) throw new UnreadableEntry('the entry has no request');
    const headers = headersOf(entry['headers'], 'headers');
    return { event: eventOf(place, atMs, headers, textOfMessage(entry, headers, '')) };
  }
  const request = fieldsOf(entry['request'], 'request');
  const headers = headersOf(request['headers'], 'request.headers');
  const sent = () => textOfMessage(request, headers, 'request.', 'postData');
  if (headers['x-service-signature'] !== undefined) return { event: eventOf(place, atMs, headers, sent()) };
  const authorization = headers['authorization'] ?? '';
  const path = pathOf(request['url']);
  const method = textIn(request['method'] ?? 'GET', 'request.method').toUpperCase();
  // Other traffic of the application, and a browser's preflight, say nothing about the service.
  if (path === null || method === 'OPTIONS') return { call: null, authorization };
  if (!methods.includes(method))
    throw new UnreadableEntry(`request.method ${mustBe(`one of ${methods.join(', ')}`, method)}`);
  const { response: given } = entry;
  const response = given === undefined || given === null ? {} : fieldsOf(given, 'response');
  const status = response['status'] ?? 0;
  if (status === 0) throw new UnreadableEntry('the call has no response');
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599)
    throw new UnreadableEntry(`response.status ${mustBe('a number from 100 to 599', status)}`);
  const received = textOfMessage(response, headersOf(response['headers'], 'response.headers'), 'response.', 'content');
  return {
    call: { place, atMs, method, path, status, body: json(sent()), response: json(received) },
    authorization,
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Null: not of the API. */
function pathOf(given: unknown): string | null {
  const url = textIn(given, 'request.url');
  if (url === '' || !URL.canParse(url, 'http://localhost'))
    throw new UnreadableEntry(`request.url ${mustBe('a URL', url)}`);
  const path = known.exec(new URL(url, 'http://localhost').pathname)?.[0];
  if (path === undefined) return null;
  try {
    decodeURIComponent(path);
  } catch {
    throw new UnreadableEntry(`request.url ${mustBe('a URL in UTF-8', url)}`);
  }
  return path;
}

/** Without its keys, as browsers and journals save it, an archive is of one account. */
function accountOf(authorization: string, file: string): string {
  return /redacted|removed|hidden|\*\*|[…[<]/i.test(authorization) ? file : authorization;
}

/** Null also for a time that no clock of a sandbox can have. */
function timeOf({ startedDateTime, at, timestamp }: Fields): number | null {
  const given = startedDateTime ?? at ?? timestamp;
  const ms = typeof given === 'number' ? given : Date.parse(String(given));
  return ms >= 0 && ms < Date.UTC(9999, 0) ? ms : null;
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

function lowerCase(headers: readonly { readonly name: string; readonly value: string }[]): Headers {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}

/** HAR has a list of `{name, value}`; proxies also write an object, with a list for a header that is repeated. */
function headersOf(given: unknown, what: string): Headers {
  if (given === undefined) return {};
  if (!Array.isArray(given) && !isFields(given))
    throw new UnreadableEntry(`${what} ${mustBe('an object, or an array of {name, value}', given)}`);
  const pairs = Array.isArray(given)
    ? given.map((each: unknown, index) => {
        const { name, value } = fieldsOf(each, `${what}[${index}]`);
        return { name: textIn(name, `${what}[${index}].name`), value };
      })
    : Object.entries(given).map(([name, value]) => ({ name, value }));
  return lowerCase(
    pairs.map(({ name, value }) => ({
      name,
      value: (Array.isArray(value) ? value : [value])
        .map((each: unknown) =>
          typeof each === 'number' || typeof each === 'boolean' ? String(each) : textIn(each, `${what}: ${name}`),
        )
        .join(', '),
    })),
  );
}

/** The text of a body, which may be base64, and may still be compressed. HAR has it in a part of its own. */
function textOfMessage(message: Fields, headers: Headers, place: string, part?: 'postData' | 'content'): string {
  const inPart = part === undefined ? undefined : (message[part] ?? undefined);
  const what = inPart === undefined ? `${place}body` : `${place}${part}.text`;
  const { text: given, encoding = null } =
    inPart === undefined
      ? { text: message['body'], encoding: message['encoding'] }
      : fieldsOf(inPart, `${place}${part}`);
  if (given === undefined || given === null) return '';
  const form = encoding === null ? '' : textIn(encoding, `encoding of ${what}`).toLowerCase();
  if (!['', 'utf-8', 'utf8', 'base64'].includes(form))
    throw new UnreadableEntry(`encoding of ${what} ${mustBe('"base64", or be left out for text', encoding)}`);
  if (inPart === undefined && typeof given !== 'string') return JSON.stringify(given);
  const text = textIn(given, what);
  if (form !== 'base64') return text;
  if (!/^[\w+/\s-]*[=\s]*$/.test(text)) throw new UnreadableEntry(`${what} ${mustBe('base64', text)}`);
  return decoded(Buffer.from(text, 'base64'), headers['content-encoding'] ?? '').toString('utf8');
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
