/// <reference lib="esnext.disposable" preserve="true" />
/** An account with its sandbox, as returned by `createSandbox` and `connectSandbox`. */
import { sandboxAccount, type SandboxAccount } from './account.js';
import { type ConnectionSettings, openConnection } from './connection.js';
import type { ExploreSettings, Report, Story } from './explore.js';
import { invalidOption, requireKnown, SandboxError } from './sandbox-error.js';

export interface SandboxClient extends SandboxAccount, AsyncDisposable {
  /**
   * Tries every failure on a story, and reports the smallest that breaks the application. The story is called once for
   * each try with a new account, and may return the application's view of its state.
   */
  explore(story: Story, settings?: ExploreSettings): Promise<Report>;
  /**
   * Closes the client: a sandbox in this process stops, any other continues to run. Further calls are rejected with
   * `closed`.
   */
  close(): Promise<void>;
}

/** `stop` stops everything that was started for this client. */
export function sandboxClient(settings: ConnectionSettings, stop = () => Promise.resolve()): SandboxClient {
  let closing: Promise<void> | null = null;
  const ended = () =>
    closing === null ? null : `The sandbox at ${settings.url} was closed by this program. Call it before close().`;
  const close = () => (closing ??= stop());
  const account = sandboxAccount(openConnection({ ...settings, ended }));
  return {
    ...account,
    // Loaded on first use: most tests never explore.
    explore: async (story, settings) => (await import('./explore.js')).exploreStory(account, story, settings),
    close,
    // Symbol.asyncDispose exists from Node 20 on; `await using` needs a compiler or a newer Node.
    [Symbol.asyncDispose]: close,
  };
}

export interface ConnectOptions {
  /** The address of the sandbox. Default: `MESSAGING_BASE_URL`, or `http://127.0.0.1:4242`. */
  readonly url?: string;
  /** The API key; it names the account. Default: `MESSAGING_API_KEY`, or `test_default`. */
  readonly key?: string;
  /** The `--control-token` of the sandbox. Default: `MESSAGING_CONTROL_TOKEN`. */
  readonly controlToken?: string;
}

/**
 * Returns the client of a sandbox that runs elsewhere: in a container, a CI service, another terminal. Checks with one
 * call that it responds.
 * @throws SandboxError `unreachable`, `not_a_sandbox`, `unauthorized` or `invalid_option`
 */
export async function connectSandbox(
  options: ConnectOptions | string = {},
  more: Omit<ConnectOptions, 'url'> = {},
): Promise<SandboxClient> {
  const given = { ...(typeof options === 'string' ? { url: options } : options), ...more };
  requireKnown('connectSandbox', given, ['url', 'key', 'controlToken']);
  const settings = settingsOf(given);
  const info = await openConnection(settings).call<{ name?: unknown }>('GET', '/_sandbox/info');
  if (info.name !== 'messaging-sandbox') {
    throw new SandboxError({
      code: 'not_a_sandbox',
      message: `The server at ${settings.url} is not a messaging-sandbox. Does another program use that port?`,
    });
  }
  return sandboxClient(settings);
}

/** Undefined for an empty variable, as compose files pass unset ones. */
export const variable = (name: string): string | undefined => process.env[name]?.trim() || undefined;

/** `option` is the name of `url` in the message. @throws SandboxError `invalid_option` */
export function settingsOf(given: ConnectOptions, option = 'url') {
  const text = given.url ?? variable('MESSAGING_BASE_URL') ?? 'http://127.0.0.1:4242';
  const url = URL.canParse(text) ? new URL(text) : null;
  const invalid = (next: string) =>
    invalidOption(`Invalid value "${text}" for ${given.url === undefined ? 'MESSAGING_BASE_URL' : option}. ${next}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid('Expected the URL of a sandbox, such as http://127.0.0.1:4242.');
  }
  const plain = url.href.replace(/\/+$/, '');
  if (plain.endsWith('/v1')) throw invalid(`Leave out the /v1: ${plain.slice(0, -'/v1'.length)}.`);
  return {
    url: plain,
    key: given.key ?? variable('MESSAGING_API_KEY') ?? 'test_default',
    controlToken: given.controlToken ?? variable('MESSAGING_CONTROL_TOKEN') ?? null,
  };
}
