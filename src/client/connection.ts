import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { machineTime } from '../time/system-clock.js';
import { invalidOption, refusal, SandboxError, unreachable } from './sandbox-error.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Undefined parameters are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Connection {
  readonly url: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Undefined fields of `body` are omitted; a string is sent unchanged, by default as YAML. Returns JSON, or text if
   * the response is not JSON.
   * @throws SandboxError if the response is not a 2xx, or if there is none
   */
  readonly call: <T>(method: Method, path: string, body?: object | string, textType?: string) => Promise<T>;
  /** All pages, or at most `limit` entries; oldest first unless `order` is different. */
  readonly list: <Item>(path: string, filter?: Query) => Promise<Item[]>;
  readonly as: (key: string) => Connection;
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
  /** Null while the sandbox is open. */
  readonly ended?: () => string | null;
}

/** Calls wait until `begin`, which is called at once, has ended. */
export function beginning(connection: Connection, begin: () => Promise<unknown>): Connection {
  const begun = begin();
  // Each call reports the error.
  begun.catch(() => undefined);
  return {
    ...connection,
    call: async (...given) => {
      await begun;
      return connection.call(...given);
    },
    list: async (...given) => {
      await begun;
      return connection.list(...given);
    },
  };
}

const largestPage = 1000;

export function openConnection(settings: ConnectionSettings): Connection {
  const { url, key, controlToken, certificate, ended } = settings;
  const headers = headersFor(key, controlToken);
  const trust = certificate && { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };

  const call: Connection['call'] = async <T>(
    method: Method,
    path: string,
    body?: object | string,
    textType = 'application/yaml',
  ): Promise<T> => {
    const end = ended?.() ?? null;
    if (end !== null) throw new SandboxError({ code: 'closed', message: end });
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = { 'Content-Type': content === body ? textType : 'application/json' };
    const all = { ...headers, ...(content !== undefined && type) };
    const response = await exchange(url + path, { method, headers: all, ...trust }, content).catch((error: unknown) => {
      throw unreachable(url, error);
    });
    const { status } = response;
    if (status < 200 || status > 299) throw refusal(`${method} ${url}${path}`, status, parseJson(response.body));
    if (status === 204) return undefined as T;
    return (response.isJson ? parseJson(response.body) : response.body) as T;
  };

  const list = async <Item>(path: string, filter: Query = {}): Promise<Item[]> => {
    const cursor = filter['order'] === 'desc' ? 'before' : 'after';
    const items: Item[] = [];
    for (let query: Query = { limit: largestPage, ...filter }; ;) {
      const page = await call<{ items: Item[]; next: number | null }>('GET', withQuery(path, query));
      items.push(...page.items);
      if (page.next === null || filter['limit'] !== undefined) return items;
      query = { ...query, [cursor]: page.next };
    }
  };

  return { url, key, headers, call, list, as: (other) => openConnection({ ...settings, key: other }) };
}

/** Node lets a process end although idle connections are open. */
const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

/**
 * Connections are kept for this time without a call. Whether the sandbox closed one while a debugger, or a command that
 * a test waited for, held up this process would be seen too late, in the next call.
 */
const longestIdleMs = 1_000;
let calledMs = -Infinity;

function keptConnections(url: string): HttpAgent {
  const agent = url.startsWith('https:') ? agents.https : agents.http;
  const now = machineTime.monotonic();
  if (now - calledMs > longestIdleMs) {
    const idle = Object.values(agents).flatMap(({ freeSockets }) => Object.values(freeSockets));
    for (const socket of idle.flat()) socket?.destroy();
  }
  calledMs = now;
  return agent;
}

/**
 * Makes a call over node:http, because a test may have replaced or intercepted the global `fetch`, and because `fetch`
 * gives up on a long `advance`.
 */
async function exchange(url: string, options: RequestOptions, body = '') {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const length = body !== '' && { 'Content-Length': Buffer.byteLength(body) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...(options.headers as object), ...length };
    // A connection may also break after the response has begun.
    request(url, { ...options, headers, agent: keptConnections(url) })
      .once('response', resolve)
      .on('error', reject)
      .end(body);
  });
  const { statusCode: status = 0, headers } = response;
  return { status, isJson: headers['content-type']?.includes('json') === true, body: await text(response) };
}

export function at(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
}

/** `path?a=1&b=2`, escaped, including the plus sign of a number. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given as [string, string][]).toString()}`;
}

/** @throws SandboxError `invalid_option` for a text that cannot be in a header */
export function headersFor(key: string, controlToken: string | null): Record<string, string> {
  const checked = (name: string, value: string): string => {
    if (/^[\x21-\x7e]+$/.test(value)) return value;
    throw invalidOption(`Invalid value "${value}" for ${name}. Expected visible ASCII characters without spaces.`);
  };
  return {
    Authorization: `Bearer ${checked('the API key', key)}`,
    Accept: 'application/json',
    'User-Agent': 'messaging-sandbox-client',
    ...(controlToken !== null && { 'X-Sandbox-Token': checked('the control token', controlToken) }),
  };
}

/** Undefined for a text that is not JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
