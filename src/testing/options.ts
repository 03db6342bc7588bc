import { invalidOption } from './sandbox-error.js';
import type { Duration } from './types.js';

/** How the clock of every account starts: `x60` is a minute per second. */
export type ClockStart = 'real' | 'frozen' | `frozen:${string}` | `x${number}` | 'auto';

/** The settings of a start, as the flags of the command line have them (contract §8). All may be left out. */
export interface SandboxOptions {
  /** The API key of the client that is returned. Default `test_default`. */
  readonly key?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** The same seed, key and calls give the same ids, codes and names. Default 1. */
  readonly seed?: number | string;
  /** Default `real`. */
  readonly clock?: ClockStart;
  /** Active in every new account: a shipped name or the path of a file. Of several, the first is active. */
  readonly scenario?: string | readonly string[];
  /** A directory that keeps accounts over a restart. Default: in memory. */
  readonly data?: string;
  readonly fsync?: 'always' | 'interval';
  /** The only keys accepted. Default: every key. */
  readonly apiKeys?: readonly string[];
  /** Guards the control plane; the client knows it. */
  readonly controlToken?: string;
  /** The path of a dialect file. */
  readonly dialect?: string;
  /** Where webhooks are sent instead: `https://app.example.com=http://localhost:3000`. */
  readonly webhookRoutes?: string | readonly string[];
  /** How long a receiver may take, in real time. Default 10s. */
  readonly webhookTimeout?: Duration;
  readonly allowPublicWebhooks?: boolean;
  /** API calls that an account's journal keeps. Default 10000. */
  readonly maxJournal?: number;
  /** Hold every answer and event against the documents; see `GET /_sandbox/contract/violations`. */
  readonly audit?: boolean;
  /** Written to stderr. Default `warn`. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Further names under which the sandbox may be called. */
  readonly allowedHosts?: readonly string[];
}

const flagOf: Readonly<Record<Exclude<keyof SandboxOptions, 'key'>, string>> = {
  port: 'port',
  host: 'host',
  seed: 'random-seed',
  clock: 'clock',
  scenario: 'scenario',
  data: 'data',
  fsync: 'fsync',
  apiKeys: 'api-keys',
  controlToken: 'control-token',
  dialect: 'dialect',
  webhookRoutes: 'webhook-route',
  webhookTimeout: 'webhook-timeout',
  allowPublicWebhooks: 'allow-public-webhooks',
  maxJournal: 'max-journal',
  audit: 'audit',
  logLevel: 'log-level',
  allowedHosts: 'allowed-hosts',
};

/** Flags by their name without dashes, as the configuration takes them. */
type Flags = Readonly<Record<string, string | boolean | readonly string[]>>;

/** What a start in a test wants to differ from a start by hand. */
const ours: SandboxOptions = { port: 0, logLevel: 'warn' };

/**
 * Options as the flags that the configuration reads: one reader for both, so that they cannot differ.
 * @throws SandboxError `invalid_option` for a name that is none
 */
export function flagsOf({ key: _key, ...given }: SandboxOptions): Flags {
  const flags: Record<string, string | boolean | readonly string[]> = {};
  for (const [name, value] of Object.entries({ ...ours, ...defined(given) })) {
    const flag = (flagOf as Readonly<Record<string, string | undefined>>)[name];
    if (flag === undefined) {
      throw invalidOption(`"${name}" is no option of createSandbox. Allowed: key, ${Object.keys(flagOf).join(', ')}.`);
    }
    flags[flag] = typeof value === 'number' ? String(value) : value;
  }
  return flags;
}

/** The option that a flag stands for, in a message about it. */
export function optionOf(flag: string): string {
  return Object.entries(flagOf).find(([, name]) => `--${name}` === flag)?.[0] ?? flag;
}

function defined(options: SandboxOptions): SandboxOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
