/**
 * Makes calls to a sandbox for one account. It uses node:http, because a test environment may have replaced or removed
 * `fetch`. Each call has its own connection, because an open socket would keep the process alive.
 */
import { Agent, request as httpRequest } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { invalidOption, SandboxError, type SandboxErrorDetail } from './sandbox-error.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Query parameters; undefined ones are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A body that is not JSON, such as a scenario in YAML. */
export interface TextBody {
  readonly text: string;
  readonly contentType: string;
}

export interface Connection {
  readonly url: string;
  readonly key: string;
  /** The headers that identify the caller: the key, and the control token if there is one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of `body` that are undefined are left out. @throws SandboxError if the response is not a 2xx, or if there is none */
  call<T>(method: Method, path: string, body?: object): Promise<T>;
  remove(path: string): Promise<void>;
  /** Makes a call with a text as the body. */
  send<T>(method: Method, path: string, body: TextBody): Promise<T>;
  /** Returns the connection of another key to the same sandbox. */
  as(key: string): Connection;
}

export interface ConnectionSettings {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly controlToken: string | null;
  /**
   * The certificate of a sandbox in this process, in PEM. It is the only one trusted, for any name. Default: the
   * certificates that Node trusts.
   */
  readonly certificate?: string | null;
  /** Returns why the sandbox is closed; null while it is open. */
  readonly ended?: () => string | null;
}

export function openConnection(settings: ConnectionSettings): Connection {
  const { url, controlToken, certificate, ended } = settings;
  const key = headerText('the API key', settings.key);
  const headers: Record<string, string> = {
    Authorization: `Bearer ${key}`,
    Accept: 'application/json',
    'User-Agent': 'messaging-sandbox-client',
  };
  if (controlToken !== null) headers['X-Sandbox-Token'] = headerText('the control token', controlToken);

  const trust = certificate && { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };

  const send = async <T>(method: Method, path: string, body?: TextBody): Promise<T> => {
    const end = ended?.() ?? null;
    if (end !== null) throw new SandboxError({ code: 'closed', message: end });
    const ofBody = body && { 'Content-Type': body.contentType, 'Content-Length': Buffer.byteLength(body.text) };
    const options = { method, headers: { ...headers, ...ofBody }, ...trust };
    const answer = await exchange(url + path, options, body?.text).catch((error: unknown) => {
      throw unreachable(url, error);
    });
    const json = parseJson(answer.text);
    if (answer.status >= 200 && answer.status < 300) {
      return (answer.contentType.includes('json') ? json : answer.text) as T;
    }
    throw refusal(`${method} ${url}${path}`, answer.status, json);
  };
  return {
    url,
    key,
    headers,
    call: (method, path, body) =>
      send(
        method,
        path,
        body === undefined ? undefined : { text: JSON.stringify(body), contentType: 'application/json' },
      ),
    remove: async (path) => {
      await send('DELETE', path);
    },
    send,
    as: (other) => openConnection({ ...settings, key: other }),
  };
}

const plain = new Agent({ keepAlive: false });
/** Created only for the first https address, because loading TLS takes milliseconds. */
let secure: TlsAgent | undefined;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Rejects with the system's error if there is no response, or if the connection ends before the response does. */
function exchange(url: string, options: RequestOptions, body: string | undefined): Promise<Answer> {
  const isTls = url.startsWith('https:');
  const request = isTls ? httpsRequest : httpRequest;
  const agent = isTls ? (secure ??= new TlsAgent({ keepAlive: false })) : plain;
  return new Promise((resolve, reject) => {
    const call = request(url, { ...options, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, contentType: response.headers['content-type'] ?? '', text });
      });
    });
    call.once('error', reject);
    call.end(body);
  });
}

/** Returns `path?a=1&b=2`, escaped, including the plus sign of a number. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}

function headerText(name: string, text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw invalidOption(`Invalid value "${text}" for ${name}. Expected visible ASCII characters without spaces.`);
}

/** Returns the error for a call without a response, with a next step for its cause. */
export function unreachable(url: string, cause: unknown): SandboxError {
  const { code, reason } = systemError(cause);
  const message =
    code === 'ECONNREFUSED'
      ? `No server is listening at ${url}. Start a sandbox with "messaging-sandbox start", or wait until its container is healthy.`
      : /CERT|LEAF/.test(code)
        ? `The certificate of ${url} is not trusted: ${reason}. Name the file of its authority in NODE_EXTRA_CA_CERTS.`
        : `${url} cannot be reached: ${reason}. Check the URL, and that the sandbox is running.`;
  return new SandboxError({ code: 'unreachable', message, cause });
}

/**
 * The system's code and text. If a name has several addresses, they fail as an AggregateError, so its first error is
 * used.
 */
function systemError(cause: unknown): { readonly code: string; readonly reason: string } {
  const errors = cause instanceof AggregateError ? [cause, ...(cause.errors as unknown[])] : [cause];
  const known = errors.filter((error) => error instanceof Error);
  const code = known.flatMap((error) => ('code' in error ? [String(error.code)] : []))[0] ?? '';
  return { code, reason: known.find(({ message }) => message !== '')?.message ?? (code || String(cause)) };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly SandboxErrorDetail[];
  readonly near_misses?: readonly SandboxErrorDetail[];
  readonly warnings?: readonly SandboxErrorDetail[];
}

/** Turns an error response into an error with a line for each detail. A dialect may omit the outer object of the envelope. */
export function refusal(call: string, status: number, body: unknown): SandboxError {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : body;
  if (!isRefusal(error)) {
    const message = `${call}: the response ${status} does not come from a sandbox. Is another program on that port?`;
    return new SandboxError({ status, code: 'not_a_sandbox', message });
  }
  const details = error.details ?? [];
  // The message already contains a single detail.
  const lines = details.flatMap((detail) => [
    ...(details.length > 1 ? [`\n  ${placeOf(detail)}${detail.message}`] : []),
    // The corrected line of a scenario.
    ...(typeof detail['fixed'] === 'string' ? [`\n    write: ${detail['fixed'].trim()}`] : []),
  ]);
  return new SandboxError({
    status,
    code: error.code,
    message: error.message + lines.join(''),
    details: details.length > 0 ? details : (error.near_misses ?? []),
    warnings: error.warnings ?? [],
  });
}

function placeOf({ field, path, line, column }: SandboxErrorDetail): string {
  if (typeof line === 'number') return `${line}:${String(column)}: `;
  const place = typeof field === 'string' ? field : path;
  return typeof place === 'string' && place !== '' ? `${place}: ` : '';
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
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

interface Page<Item> {
  readonly items: Item[];
  readonly next: number | null;
}

const largestPage = 1000;

/** Returns the entries of a list, oldest first unless `order` is different: all pages, or at most `limit` entries. */
export async function listAll<Item>(connection: Connection, path: string, filter: Query = {}): Promise<Item[]> {
  if (filter['limit'] !== undefined) return (await connection.call<Page<Item>>('GET', withQuery(path, filter))).items;
  const cursor = filter['order'] === 'desc' ? 'before' : 'after';
  const items: Item[] = [];
  for (let query: Query = { ...filter, limit: largestPage }; ;) {
    const page = await connection.call<Page<Item>>('GET', withQuery(path, query));
    items.push(...page.items);
    if (page.next === null) return items;
    query = { ...query, [cursor]: page.next };
  }
}
