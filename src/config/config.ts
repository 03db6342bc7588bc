import type { Dialect } from '../dialect/index.js';
import type { LogFormat, LogLevel } from '../log.js';
import type { ClockSettings } from '../time/account-clock.js';
import type { WebhookRoute } from '../domain/webhook-route.js';

/** When a stored change is on the disk: before its call is answered, or at most 50 ms later (contract §7). */
export const FSYNC_MODES = ['always', 'interval'] as const;
export type FsyncMode = (typeof FSYNC_MODES)[number];

/** Everything that flags and variables decide, read once at start and never changed (contract §8). */
export interface Config {
  /** TCP port; 0 = any free one. */
  readonly port: number;
  /** Address or name to listen on; IPv6 without brackets. */
  readonly host: string;
  /** Absolute path of the data directory; null = in memory. */
  readonly dataDir: string | null;
  /** Names or paths of scenario files, first wins. */
  readonly scenarios: readonly string[];
  /** Load a scenario file again when it changes. */
  readonly watch: boolean;
  /** How the clock of a new account starts. */
  readonly clock: ClockSettings;
  readonly randomSeed: number | string;
  /** The only keys accepted; null = any key. */
  readonly apiKeys: readonly string[] | null;
  /** Guards the control plane, the page and the socket; null = open. */
  readonly controlToken: string | null;
  readonly dialect: Dialect;
  readonly webhookRoutes: readonly WebhookRoute[];
  /** Real milliseconds that a receiver may take for an attempt. */
  readonly webhookTimeoutMs: number;
  readonly allowPublicWebhooks: boolean;
  /** Entries that an account's journal holds before the oldest go. */
  readonly maxJournal: number;
  readonly fsync: FsyncMode;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** Host headers accepted besides addresses and local names (contract §9); lower case. */
  readonly allowedHosts: readonly string[];
}
