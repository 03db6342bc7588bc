import { nearestWord } from '../domain/nearest-word.js';
import { invalidOption, type SandboxError } from './sandbox-error.js';
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

/** In the order in which an error lists them. */
const names = [
  ...['key', 'port', 'host', 'seed', 'clock', 'scenario', 'data', 'fsync', 'apiKeys', 'controlToken', 'dialect'],
  ...['webhookRoutes', 'webhookTimeout', 'allowPublicWebhooks', 'maxJournal', 'logLevel'],
  ...['allowedHosts', 'tlsCert', 'tlsKey'],
];

/** Returns the name of a flag without dashes: that of the option, but for two. */
function flagOf(option: string): string {
  if (option === 'seed') return 'random-seed';
  return option === 'webhookRoutes'
    ? 'webhook-route'
    : option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Flags by their names without dashes, as in the configuration. */
type Flags = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Defaults of a start in a test that differ from those of the command line. */
const ours: SandboxOptions = { port: 0, logLevel: 'warn' };

/**
 * Converts options to the flags of the configuration, so that one parser reads both.
 * @throws SandboxError `invalid_option` for an unknown name or an invalid value
 */
export function flagsOf(options: SandboxOptions): Flags {
  const { key: _key, ...given } = knownOptions('createSandbox', options, names);
  const flags: Record<string, string | boolean | readonly string[]> = {};
  for (const [name, value] of Object.entries({ ...ours, ...defined(given) })) {
    if (!isFlagValue(value)) throw unusable(name, value);
    flags[flagOf(name)] = typeof value === 'number' ? String(value) : value;
  }
  return flags;
}

/**
 * Checks the options of a plain JavaScript program.
 * @throws SandboxError `invalid_option` if it is not an object, or has an unknown name
 */
export function knownOptions<T extends object>(of: string, options: T, names: readonly string[]): T {
  if (typeof options !== 'object' || (options as T | null) === null || Array.isArray(options)) {
    throw invalidOption(`${of} takes an object of options; found ${JSON.stringify(options)}.`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return options;
  const meant = nearestWord(unknown, names);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  throw invalidOption(`Unknown option "${unknown}" of ${of}.${hint} Allowed: ${names.join(', ')}.`);
}

function isFlagValue(value: unknown): value is string | number | boolean | readonly string[] {
  if (Array.isArray(value)) return value.every((entry) => typeof entry === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function unusable(name: string, value: unknown): SandboxError {
  const hint =
    name === 'scenario'
      ? 'It is the name of a scenario or the path of its file; one in an object is activated by sandbox.scenario.use(…)'
      : 'It is a text, a number, a boolean or an array of texts';
  return invalidOption(`${name} cannot be ${JSON.stringify(value)}. ${hint}.`);
}

/** Returns the option for a flag, for a message. */
export function optionOf(flag: string): string {
  return names.find((name) => `--${flagOf(name)}` === flag) ?? flag;
}

function defined(options: SandboxOptions): SandboxOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
