/** The calls of one account: its key, and the control token where there is one (contract §1, §4, §9). */
import { invalidOption, SandboxError, type SandboxErrorDetail } from './sandbox-error.js';
import { exchange, type Answer } from './transport.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How a path or query is filled: what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** A body that is no JSON, such as a scenario in YAML. */
export interface TextBody {
  readonly text: string;
  readonly contentType: string;
}

export interface Connection {
  readonly url: string;
  readonly key: string;
  /** @throws SandboxError for every answer but 2xx, and for none */
  call<T>(method: Method, path: string, body?: object): Promise<T>;
  /** The same with a text as body. */
  send<T>(method: Method, path: string, body: TextBody): Promise<T>;
  /** The same sandbox for another key. */
  as(key: string): Connection;
}

export interface ConnectionSettings {
  /** Without a slash at the end. */
  readonly url: string;
  readonly key: string;
  readonly controlToken: string | null;
  /** Why there is nobody to call any more; null while there is. */
  readonly ended?: () => string | null;
}

export function openConnection(settings: ConnectionSettings): Connection {
  const { url, controlToken, ended } = settings;
  const key = headerText('key', settings.key);
  const headers: Record<string, string> = { Authorization: `Bearer ${key}`, Accept: 'application/json' };
  if (controlToken !== null) headers['X-Sandbox-Token'] = headerText('controlToken', controlToken);

  const send = async <T>(method: Method, path: string, body?: TextBody): Promise<T> => {
    const end = ended?.() ?? null;
    if (end !== null) throw new SandboxError({ code: 'closed', message: end });
    const contentType = body === undefined ? {} : { 'Content-Type': body.contentType };
    const call = { method, url: url + path, headers: { ...headers, ...contentType } };
    let answer: Answer;
    try {
      answer = await exchange(body === undefined ? call : { ...call, body: body.text });
    } catch (error) {
      throw unreachable(url, error);
    }
    const json = parse(answer.text);
    if (answer.status >= 200 && answer.status < 300) {
      return (answer.contentType.includes('json') ? json : answer.text) as T;
    }
    throw refusal(`${method} ${url}${path}`, answer.status, json);
  };
  return {
    url,
    key,
    call: (method, path, body) =>
      send(
        method,
        path,
        body === undefined ? undefined : { text: JSON.stringify(body), contentType: 'application/json' },
      ),
    send,
    as: (other) => openConnection({ ...settings, key: other }),
  };
}

/** `path?a=1&b=2`, escaped; a number's plus sign included. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}

function headerText(option: string, text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw invalidOption(`${option}: "${text}" cannot travel in a header. Allowed: visible ASCII without spaces.`);
}

function unreachable(url: string, cause: unknown): SandboxError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : code;
  const advice =
    code === 'ECONNREFUSED'
      ? 'Nothing listens there: start it with "messaging-sandbox start", or wait until its container is healthy.'
      : 'Check the url, and that the sandbox is still up.';
  return new SandboxError({
    code: 'unreachable',
    message: `No sandbox answered at ${url} (${reason}). ${advice}`,
    cause,
  });
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly SandboxErrorDetail[];
  readonly near_misses?: readonly SandboxErrorDetail[];
}

/** The sandbox's own words, every detail a line. A dialect may leave the envelope's outer object away. */
function refusal(call: string, status: number, body: unknown): SandboxError {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : body;
  if (!isRefusal(error)) {
    const message = `${call} was answered with ${status}, and not as a sandbox does. Is another program on that port?`;
    return new SandboxError({ status, code: 'not_a_sandbox', message });
  }
  const details = error.details ?? [];
  // A single detail is what the message says already.
  const lines = details.flatMap((detail) => [
    ...(details.length > 1 ? [`\n  ${placeOf(detail)}${detail.message}`] : []),
    // Of a scenario: the line, corrected.
    ...(typeof detail['fixed'] === 'string' ? [`\n    write: ${detail['fixed'].trim()}`] : []),
  ]);
  return new SandboxError({
    status,
    code: error.code,
    message: error.message + lines.join(''),
    details: details.length > 0 ? details : (error.near_misses ?? []),
  });
}

function placeOf({ field, path, line, column }: SandboxErrorDetail): string {
  if (typeof line === 'number') return `${line}:${String(column)}: `;
  const place = typeof field === 'string' ? field : path;
  return typeof place === 'string' && place !== '' ? `${place}: ` : '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRefusal(value: unknown): value is Refusal {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
