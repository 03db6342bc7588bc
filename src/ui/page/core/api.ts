/**
 * The client of the control plane. Its document types paths, bodies and responses. A rejected call throws an `ApiError`
 * with the message of the sandbox; `act` shows it as a toast.
 */
import type { paths } from '../../../generated/control.js';
import { draft } from './preference.js';
import { headerText } from './snippets.js';
import { toast } from './toasts.js';

type Method = 'get' | 'post' | 'put' | 'delete';
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer O> ? O : never;
type Json<C> = C extends { content: infer T }
  ? 'application/json' extends keyof T
    ? T['application/json']
    : string
  : undefined;
type Answer<O> = O extends { responses: infer R }
  ? 200 extends keyof R
    ? Json<R[200]>
    : 201 extends keyof R
      ? Json<R[201]>
      : undefined
  : never;
type Part<O, N extends string> = O extends { parameters: infer T } ? (N extends keyof T ? T[N] : never) : never;
type BodyOf<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: infer C }
    ? 'application/json' extends keyof C
      ? C['application/json']
      : never
    : never
  : never;

interface Call<O> {
  readonly path?: NonNullable<Part<O, 'path'>>;
  readonly query?: NonNullable<Part<O, 'query'>>;
  readonly body?: BodyOf<O>;
}

/** An error response of the sandbox, with its message. `status` 0: the sandbox could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly { readonly field?: string; readonly message: string }[] = [],
    /** The whole response, for errors with more details. */
    readonly answer: unknown = null,
  ) {
    super(message);
  }
}

/** Whether there was no response. The connection indicator shows this, and the current data may stay. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

export class Api {
  /** @param key null to send no Authorization header: for the default account, and for calls about the whole sandbox */
  constructor(readonly key: string | null) {}

  get = <P extends PathOf<'get'>>(path: P, call: Call<Operation<'get', P>> = {}) => this.#call('get', path, call);
  post = <P extends PathOf<'post'>>(path: P, call: Call<Operation<'post', P>> = {}) => this.#call('post', path, call);
  put = <P extends PathOf<'put'>>(path: P, call: Call<Operation<'put', P>> = {}) => this.#call('put', path, call);
  delete = <P extends PathOf<'delete'>>(path: P, call: Call<Operation<'delete', P>> = {}) =>
    this.#call('delete', path, call);

  async #call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    call: Call<Operation<M, P>>,
  ): Promise<Answer<Operation<M, P>>> {
    const { path: params = {}, query = {}, body } = call as LooseCall;
    const url = addressOf(path, params, query);
    return (await this.send(method, url, body === undefined ? null : JSON.stringify(body))) as Answer<Operation<M, P>>;
  }

  /**
   * Makes any call, for bodies that are not JSON, such as a scenario's YAML.
   * @returns the JSON of the response, or its text
   * @throws ApiError
   */
  async send(method: string, url: string, body: string | null, contentType = 'application/json'): Promise<unknown> {
    const headers: Record<string, string> = {
      ...(this.key !== null && { Authorization: `Bearer ${headerText(this.key)}` }),
      ...(controlToken.value !== null && { 'X-Sandbox-Token': headerText(controlToken.value) }),
      ...(body !== null && { 'Content-Type': contentType }),
    };
    const { response, text } = await answered(url, { method: method.toUpperCase(), headers, body });
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const answer: unknown = isJson ? JSON.parse(text) : text;
    if (!response.ok) throw refusal(response.status, answer);
    return answer;
  }
}

/** @throws ApiError with status 0 if there is no response, or an incomplete one */
async function answered(url: string, call: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, call);
    return { response, text: await response.text() };
  } catch {
    throw new ApiError(0, 'unreachable', 'The sandbox does not respond. Is it still running?');
  }
}

type Values = Readonly<Record<string, unknown>>;

/** Makes any call; the compiler has checked its types. */
interface LooseCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Values;
  readonly body?: unknown;
}

function addressOf(path: string, params: Readonly<Record<string, string>>, query: Values): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
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
    tellRefusal(error);
    return null;
  }
}

/**
 * Shows an error as a toast.
 * @throws any error that is not from the API
 */
export function tellRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  toast(
    'bad',
    error.message,
    error.details.map(({ field, message }) => `${field ?? 'body'}: ${message}`),
  );
}

/** The control token, if the sandbox requires one. It is stored for this tab only. */
export const controlToken = draft<string | null>('control-token', null);
