/** The sandbox that an agent works with, its own or one that runs elsewhere, and the type of the tools that do so. */
import type { z } from 'zod';
import type { SandboxAccount } from '../client/account.js';
import { type ConnectOptions, connectSandbox, type SandboxClient } from '../client/client.js';
import type { SandboxOptions } from '../client/create-sandbox.js';
import { SandboxError } from '../client/sandbox-error.js';

interface Attachment {
  /** Default: the sandbox that was attached first. */
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  /** Default: the token that this sandbox was last attached with. */
  readonly controlToken?: string | null | undefined;
}

/** Runs a command of the command line to its end. */
export type RunCommand = (args: readonly string[]) => Promise<{ readonly stdout: string; readonly stderr: string }>;

export class Session {
  #client: SandboxClient | null = null;
  #account: SandboxAccount | null = null;
  /** The sandboxes that were attached, so that an agent can return to one whose token it does not know. */
  readonly #known = new Map<string, ConnectOptions>();

  constructor(readonly runCommand: RunCommand) {}

  /** @throws SandboxError `not_started` if there is none */
  get account(): SandboxAccount {
    if (this.#account) return this.#account;
    const message = 'No sandbox is attached. Call start for a new one, or attach with the URL of a running one.';
    throw new SandboxError({ code: 'not_started', message });
  }

  /** @param options those of `createSandbox`, which checks them; the clock is frozen by default */
  async start({ clock = 'frozen', ...options }: Readonly<Record<string, unknown>>): Promise<SandboxAccount> {
    // The server is loaded only when one is started.
    const { createSandbox } = await import('../client/create-sandbox.js');
    return this.#take(await createSandbox({ logLevel: 'silent', clock, ...options } as SandboxOptions));
  }

  /** @throws SandboxError `url_missing` if no URL is given and none is known */
  async attach({ url, key, controlToken }: Attachment): Promise<SandboxAccount> {
    const [first] = this.#known.keys();
    const wanted = url?.replace(/\/+$/, '') ?? first;
    if (wanted === undefined) throw new SandboxError({ code: 'url_missing', message: 'Give the url of a sandbox.' });
    // Another account of the sandbox that is attached: to close that would end a sandbox of our own.
    const known = this.#known.get(wanted);
    if (this.#client?.url === wanted)
      return (this.#account = this.#client.account(key ?? known?.key ?? 'test_default'));
    const options = {
      ...known,
      url: wanted,
      ...(key !== undefined && { key }),
      ...(controlToken && { controlToken }),
    };
    const account = await this.#take(await connectSandbox(options));
    this.#known.set(wanted, options);
    return account;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = this.#account = null;
  }

  async #take(client: SandboxClient): Promise<SandboxAccount> {
    await this.close();
    return (this.#client = this.#account = client);
  }
}

export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: Readonly<Record<string, z.ZodType>>;
  /** Whether the tool changes nothing. */
  readonly reads?: true;
  /** Whether the tool starts a process or a server, or connects to one. */
  readonly reachesOut?: true;
  readonly run: (session: Session, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

interface ToolOf<Input extends Readonly<Record<string, z.ZodType>>> extends Omit<Tool, 'input' | 'run'> {
  readonly input: Input;
  readonly run: (session: Session, input: z.infer<z.ZodObject<Input>>) => Promise<unknown>;
}

/** Returns the tool. Only `run` has the type of the input, which the server has validated. */
export function tool<Input extends Readonly<Record<string, z.ZodType>>>(parts: ToolOf<Input>): Tool {
  return parts as unknown as Tool;
}

/** Returns the address of a record in the web UI. */
export function linkTo({ url, apiKey }: SandboxAccount, panel: string, id?: string): string {
  const place = [apiKey, panel, ...(id === undefined ? [] : [id])].map(encodeURIComponent).join('/');
  return `${url}/_sandbox/ui#/${place}`;
}

export type Item = Readonly<Record<string, unknown>>;

/** The fields that distinguish items; the tool `explain` returns the others. */
const shown = [
  ...['id', 'otp_id', 'phone', 'seq', 'at', 'created_at', 'method', 'path', 'operation', 'status', 'error', 'type'],
  ...['direction', 'from', 'to', 'text', 'name', 'code', 'state', 'event_type', 'url', 'data', 'window'],
];

export function short(item: Item): Item {
  const known = shown.flatMap((name) => (item[name] === undefined || item[name] === null ? [] : [[name, item[name]]]));
  const { explain, attempts } = item as { explain?: { text?: string }; attempts?: readonly { status: unknown }[] };
  return {
    ...(Object.fromEntries(known) as Item),
    ...(explain?.text !== undefined && { explain: explain.text }),
    ...(attempts && { attempts: attempts.map(({ status }) => status) }),
  };
}

export function unlessMissing(error: unknown): null {
  if (typeof error === 'object' && error !== null && 'status' in error && error.status === 404) return null;
  throw error;
}
