import { sandboxClient, type SandboxClient } from './client.js';
import { openConnection } from './connection.js';
import { knownOptions } from './options.js';
import { invalidOption, SandboxError } from './sandbox-error.js';

export interface ConnectOptions {
  /** The address of the sandbox. Default `http://127.0.0.1:4242`. */
  readonly url?: string;
  /** The API key; it names the account. Default `test_default`. */
  readonly key?: string;
  /** The `--control-token` of the sandbox. */
  readonly controlToken?: string;
}

/**
 * Returns the client of a sandbox that runs elsewhere: in a container, a CI service, another terminal. Makes one call
 * to check that the sandbox responds.
 * @param options or the URL
 * @param more with a URL: the key and the control token
 * @throws SandboxError `unreachable`, `not_a_sandbox`, `unauthorized` or `invalid_option`
 */
export async function connectSandbox(
  options: ConnectOptions | string = {},
  more: Omit<ConnectOptions, 'url'> = {},
): Promise<SandboxClient> {
  const given = { ...(typeof options === 'string' ? { url: options } : options), ...more };
  const known: ConnectOptions = knownOptions('connectSandbox', given, ['url', 'key', 'controlToken']);
  const { key = 'test_default', controlToken = null } = known;
  const url = baseUrl(known.url ?? 'http://127.0.0.1:4242');
  const info = await openConnection({ url, key, controlToken }).call<{ name?: unknown }>('GET', '/_sandbox/info');
  if (info.name !== 'messaging-sandbox') {
    throw new SandboxError({
      code: 'not_a_sandbox',
      message: `The server at ${url} is not a messaging-sandbox. Does another program use that port?`,
    });
  }
  return sandboxClient({ url, key, controlToken, stop: () => Promise.resolve() });
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/+$/, '');
  throw invalidOption(`Invalid value "${text}" for url. Expected the URL of a sandbox, such as http://127.0.0.1:4242.`);
}
