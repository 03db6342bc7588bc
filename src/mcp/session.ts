/** The sandbox that an agent works with: one that it started, or one that runs elsewhere. */
import type { SandboxAccount } from '../client/account.js';
import type { SandboxClient } from '../client/client.js';
import { connectSandbox } from '../client/connect-sandbox.js';
import { SandboxError } from '../client/sandbox-error.js';

export interface StartWish {
  readonly scenario?: string | undefined;
  readonly clock?: string | undefined;
  readonly seed?: number | undefined;
  readonly port?: number | undefined;
}

export interface AttachWish {
  readonly url: string;
  readonly key?: string | undefined;
  readonly controlToken?: string | null | undefined;
}

/** Runs a command of the command line to its end. */
export type RunCommand = (args: readonly string[]) => Promise<{ readonly stdout: string; readonly stderr: string }>;

export class Session {
  #client: SandboxClient | null = null;
  #account: SandboxAccount | null = null;
  readonly runCommand: RunCommand;

  constructor(runCommand: RunCommand) {
    this.runCommand = runCommand;
  }

  /** @throws SandboxError `not_started` if there is none */
  get account(): SandboxAccount {
    if (this.#account) return this.#account;
    const message = 'No sandbox is attached. Call start for a new one, or attach with the URL of a running one.';
    throw new SandboxError({ code: 'not_started', message });
  }

  async start({ scenario, clock, seed, port }: StartWish): Promise<SandboxAccount> {
    // The server is loaded only when one is started.
    const { createSandbox } = await import('../client/create-sandbox.js');
    return this.#take(
      await createSandbox({
        logLevel: 'silent',
        clock: (clock ?? 'frozen') as 'frozen',
        ...(scenario !== undefined && { scenario }),
        ...(seed !== undefined && { seed }),
        ...(port !== undefined && { port }),
      }),
    );
  }

  async attach({ url, key, controlToken }: AttachWish): Promise<SandboxAccount> {
    // Another account of the sandbox that is attached: to close that would end a sandbox of our own.
    if (this.#client?.url === url.replace(/\/+$/, ''))
      return (this.#account = this.#client.account(key ?? 'test_default'));
    const token = typeof controlToken === 'string' ? { controlToken } : {};
    return this.#take(await connectSandbox({ url, ...(key !== undefined && { key }), ...token }));
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
