/** One entry of a capture: a call, a webhook, or neither. */
import { mustBe } from '../domain/must-be.js';
import { decoded, json } from './capture-bytes.js';

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

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The reason that an entry cannot be read. */
export class UnreadableEntry extends Error {}

function fieldsOf(value: unknown, what: string): Fields {
  if (isFields(value)) return value;
  throw new UnreadableEntry(`${what} ${mustBe('an object', value)}`);
}

function textIn(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new UnreadableEntry(`${what} ${mustBe('a text', value)}`);
}

const known = /\/v1\/(?:messages(?:\/[^/]+)?|otp\/(?:send|verify)|templates(?:\/[^/]+)?|webhooks(?:\/[^/]+)?)$/;

export type ReadEntry =
  | { readonly event: CapturedEvent }
  | { readonly call: Omit<CapturedCall, 'account'> | null; readonly authorization: string };

/** @throws UnreadableEntry */
export function entryOf(value: unknown, place: string): ReadEntry {
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

/** Null also for a time that no clock of a sandbox can have. */
function timeOf({ startedDateTime, at, timestamp }: Fields): number | null {
  const given = startedDateTime ?? at ?? timestamp;
  const ms = typeof given === 'number' ? given : Date.parse(String(given));
  return ms >= 0 && ms < Date.UTC(9999, 0) ? ms : null;
}

export const eventOf = (place: string, atMs: number | null, headers: Headers, raw: string): CapturedEvent => ({
  ...{ place, atMs, headers, raw, body: json(raw) },
});

export function lowerCase(headers: readonly { readonly name: string; readonly value: string }[]): Headers {
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

/** Returns the text of a body, unpacked: it may be base64 and compressed. HAR has it in a separate part. */
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
