import type { ClockStart, Duration } from './types.js';
import type { FlagValues } from '../config/index.js';
import { sandboxClient, type SandboxClient } from './client.js';
import { headersFor } from './connection.js';
import { invalidOption, requireKnown, SandboxError, type SandboxErrorDetail } from './sandbox-error.js';

export interface SandboxOptions {
  /** The API key of the returned client. Default `test_default`. */
  readonly key?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Paths of PEM files with a certificate and its private key; with both, the sandbox serves HTTPS. */
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** The same seed, key and calls give the same ids, codes and names. Default 1. */
  readonly seed?: number | string;
  /** Default `real`. */
  readonly clock?: ClockStart;
  /**
   * Active in every new account: the name of a shipped scenario or the path of a file. Of several, the first is active.
   */
  readonly scenario?: string | readonly string[];
  /** A directory that keeps accounts across restarts. Default: in memory. */
  readonly data?: string;
  readonly fsync?: 'always' | 'interval';
  /** The only accepted keys. Default: every key. */
  readonly apiKeys?: readonly string[];
  /** Protects the control plane; the client sends it automatically. */
  readonly controlToken?: string;
  /** The path of a dialect file. */
  readonly dialect?: string;
  /** Redirects webhooks: `https://app.example.com=http://localhost:3000`. */
  readonly webhookRoutes?: string | readonly string[];
  /** The time limit of a receiver, in real time. Default 10s. */
  readonly webhookTimeout?: Duration;
  readonly allowPublicWebhooks?: boolean;
  /** Maximum number of API calls in an account's journal. Default 10000. */
  readonly maxJournal?: number;
  /** Level of the log on stderr. Default `warn`. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Address of the application under test, for steps of scenarios that call it. */
  readonly applicationUrl?: string;
  /** Further host names under which the sandbox may be called. */
  readonly allowedHosts?: readonly string[];
}

/** Every option: a misspelt one would silently do nothing. */
export const known = {
  ...{ key: 1, port: 1, tlsCert: 1, tlsKey: 1, host: 1, seed: 1, clock: 1, scenario: 1, data: 1, fsync: 1, apiKeys: 1 },
  ...{ controlToken: 1, dialect: 1, webhookRoutes: 1, webhookTimeout: 1, allowPublicWebhooks: 1, maxJournal: 1 },
  ...{ logLevel: 1, allowedHosts: 1, applicationUrl: 1 },
} as const satisfies Record<keyof SandboxOptions, 1>;

/**
 * Starts a sandbox in this process, on a free port by default, and returns its client. It reads no settings from the
 * environment, so that a test behaves the same on every machine. Close it, or `await using` it.
 * @throws SandboxError `invalid_option`, `scenario_invalid` or `start_failed`
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<SandboxClient> {
  requireKnown('createSandbox', options, Object.keys(known));
  const { key = 'test_default', ...own } = options;
  const given = Object.entries<FlagValues[string]>({ port: 0, logLevel: 'warn', ...own });
  // Loaded at the first start: a program that imports the package only to connect or to verify does not need it.
  const [{ ConfigError, resolveConfig }, { startSandbox }] = await Promise.all([
    import('../config/index.js'),
    import('../sandbox.js'),
  ]);
  try {
    const config = resolveConfig({ flags: Object.fromEntries(given.map(([name, value]) => [flagOf(name), value])) });
    // Building the validator holds the process, so the first calls of a test come before it.
    const { controlToken, tlsCert: certificate } = config;
    headersFor(key, controlToken);
    const sandbox = await startSandbox(config, { warmUpAfterMs: 1_000 });
    return sandboxClient({ url: sandbox.url, key, controlToken, certificate }, () => sandbox.close());
  } catch (error) {
    if (error instanceof ConfigError) {
      const [option = error.source] = given.find(([name]) => `--${flagOf(name)}` === error.source) ?? [];
      throw invalidOption(error.message.replace(error.source, option), error);
    }
    throw error instanceof SandboxError ? error : startError(error);
  }
}

/** One parser reads options and flags. */
function flagOf(option: string): string {
  if (option === 'seed') return 'random-seed';
  if (option === 'webhookRoutes') return 'webhook-route';
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function startError(cause: unknown): SandboxError {
  const { name, message, code, problems } = cause as Error & { code?: string; problems?: SandboxErrorDetail[] };
  if (name === 'ScenarioFileError') {
    return new SandboxError({ code: 'scenario_invalid', message, details: problems ?? [], cause });
  }
  const hint = code === 'EADDRINUSE' ? '. Leave "port" out, or give 0, for a free one.' : '';
  return new SandboxError({ code: 'start_failed', message: message + hint, cause });
}
