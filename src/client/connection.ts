/** Makes calls to a sandbox for one account. Paths, bodies and results have the types of the two documents. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import createClient, { type Client } from 'openapi-fetch';
import type { paths as ApiPaths } from '../generated/api.js';
import type { paths as ControlPaths } from '../generated/control.js';
import { invalidOption, refusal, SandboxError, unreachable } from './sandbox-error.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Query parameters; undefined ones are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Connection {
  readonly url: string;
  readonly key: string;
  /** The headers that identify the caller: the key, and the control token if there is one. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Typed calls to both planes. They reject with a SandboxError if the response is not a 2xx. The published types leave it
   * out, because those of openapi-fetch need the DOM's: take it from a connection, never in the parameters.
   * @internal
   */
  readonly api: Client<ControlPaths & ApiPaths>;
  /**
   * Makes any call. Fields of `body` that are undefined are omitted; a string is sent as it is, by default as YAML.
   * @returns the JSON of the response, or its text if it is not JSON
   * @throws SandboxError if the response is not a 2xx, or if there is none
   */
  readonly call: <T>(method: Method, path: string, body?: object | string, contentType?: string) => Promise<T>;
  /** Returns the connection of another key to the same sandbox. */
  readonly as: (key: string) => Connection;
}

export interface ConnectionSettings {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly controlToken: string | null;
  /** Returns why the sandbox is closed; null while it is open. */
  readonly ended?: () => string | null;
}

export function openConnection(settings: ConnectionSettings): Connection {
  const { url, key, controlToken, ended } = settings;
  const headers = headersFor(key, controlToken);

  const fetch = async (request: Request): Promise<Response> => {
    const end = ended?.() ?? null;
    if (end !== null) throw new SandboxError({ code: 'closed', message: end });
    const response = await exchange(request).catch((error: unknown) => {
      throw unreachable(url, error);
    });
    if (response.ok) return response;
    throw refusal(`${request.method} ${request.url}`, response.status, parseJson(await response.text()));
  };
  const api = createClient<ControlPaths & ApiPaths>({ baseUrl: url, headers, fetch });
  return {
    url,
    key,
    headers,
    api,
    call: async <T>(method: Method, path: string, body?: object | string, contentType = 'application/yaml') => {
      const text = typeof body === 'string' && { headers: { 'Content-Type': contentType }, bodySerializer: String };
      // The path is complete, so it has no place in the types.
      const options = { body, ...text, parseAs: 'text' } as never;
      const { data, response } = await api.request(method.toLowerCase() as 'get', path as '/livez', options);
      return (response.headers.get('content-type')?.includes('json') ? parseJson(String(data)) : data) as T;
    },
    as: (other) => openConnection({ ...settings, key: other }),
  };
}

/** Returns the body of a successful response; others were thrown. */
export async function bodyOf<T>(call: Promise<{ readonly data?: T }>): Promise<T> {
  return (await call).data as T;
}

/**
 * Makes a call over node:http, because a test may have replaced or intercepted the global `fetch`, and because `fetch`
 * gives up on a long `advance`. Each call has its own connection: an open socket would keep the process alive.
 */
async function exchange(asked: Request): Promise<Response> {
  const body = Buffer.from(await asked.arrayBuffer());
  const headers = { ...Object.fromEntries(asked.headers), ...(body.length > 0 && { 'Content-Length': body.length }) };
  const request = asked.url.startsWith('https:') ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(asked.url, { method: asked.method, headers, agent: false });
    // A connection may also break after the response has begun.
    call.once('response', resolve).on('error', reject).end(body);
  });
  const { statusCode: status = 0, headers: received } = response;
  const bytes = await buffer(response);
  return new Response(status === 204 ? null : bytes, {
    status,
    headers: { 'Content-Type': received['content-type'] ?? '' },
  });
}

/** Returns `path?a=1&b=2`, escaped, including the plus sign of a number. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given as [string, string][]).toString()}`;
}

/**
 * Returns the headers that identify the caller.
 * @throws SandboxError `invalid_option` for a text that cannot stand in a header
 */
export function headersFor(key: string, controlToken: string | null): Record<string, string> {
  const checked = (name: string, text: string): string => {
    if (/^[\x21-\x7e]+$/.test(text)) return text;
    throw invalidOption(`Invalid value "${text}" for ${name}. Expected visible ASCII characters without spaces.`);
  };
  return {
    Authorization: `Bearer ${checked('the API key', key)}`,
    Accept: 'application/json',
    'User-Agent': 'messaging-sandbox-client',
    ...(controlToken !== null && { 'X-Sandbox-Token': checked('the control token', controlToken) }),
  };
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type Listed<Path extends keyof ControlPaths> = ControlPaths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': { items: (infer Item)[] } } } } };
}
  ? Item
  : never;
/** The paths of lists. */
export type ListPath = {
  [Path in keyof ControlPaths]: [Listed<Path>] extends [never] ? never : Path;
}[keyof ControlPaths];

const largestPage = 1000;

/**
 * Returns the entries of a list, oldest first unless `order` is different: all pages, or at most `limit` entries.
 * @param inPath the parameters of the path
 */
export async function listAll<Path extends ListPath, Item = Listed<Path>>(
  connection: Connection,
  path: Path,
  filter: Query = {},
  inPath: Readonly<Record<string, string>> = {},
): Promise<Item[]> {
  const cursor = filter['order'] === 'desc' ? 'before' : 'after';
  const items: Item[] = [];
  for (let query: Query = { limit: largestPage, ...filter }; ;) {
    const params = { path: inPath, query };
    const page = (await bodyOf(connection.api.GET(path, { params } as never))) as {
      items: Item[];
      next: number | null;
    };
    items.push(...page.items);
    if (page.next === null || filter['limit'] !== undefined) return items;
    query = { ...query, [cursor]: page.next };
  }
}

/** Returns the calls of the journal with their bodies. Their list shows none, so each call is read on its own. */
export async function listRequests<Item>(connection: Connection, filter?: Query): Promise<Item[]> {
  const listed = await listAll(connection, '/_sandbox/requests', filter);
  return Promise.all(listed.map(({ id }) => connection.call<Item>('GET', `/_sandbox/requests/${id}`)));
}
