/**
 * The control plane, typed by its document. `done` throws an `ApiError` with the message of the sandbox; `act` shows it
 * as a toast.
 */
import createClient from 'openapi-fetch';
import type { paths } from '../../../generated/control.js';
import { ApiError } from './api-error.js';
import { latin1 } from './curl.js';
import { draft } from './kept.js';
import { toast } from './toasts.js';

/** The control token, if the sandbox requires one. It is stored for this tab only. */
export const controlToken = draft<string | null>('control-token', null);

/** @param key null to send no Authorization header: for calls about the whole sandbox */
function credentials(key: string | null): [string, string][] {
  return [
    ...(key === null ? [] : [['Authorization', `Bearer ${latin1(key)}`] as [string, string]]),
    ...(controlToken.value === null ? [] : [['X-Sandbox-Token', latin1(controlToken.value)] as [string, string]]),
  ];
}

export type Api = ReturnType<typeof apiOf>;

export function apiOf(key: string | null) {
  const client = createClient<paths>({ baseUrl: location.origin, fetch: reach });
  client.use({
    onRequest: ({ request }) => {
      for (const [name, value] of credentials(key)) request.headers.set(name, value);
    },
  });
  return client;
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    throw new ApiError(0, 'unreachable', 'The sandbox does not respond. Is it still running?');
  }
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** @throws ApiError */
export async function done<T>(call: Promise<Answered<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw refusal(response.status, error);
  return data as NonNullable<T>;
}

/**
 * Makes a call whose body is not JSON, such as a scenario's YAML.
 * @throws ApiError
 */
export async function sendText(
  key: string,
  method: string,
  path: string,
  body: string,
  type: string,
): Promise<unknown> {
  const headers = [...credentials(key), ['Content-Type', type] as [string, string]];
  const response = await reach(new Request(location.origin + path, { method, headers, body }));
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const answer: unknown = isJson ? JSON.parse(text) : text;
  if (!response.ok) throw refusal(response.status, answer);
  return answer;
}

function refusal(status: number, answer: unknown): ApiError {
  const { error } = (typeof answer === 'object' && answer !== null ? answer : {}) as {
    error?: { code?: string; message?: string; details?: ApiError['details'] };
  };
  const message = error?.message ?? `The sandbox responded with ${status}.`;
  return new ApiError(status, error?.code ?? 'unknown', message, error?.details, answer);
}

/**
 * Performs an action of the user; an error becomes a toast.
 * @returns the response, or null after an error
 */
export async function act<T>(work: Promise<T>, good?: string): Promise<T | null> {
  try {
    const answer = await work;
    if (good !== undefined) toast('good', good);
    return answer;
  } catch (error) {
    showError(error);
    return null;
  }
}

/** Performs an action that has no response. Returns whether it succeeded; an error becomes a toast. */
export async function succeeded(call: Promise<Answered<unknown>>, good?: string): Promise<boolean> {
  return (
    (await act(
      done(call).then(() => true),
      good,
    )) ?? false
  );
}

/**
 * Shows an error as a toast.
 * @throws any error that is not from the API
 */
export function showError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  toast(
    'bad',
    error.message,
    error.details.map(({ field, message }) => `${field ?? 'body'}: ${message}`),
  );
}

/**
 * Performs an action that a snapshot can undo; a toast then offers the undo.
 * @param name the name of the snapshot; an earlier one with that name is replaced
 * @param words what was done, with the account's name: the toast may be seen from another account
 * @param work returns whether it succeeded
 */
export async function undoable(api: Api, name: string, words: string, work: () => Promise<boolean>): Promise<boolean> {
  const saved = await saveAs(api, name);
  if (!(await work())) return false;
  const restore = () =>
    act(
      done(api.POST('/_sandbox/snapshots/{name}/restore', { params: { path: { name } } })),
      'Undone: the account is back in its previous state.',
    );
  if (saved) toast('good', words, [], { label: 'Undo', run: () => void restore() });
  else toast('good', `${words} There was no space for a snapshot, so this cannot be undone.`);
  return true;
}

/**
 * Takes a snapshot, which replaces one of that name.
 * @returns whether it was taken
 */
async function saveAs(api: Api, name: string): Promise<boolean> {
  try {
    const { items } = await done(api.GET('/_sandbox/snapshots', { params: { query: { name } } }));
    if (items.length > 0) await done(api.DELETE('/_sandbox/snapshots/{name}', { params: { path: { name } } }));
    await done(api.POST('/_sandbox/snapshots', { body: { name } }));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}
