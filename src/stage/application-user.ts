/** A user of the application: calls it over HTTP, remembers values of its responses, and reads its state. */
import type { HttpAction } from '../language/application.js';
import { pause } from '../time/system-clock.js';

/** Real time within which the application must respond, and within which a code must arrive. */
const RESPONSE_MS = 20_000;
const CODE_MS = 3_000;
const LOOK_AGAIN_MS = 100;
const MOST_TRIES = 4;
const LONGEST_PAUSE_MS = 3_000;

interface UserParts {
  /** The address of the application, such as http://127.0.0.1:3000; empty if only complete URLs are called. */
  readonly origin: string;
  /** Returns the latest code that was sent to a number; null if there is none. */
  readonly codeOf: (phone: string) => Promise<string | null>;
  /** Returns what a command has written; absent if there is none. */
  readonly stdout?: (() => string) | undefined;
}

export interface UserResponse {
  readonly status: number | null;
  readonly headers: Headers;
  /** The JSON value, or the text. */
  readonly body: unknown;
  /** The response in words, for a report. */
  readonly words: string;
}

export class ApplicationUser {
  readonly #saved = new Map<string, string>();

  constructor(private readonly parts: UserParts) {}

  /** Makes a call, again while the application asks for that, and saves the values that it names. */
  async call({ method, url, body, headers = {}, save = {}, status: answered }: HttpAction): Promise<UserResponse> {
    const text = body === undefined ? null : await this.#filled(JSON.stringify(body));
    const address = await this.#filled(url);
    const init = {
      method: method ?? (text === null ? 'GET' : 'POST'),
      headers: { ...(text !== null && { 'Content-Type': 'application/json' }), ...headers },
      ...(text !== null && { body: text }),
    };
    let response = await this.#fetch(address, init);
    // As users do, when the application asks for it.
    for (let tries = 1; tries < MOST_TRIES && asksAgain(response) && String(response.status) !== answered; tries += 1) {
      await pause(Math.min(1000 * (Number(response.headers.get('retry-after')) || 1), LONGEST_PAUSE_MS));
      response = await this.#fetch(address, init);
    }
    for (const [name, path] of Object.entries(save)) this.#saved.set(name, textOf(valueAt(response.body, path)));
    return response;
  }

  /** Returns what the application shows at these paths; null for a path without a 2xx response, or a line without JSON. */
  async read(paths: readonly string[]): Promise<Record<string, unknown>> {
    const values = paths.map(async (path) => {
      const [address = '', inside] = path.split('#');
      const { status, body } =
        address === 'stdout' ? this.#reported() : await this.#fetch(await this.#filled(address), {});
      const isThere = status !== null && status >= 200 && status < 300;
      return [path, isThere ? (inside === undefined ? body : (valueAt(body, inside) ?? null)) : null] as const;
    });
    return Object.fromEntries(await Promise.all(values));
  }

  #reported() {
    return { status: 200, body: stateIn(this.parts.stdout?.() ?? '') };
  }

  async #fetch(url: string, init: RequestInit): Promise<UserResponse> {
    const nothing = { status: null, headers: new Headers(), body: null };
    const { origin } = this.parts;
    if (!URL.canParse(url, origin === '' ? undefined : origin)) {
      return { ...nothing, words: 'no response: the address of the application is unknown; give --wait-for' };
    }
    try {
      const target = new URL(url, origin === '' ? undefined : origin);
      const response = await fetch(target, { ...init, signal: AbortSignal.timeout(RESPONSE_MS) });
      const text = await response.text();
      const { status, headers } = response;
      return { status, headers, body: parsed(text), words: `${status} ${text.slice(0, 200)}`.trim() };
    } catch (error) {
      const { cause } = error as Error;
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : (error as Error).message;
      return { ...nothing, words: `no response: ${reason}` };
    }
  }

  /** `${name}` is a saved value; `${code +12025550123}` is the latest one-time code of a number. */
  async #filled(text: string): Promise<string> {
    let filled = text;
    for (const [whole, name = ''] of text.matchAll(/\$\{([^}]+)\}/g)) {
      const phone = /^code (\+\d+)$/.exec(name)?.[1];
      const value = phone === undefined ? this.#saved.get(name) : await this.#code(phone);
      filled = filled.replaceAll(whole, value ?? '');
    }
    return filled;
  }

  async #code(phone: string): Promise<string | null> {
    for (let leftMs = CODE_MS; ; leftMs -= LOOK_AGAIN_MS) {
      const code = await this.parts.codeOf(phone).catch(() => null);
      if (code !== null || leftMs <= 0) return code;
      await pause(LOOK_AGAIN_MS);
    }
  }
}

const asksAgain = ({ status }: UserResponse): boolean => status === 409 || status === 429 || status === 503;

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** @param path a dotted path; an index is a name too */
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

/** Returns the last line of output if it is a JSON object, which is the state that a command reports; else null. */
export function stateIn(output: string): unknown {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    return line.startsWith('{') ? (JSON.parse(line) as unknown) : null;
  } catch {
    return null;
  }
}
