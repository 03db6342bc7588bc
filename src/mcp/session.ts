/** The sandbox that an agent works with, its own or one that runs elsewhere. */
import type { SandboxAccount } from '../client/account.js';
import { type ConnectOptions, connectSandbox, type SandboxClient } from '../client/client.js';
import type { SandboxOptions } from '../client/create-sandbox.js';
import { SandboxError } from '../client/sandbox-error.js';

interface Attachment {
  /** Default: the sandbox that was attached first. */
  readonly url?: string | undefined;
  /** Default: that of the first attachment, if it is the same sandbox. */
  readonly key?: string | undefined;
  readonly controlToken?: string | null | undefined;
}

/** Runs a command of the command line to its end. */
export type RunCommand = (args: readonly string[]) => Promise<{ readonly stdout: string; readonly stderr: string }>;

export class Session {
  #client: SandboxClient | null = null;
  #account: SandboxAccount | null = null;
  /** The first attachment, so that an agent can return to a sandbox whose token it does not know. */
  #first: ConnectOptions | null = null;

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
  async attach({ url: given, key, controlToken }: Attachment): Promise<SandboxAccount> {
    const url = given?.replace(/\/+$/, '') ?? this.#first?.url;
    if (url === undefined) throw new SandboxError({ code: 'url_missing', message: 'Give the url of a sandbox.' });
    const known = this.#first?.url === url ? this.#first : null;
    const options = { ...known, url, ...(key !== undefined && { key }), ...(controlToken && { controlToken }) };
    // Another account of the sandbox that is attached: to close that would end a sandbox of our own.
    if (this.#client?.url === url) return (this.#account = this.#client.account(options.key ?? 'test_default'));
    const account = await this.#take(await connectSandbox(options));
    this.#first ??= options;
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
