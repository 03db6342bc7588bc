/** A user of the application: calls it over HTTP, remembers values of its responses, and reads its state. */
import type { Program } from '../account/application.js';
import { isoTime } from '../domain/instant.js';
import { clipped } from '../domain/text.js';
import type { HttpAction } from '../language/application.js';
import { fitsStatus, NOW, placeholdersIn, stateIn } from '../language/calls.js';
import type { JsonValue } from '../language/kit.js';
import { pause } from '../time/system-clock.js';

/** Real time within which the application must respond, and within which a code must arrive. */
const RESPONSE_MS = 20_000;
const CODE_MS = 3_000;
const LOOK_AGAIN_MS = 100;
const MOST_TRIES = 4;
/** A user who is asked to wait for longer does not come back. */
const LONGEST_PAUSE_MS = 10_000;

interface UserParts {
  readonly program: Program;
  readonly codeOf: (phone: string) => string | null;
  readonly nowMs: () => number;
  readonly wait?: (ms: number) => Promise<void>;
}

export interface UserResponse {
  readonly status: number | null;
  readonly headers: Headers;
  readonly body: unknown;
  readonly words: string;
  /** The value that the call needed, or that the response was to have. */
  readonly lacked?: string;
}

/** Stands for a value that cannot be read: no 2xx response, or a path with an unknown value. */
export class Unread {
  /** `isThere`: the application responded, so that `null` describes it. */
  constructor(
    readonly reason: string,
    readonly isThere: boolean,
  ) {}
}

class Lack extends Error {}

/** Made anew each time: Node loads its `fetch` with the first headers, and a start needs none. */
const nothing = () => ({ status: null, headers: new Headers(), body: null });

export class ApplicationUser {
  readonly #saved = new Map<string, string>();

  constructor(private readonly parts: UserParts) {}

  forget(): void {
    this.#saved.clear();
  }

  /** Repeats the call while its failure may pass, and saves the values that it names. */
  async call(call: HttpAction): Promise<UserResponse> {
    const { save = {} } = call;
    try {
      const [address, init] = await this.#requestOf(call);
      let response = await this.#fetch(address, init);
      // As users do.
      for (let tries = 1; tries < MOST_TRIES && !isExpected(call, response); tries += 1) {
        if (!mayPass(response) || sendsAway(response)) break;
        await (this.parts.wait ?? pause)(pauseMsOf(response));
        this.parts.program.onComeback?.(isoTime(this.parts.nowMs()));
        response = await this.#fetch(address, init);
      }
      const lacking = Object.entries(save).filter(([name, path]) => !this.#save(name, valueAt(response.body, path)));
      const [lost] = lacking.map(([name, path]) => `a value at "${path}" in the JSON, to save as "${name}"`);
      return { ...response, ...(lost !== undefined && { lacked: lost }) };
    } catch (error) {
      if (error instanceof Lack) return { ...nothing(), words: 'not called', lacked: error.message };
      throw error;
    }
  }

  async #requestOf({ method, url, body, headers = {} }: HttpAction): Promise<[string, RequestInit]> {
    const text = body === undefined ? null : JSON.stringify(await this.#filledIn(body));
    const filled = Object.entries(headers).map(async ([name, value]) => [name, await this.#filled(value)] as const);
    const init = {
      method: method ?? (text === null ? 'GET' : 'POST'),
      headers: {
        ...(text !== null && { 'Content-Type': 'application/json' }),
        ...Object.fromEntries(await Promise.all(filled)),
      },
      ...(text !== null && { body: text }),
    };
    return [await this.#filled(url), init];
  }

  #save(name: string, value: unknown): boolean {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return false;
    this.#saved.set(name, String(value));
    return true;
  }

  async read(paths: readonly string[]): Promise<Record<string, unknown>> {
    const values = paths.map(async (path) => [path, await this.#valueAt(path)] as const);
    return Object.fromEntries(await Promise.all(values));
  }

  async #valueAt(path: string): Promise<unknown> {
    try {
      const [address = '', inside] = path.split('#');
      const { status, body, words } =
        address === 'stdout' ? this.#reported() : await this.#fetch(await this.#filled(address), {});
      if (status === null || status < 200 || status >= 300) return new Unread(words, status !== null);
      return inside === undefined ? body : (valueAt(body, await this.#filled(inside)) ?? null);
    } catch (error) {
      if (error instanceof Lack) return new Unread(error.message, false);
      throw error;
    }
  }

  #reported() {
    return { status: 200, body: stateIn(this.parts.program.stdout ?? ''), words: '' };
  }

  async #fetch(url: string, init: RequestInit): Promise<UserResponse> {
    const { origin } = this.parts.program;
    if (!URL.canParse(url, origin === '' ? undefined : origin)) {
      return {
        ...nothing(),
        words: `no response: the address of the application is unknown; give --wait-for or SANDBOX_APPLICATION_URL`,
      };
    }
    try {
      const target = new URL(url, origin === '' ? undefined : origin);
      const response = await fetch(target, { ...init, signal: AbortSignal.timeout(RESPONSE_MS) });
      const text = await response.text();
      const { status, headers } = response;
      return { status, headers, body: parsed(text), words: `${status} ${clipped(text, 200)}`.trim() };
    } catch (error) {
      const { cause } = error as Error;
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : (error as Error).message;
      return { ...nothing(), words: `no response: ${reason}` };
    }
  }

  async #filledIn(value: JsonValue): Promise<JsonValue> {
    if (typeof value === 'string') return this.#filled(value);
    if (Array.isArray(value)) return Promise.all(value.map((one) => this.#filledIn(one)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, one]) => [key, await this.#filledIn(one)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  /**
   * `${name}` is a saved value; `${code +12025550123}` is the latest one-time code of a number, `${now}` the account's time.
   * @throws Lack if there is none
   */
  async #filled(text: string): Promise<string> {
    let filled = text;
    for (const { whole, name, phone } of placeholdersIn(text)) {
      const value = phone === undefined ? this.#valueOf(name) : await this.#code(phone);
      if (value === undefined) throw new Lack(`a value for ${whole}; no step before has saved one`);
      if (value === null) throw new Lack(`a value for ${whole}; no code was sent to ${phone ?? ''}`);
      filled = filled.replaceAll(whole, () => value);
    }
    return filled;
  }

  #valueOf(name: string): string | undefined {
    return name === NOW ? isoTime(this.parts.nowMs()) : this.saved(name);
  }

  saved(name: string): string | undefined {
    return this.#saved.get(name);
  }

  async #code(phone: string): Promise<string | null> {
    for (let leftMs = CODE_MS; ; leftMs -= LOOK_AGAIN_MS) {
      const code = this.parts.codeOf(phone);
      if (code !== null || leftMs <= 0) return code;
      await pause(LOOK_AGAIN_MS);
    }
  }
}

/** Statuses after which a user tries again: the application is busy, or what it depends on has failed. */
const passing: readonly (number | null)[] = [409, 429, 502, 503, 504];
const mayPass = ({ status }: UserResponse): boolean => passing.includes(status);

const pauseMsOf = ({ headers }: UserResponse): number => 1000 * (Number(headers.get('retry-after')) || 1);

/** The application asks for a call at a later time than a user waits for. */
export const sendsAway = (response: UserResponse): boolean =>
  mayPass(response) && pauseMsOf(response) > LONGEST_PAUSE_MS;

const isExpected = (call: HttpAction, { status }: UserResponse): boolean => status !== null && fitsStatus(call, status);

function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
