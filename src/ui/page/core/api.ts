/**
 * The control plane, typed by its document. A call that is rejected throws an `ApiError` with the message of the
 * sandbox; `act` shows it as a toast.
 */
import createClient, { type Client, type ClientPathsWithMethod } from 'openapi-fetch';
import type { FetchResponse, RequestBodyOption } from 'openapi-fetch';
import type { paths } from '../../../generated/control.js';
import { download } from './browser.js';
import { latin1 } from './curl.js';
import { draft } from './kept.js';
import type { PageOf } from './live-list.js';
import { toast } from './toasts.js';

interface Details {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly { readonly field?: string; readonly message: string }[];
}

/** An error response of the sandbox. `status` 0: the sandbox could not be reached. */
export class ApiError extends Error {
  readonly code: string;
  readonly details: NonNullable<Details['details']>;

  constructor(
    readonly status: number,
    body: unknown,
  ) {
    const {
      code = '',
      message = `The sandbox responded with ${status}.`,
      details = [],
    } = (Object(body) as { error?: Details }).error ?? {};
    super(message);
    this.code = code;
    this.details = details;
  }

  /** The message, and the details that it does not have. */
  get words(): string[] {
    const others = this.details.filter(({ message }) => !this.message.includes(message));
    return [this.message, ...others.map(({ field, message }) => `${field ?? 'body'}: ${message}`)];
  }
}

/** The control token, if the sandbox requires one. It is stored for this tab only. */
export const controlToken = draft<string | null>('control-token', null);

type Method = 'get' | 'put' | 'post' | 'delete';
type Path<M extends Method> = ClientPathsWithMethod<Client<paths>, M>;
type Operation<M extends Method, P extends Path<M>> = paths[P] extends Record<M, infer O> ? O : never;
type Given<O> = (O extends { parameters: infer P extends object } ? Pick<P, keyof P & ('path' | 'query')> : unknown) &
  RequestBodyOption<O> & { readonly parseAs?: 'text'; readonly signal?: AbortSignal };
type Call<M extends Method> = <P extends Path<M>>(
  path: P,
  ...given: object extends Given<Operation<M, P>> ? [Given<Operation<M, P>>?] : [Given<Operation<M, P>>]
) => Promise<NonNullable<FetchResponse<Operation<M, P> & Record<string, unknown>, object, 'application/json'>['data']>>;

/** Calls of the control plane, by their method. Each returns the body of the response, or throws an `ApiError`. */
export type Api = { readonly [M in Method]: Call<M> };

/**
 * @param key null to send no Authorization header: for calls about the whole sandbox
 * @param onChange is called when a call that can change something has succeeded
 */
export function apiOf(key: string | null, onChange: () => void = () => undefined): Api {
  const client = createClient<paths>({ baseUrl: location.origin });
  client.use({
    onRequest: ({ request }) => {
      if (key !== null) request.headers.set('Authorization', `Bearer ${latin1(key)}`);
      if (controlToken.value !== null) request.headers.set('X-Sandbox-Token', latin1(controlToken.value));
    },
    onResponse: async ({ request, response }) => {
      if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
      if (request.method !== 'GET') onChange();
    },
    onError: () => new ApiError(0, { error: { message: 'The sandbox does not respond. Is it still running?' } }),
  });
  const call = (method: Method) =>
    (async (path: never, { path: inPath, query, ...rest }: Record<string, unknown> = {}) =>
      (await client.request(method, path, { params: { path: inPath, query }, ...rest } as never)).data) as never;
  return { get: call('get'), put: call('put'), post: call('post'), delete: call('delete') };
}

/** Options of a call whose body is the text of a YAML file. */
export function yaml(text: string) {
  // The document describes what the text says, not that it is text.
  return { body: text as never, bodySerializer: String, headers: { 'Content-Type': 'application/yaml' } };
}

export async function allOf<T>(read: (page: { after: number; limit: number }) => Promise<PageOf<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let after: number | null = 0; after !== null;) {
    const { items, next } = await read({ after, limit: 1000 });
    all.push(...items);
    after = next;
  }
  return all;
}

/**
 * Performs an action of the user; an error becomes a toast.
 * @returns the response, which is undefined if it has no body, or null after an error
 */
export async function act<T>(work: Promise<T>, good?: string): Promise<T | null> {
  try {
    const body = await work;
    if (good !== undefined) toast('good', good);
    return body;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [message = '', ...details] = error.words;
    toast('bad', message, details);
    return null;
  }
}

export async function save(call: Promise<unknown>, name: string, type: string): Promise<void> {
  const text = await act(call);
  if (typeof text === 'string') download(name, text, type);
}

/**
 * Performs an action that a snapshot can undo; a toast then offers the undo.
 * @param name the name of the snapshot; an earlier one with that name is replaced
 * @param words what was done, with the account's name: the toast may be seen from another account
 * @throws ApiError
 */
export async function undoable(api: Api, name: string, words: string, work: () => Promise<unknown>): Promise<void> {
  const path = { name };
  const save = async () => {
    const { items } = await api.get('/_sandbox/snapshots', { query: { name } });
    if (items.length > 0) await api.delete('/_sandbox/snapshots/{name}', { path });
    return api.post('/_sandbox/snapshots', { body: { name } });
  };
  const restore = () => api.post('/_sandbox/snapshots/{name}/restore', { path });
  const saved = await save().catch(() => null);
  await work();
  if (!saved) toast('good', `${words} There was no space for a snapshot, so this cannot be undone.`);
  else {
    const run = () => void act(restore(), 'Undone: the account is back in its previous state.');
    toast('good', words, [], { label: 'Undo', run });
  }
}
