import type { SandboxAccount } from '../client/account.js';
import { type ConnectOptions, connectSandbox, type SandboxClient } from '../client/client.js';
import type { SandboxOptions } from '../client/create-sandbox.js';
import { SandboxError } from '../client/sandbox-error.js';

export class Session {
  #client: SandboxClient | null = null;
  #account: SandboxAccount | null = null;
  /** The first attachment, so that an agent can return to a sandbox whose token it does not know. */
  #first: ConnectOptions | null = null;

  get account(): SandboxAccount {
    if (this.#account) return this.#account;
    const message = 'No sandbox is attached. Call start for a new one, or attach with the URL of a running one.';
    throw new SandboxError({ code: 'not_started', message });
  }

  /** The clock is frozen by default. */
  async start({ clock = 'frozen', ...options }: Readonly<Record<string, unknown>>): Promise<void> {
    // The server is loaded only when one is started.
    const { createSandbox } = await import('../client/create-sandbox.js');
    await this.#take(await createSandbox({ logLevel: 'silent', clock, ...options } as SandboxOptions));
  }

  /**
   * Without options, the options of the first attachment apply, if it is the same sandbox.
   * @throws SandboxError `url_missing`
   */
  async attach({ url: given, ...options }: ConnectOptions): Promise<void> {
    const url = given?.replace(/\/+$/, '') ?? this.#first?.url;
    if (url === undefined) throw new SandboxError({ code: 'url_missing', message: 'Give the url of a sandbox.' });
    const all: ConnectOptions = { ...(this.#first?.url === url && this.#first), ...options, url };
    // Another account of the sandbox that is attached: to close that would end a sandbox of our own.
    if (this.#client?.url === url) this.#account = this.#client.account(all.key ?? 'test_default');
    else {
      await this.#take(await connectSandbox(all));
      this.#first ??= all;
    }
  }

  async overview() {
    const { url, apiKey, clock: control } = this.account;
    const { now, mode, pending, next_due } = await control.get();
    const clock = { now, mode, pending_jobs: pending, next_due };
    return { base_url: url, api_key: apiKey, clock, page: this.page('conversations') };
  }

  page(...place: string[]): string {
    const { url, apiKey } = this.account;
    return `${url}/_sandbox/ui#/${[apiKey, ...place].map(encodeURIComponent).join('/')}`;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = this.#account = null;
  }

  async #take(client: SandboxClient): Promise<void> {
    await this.close();
    this.#client = this.#account = client;
  }
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
