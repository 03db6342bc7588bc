import type { ConfigOption, FlagValues } from '../config/index.js';
import { nearestWord } from '../domain/nearest-word.js';
import { invalidOption } from './sandbox-error.js';
import type { Duration } from './types.js';

/** The initial mode of every account's clock: `x60` is a minute per second. */
export type ClockStart = 'real' | 'frozen' | `frozen:${string}` | `x${number}` | 'auto' | `auto:${string}`;

/** The settings of a start, as on the command line. All are optional. */
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
  /** Further host names under which the sandbox may be called. */
  readonly allowedHosts?: readonly string[];
}

/** Options whose flag has another name. */
const renamed: Readonly<Record<string, string>> = { seed: 'random-seed', webhookRoutes: 'webhook-route' };

function flagOf(option: string): string {
  return renamed[option] ?? option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the option for a flag, for a message. */
export function optionOf(flag: string): string {
  const name = flag.replace(/^--/, '');
  const [other] = Object.entries(renamed).find(([, known]) => known === name) ?? [];
  return other ?? name.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
}

/**
 * Converts options to the flags of the configuration, so that one parser reads both.
 * @throws SandboxError `invalid_option` for an unknown name, which a plain JavaScript program may give
 */
export function flagsOf(
  { key: _key, ...options }: SandboxOptions,
  known: readonly ConfigOption<unknown>[],
): FlagValues {
  const all: Record<string, FlagValues[string] | number> = { port: 0, logLevel: 'warn', ...options };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  const flags = known.map(({ flag }) => flag);
  const unknown = given.find(([name]) => !flags.includes(`--${flagOf(name)}`));
  if (unknown) {
    const names = ['key', ...flags.map(optionOf)];
    const meant = nearestWord(unknown[0], names);
    const hint = meant === undefined ? `Allowed: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
    throw invalidOption(`Unknown option "${unknown[0]}". ${hint}`);
  }
  return Object.fromEntries(
    given.map(([name, value]) => [flagOf(name), typeof value === 'number' ? String(value) : value]),
  );
}
