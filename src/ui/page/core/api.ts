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

export type Api = ReturnType<typeof apiOf>;

/** @param key null to send no Authorization header: for calls about the whole sandbox */
export function apiOf(key: string | null) {
  const client = createClient<paths>({ baseUrl: location.origin, fetch: reach });
  client.use({
    onRequest: ({ request }) => {
      if (key !== null) request.headers.set('Authorization', `Bearer ${latin1(key)}`);
      if (controlToken.value !== null) request.headers.set('X-Sandbox-Token', latin1(controlToken.value));
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

/** Options of a call whose body is the text of a YAML file. */
export function yaml(text: string) {
  // The document describes what the text says, not that it is text.
  return { body: text as never, bodySerializer: String, headers: { 'Content-Type': 'application/yaml' } };
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

/** @param answer the body of the response */
export function refusal(status: number, answer: unknown): ApiError {
  const { error } = Object(answer) as { error?: { code?: string; message?: string; details?: ApiError['details'] } };
  const message = error?.message ?? `The sandbox responded with ${status}.`;
  return new ApiError(status, error?.code ?? 'unknown', message, error?.details);
}

/**
 * Performs an action of the user; an error becomes a toast.
 * @returns the response, which is undefined if it has no body, or null after an error
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

/**
 * Shows an error as a toast.
 * @throws any error that is not from the API
 */
export function showError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  toast('bad', error.message, error.more);
}

/**
 * Performs an action that a snapshot can undo; a toast then offers the undo.
 * @param name the name of the snapshot; an earlier one with that name is replaced
 * @param words what was done, with the account's name: the toast may be seen from another account
 * @returns whether it succeeded
 */
export async function undoable(api: Api, name: string, words: string, work: () => Promise<unknown>): Promise<boolean> {
  const params = { path: { name } };
  const save = async () => {
    const { items } = await done(api.GET('/_sandbox/snapshots', { params: { query: { name } } }));
    if (items.length > 0) await done(api.DELETE('/_sandbox/snapshots/{name}', { params }));
    return done(api.POST('/_sandbox/snapshots', { body: { name } }));
  };
  const restore = () =>
    act(
      done(api.POST('/_sandbox/snapshots/{name}/restore', { params })),
      'Undone: the account is back in its previous state.',
    );
  const saved = await save().catch(() => null);
  if ((await act(work())) === null) return false;
  if (saved) toast('good', words, [], { label: 'Undo', run: () => void restore() });
  else toast('good', `${words} There was no space for a snapshot, so this cannot be undone.`);
  return true;
}
