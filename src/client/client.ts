/// <reference lib="esnext.disposable" preserve="true" />
/** An account with its sandbox, as returned by `createSandbox` and `connectSandbox`. */
import { sandboxAccount, type SandboxAccount } from './account.js';
import { openConnection } from './connection.js';
import type { ExploreSettings, Report, Story } from './explore.js';

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

export interface ClientParts {
  readonly url: string;
  readonly key: string;
  readonly controlToken: string | null;
  /** The certificate of a sandbox in this process that serves HTTPS. */
  readonly certificate?: string | null;
  /** Shows an exploration in the web UI of a sandbox in this process. */
  readonly show?: (exploration: object) => void;
  /** Stops everything that was started for this client. */
  readonly stop: () => Promise<void>;
}

export function sandboxClient({ stop, show, ...parts }: ClientParts): SandboxClient {
  let closing: Promise<void> | null = null;
  const ended = () =>
    closing === null ? null : `The sandbox at ${parts.url} was closed by this program. Call it before close().`;
  const close = () => (closing ??= stop());
  const account = sandboxAccount(openConnection({ ...parts, ended }));
  return {
    ...account,
    // Loaded on first use: most tests never explore.
    explore: async (story, settings) => (await import('./explore.js')).exploreStory(account, story, settings, show),
    close,
    // Symbol.asyncDispose exists from Node 20 on; `await using` needs a compiler or a newer Node.
    [Symbol.asyncDispose]: close,
  };
}
