/** The settings: their types, and the description of each. */
import type { Dialect } from '../dialect/index.js';
import type { WebhookRoute } from '../domain/webhook-route.js';
import type { LogFormat, LogLevel } from '../log.js';
import type { ClockSettings } from '../time/account-clock.js';

/** When a change is written to disk: before the response to its call, or at most 50 ms later. */
export const FSYNC_MODES = ['always', 'interval'] as const;
export type FsyncMode = (typeof FSYNC_MODES)[number];

/** All settings, read once at the start. */
export interface Config {
  /** TCP port; 0 = any free one. */
  readonly port: number;
  /** Address or name to listen on; IPv6 without brackets. */
  readonly host: string;
  /** Absolute path of the data directory; null = in memory. */
  readonly dataDir: string | null;
  /** Names or paths of scenario files; the first is active. */
  readonly scenarios: readonly string[];
  /** Whether scenario files are reloaded when they change. */
  readonly watch: boolean;
  /** The initial state of a new account's clock. */
  readonly clock: ClockSettings;
  readonly randomSeed: number | string;
  /** The only accepted keys; null = any key. */
  readonly apiKeys: readonly string[] | null;
  /** Token of the control plane, the web UI and the live stream; null = no token required. */
  readonly controlToken: string | null;
  /** Certificate and key of HTTPS in PEM; null = plain HTTP. Both or neither. */
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  readonly dialect: Dialect;
  readonly webhookRoutes: readonly WebhookRoute[];
  /** Time limit of an attempt, in real milliseconds. */
  readonly webhookTimeoutMs: number;
  readonly allowPublicWebhooks: boolean;
  /** Number of entries that the journal of an account keeps. */
  readonly maxJournal: number;
  /** Maximum memory for all accounts together; null = 1 GB, or half of the heap limit if that is less. */
  readonly memoryLimit: number | null;
  readonly fsync: FsyncMode;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** Accepted Host headers besides addresses and local names, in lower case. */
  readonly allowedHosts: readonly string[];
}

/** The scheme of the sandbox's own URL. */
export function schemeOf({ tlsCert }: Pick<Config, 'tlsCert'>): 'http' | 'https' {
  return tlsCert === null ? 'http' : 'https';
}

/** A flag can be repeated, so a space belongs to its value. A variable cannot, so a space separates its values. */
export interface Separator {
  readonly flag: RegExp;
  readonly variable: RegExp;
}

/** One setting: its flag and variables, its parser and its default. */
export interface ConfigOption<Value> {
  /** Includes the dashes: `--port`. */
  readonly flag: string;
  readonly short?: string;
  /** Name of the value in the help; omitted for a switch. */
  readonly argument?: string;
  /** Variables in order of precedence; the first is the documented one. */
  readonly env: readonly string[];
  readonly standard: Value;
  /** The default as text. */
  readonly standardText: string;
  readonly description: string;
  /** Separates several values within one text; set if the flag may be repeated. */
  readonly separator?: Separator;
  /** Parses exactly one text, or several if there is a separator. Throws ValueError or the parser's own error. */
  readonly read: (texts: readonly string[]) => Value;
}
