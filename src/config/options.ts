/** The type of a configuration, flags, variables, help and documentation are made from this table. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { defaultDialect, type Dialect, parseDialect } from '../dialect/index.js';
import { parseWebhookRoute, type WebhookRoute } from '../domain/webhook.js';
import { LOG_FORMATS, LOG_LEVELS } from '../log.js';
import type { ClockSettings } from '../time/account-clock.js';
import {
  readBoolean,
  readChoice,
  readClock,
  readDuration,
  readFile,
  readHost,
  readOrigin,
  readSecret,
  readSeed,
  readText,
  readWhole,
} from './values.js';

export function readDialect(path: string): Dialect {
  return parseDialect(readFile('the path of a YAML file such as dialect.yaml')(path), path);
}

interface Setting<Value, Read = Value> {
  /** The form of the help: `-p, --port <NUMBER>`. A switch has no value. */
  readonly flags: string;
  /** A variable besides `SANDBOX_…`, which takes precedence. */
  readonly alsoEnv?: string;
  readonly standard: NoInfer<Value>;
  /** The default in words. Default: the value itself. */
  readonly standardText?: string;
  readonly description: string;
  /** The flag can be repeated; `read` then reads one value. */
  readonly isList?: true;
  readonly read: (text: string) => Read;
}

const setting = <Value>(own: Setting<Value>): Setting<Value> => own;
const list = <Value, Standard = never>(own: Setting<readonly Value[] | Standard, Value>) =>
  ({ ...own, isList: true }) as const;

const settings = {
  port: setting({
    flags: '-p, --port <NUMBER>',
    alsoEnv: 'PORT',
    standard: 4242,
    description: 'port to listen on; with 0, the sandbox picks a free port and prints it',
    read: readWhole(0, 65_535, ' (0 = any free port)'),
  }),
  host: setting({
    flags: '--host <ADDRESS>',
    standard: '127.0.0.1',
    standardText: '127.0.0.1; the image sets 0.0.0.0',
    description: 'address to listen on',
    read: readHost,
  }),
  dataDir: setting<string | null>({
    flags: '--data <DIR>',
    standard: null,
    standardText: 'in memory',
    description: 'directory that keeps accounts, clocks and pending retries across restarts',
    read: (text) => resolve(readText(text)),
  }),
  scenarios: list<string>({
    flags: '--scenario <NAME>',
    standard: [],
    standardText: 'none: everything succeeds',
    description:
      'scenario of every new account: a name in scenarios/ or the path of a file; repeatable: an API key that ends in ~NAME, such as qa~flaky-api, gets the scenario NAME in place of the first one',
    read: readText,
  }),
  watch: setting({
    flags: '--watch',
    standard: false,
    description: 'reload scenario files when they change',
    read: readBoolean,
  }),
  clock: setting<ClockSettings>({
    flags: '--clock <MODE>',
    standard: { mode: 'real', scale: 1, startMs: null },
    standardText: 'real',
    description:
      'how the clock of a new account runs: real, frozen, frozen:2026-03-01T09:00:00Z, x60, auto or auto:150ms',
    read: readClock,
  }),
  randomSeed: setting({
    flags: '--random-seed <SEED>',
    standard: 1,
    description:
      'seed of ids, codes and names: the same seed, key and calls give the same values. With "random", each start uses a new seed and prints it',
    read: readSeed,
  }),
  apiKeys: list<string, null>({
    flags: '--api-keys <KEYS>',
    standard: null,
    standardText: 'any non-empty key',
    description: 'comma-separated list of keys; all other keys are rejected',
    read: readSecret,
  }),
  controlToken: setting<string | null>({
    flags: '--control-token <TOKEN>',
    standard: null,
    standardText: 'none: the control plane is open',
    description: 'token required by the control plane, the web UI and the live stream',
    read: readSecret,
  }),
  tlsCert: setting<string | null>({
    flags: '--tls-cert <FILE>',
    standard: null,
    standardText: 'none: plain HTTP',
    description: 'PEM file with the certificate for HTTPS, including its chain',
    read: readFile('the path of a PEM file with a certificate', (text) => new X509Certificate(text)),
  }),
  tlsKey: setting<string | null>({
    flags: '--tls-key <FILE>',
    standard: null,
    standardText: 'none: plain HTTP',
    description: 'PEM file with the private key of the certificate',
    read: readFile('the path of a PEM file with a private key without a passphrase', createPrivateKey),
  }),
  dialect: setting({
    flags: '--dialect <FILE>',
    standard: defaultDialect,
    standardText: 'as in docs/assumptions.md',
    description: 'YAML file that makes errors and events look as in your real messaging service',
    read: readDialect,
  }),
  webhookRoutes: list<WebhookRoute>({
    flags: '--webhook-route <FROM=TO>',
    standard: [],
    standardText: 'none',
    description: 'redirect webhooks, such as https://app.example.com=http://localhost:3000; repeatable',
    read: parseWebhookRoute,
  }),
  applicationUrl: setting<string | null>({
    flags: '--application-url <URL>',
    standard: null,
    standardText: 'none',
    description: 'address of your application, for scenarios that call it',
    read: readOrigin,
  }),
  webhookTimeoutMs: setting({
    flags: '--webhook-timeout <DURATION>',
    standard: 10_000,
    standardText: '10s',
    description: 'time limit for the response of a webhook receiver, in real time',
    read: readDuration(600_000, '10m'),
  }),
  allowPublicWebhooks: setting({
    flags: '--allow-public-webhooks',
    standard: false,
    description: 'allow webhooks to addresses outside the private network',
    read: readBoolean,
  }),
  maxJournal: setting({
    flags: '--max-journal <NUMBER>',
    standard: 10_000,
    description: 'number of API calls that the journal of an account keeps',
    read: readWhole(1, 1_000_000),
  }),
  fsync: setting({
    flags: '--fsync <WHEN>',
    standard: 'interval',
    description:
      'when a change is written to the disk of --data: always (before the response) or interval (at most 50 ms later)',
    read: readChoice(['always', 'interval'] as const),
  }),
  logLevel: setting({
    flags: '--log-level <LEVEL>',
    standard: 'info',
    description: `lowest level written to stderr: ${LOG_LEVELS.join(', ')}`,
    read: readChoice(LOG_LEVELS),
  }),
  logFormat: setting({
    flags: '--log-format <FORMAT>',
    standard: 'pretty',
    description: `format of log lines: ${LOG_FORMATS.join(' or ')}`,
    read: readChoice(LOG_FORMATS),
  }),
  allowedHosts: list<string>({
    flags: '--allowed-hosts <HOSTS>',
    standard: [],
    standardText: 'addresses and local names',
    description: 'host names to accept in the Host header, in addition to the default; repeatable, or comma-separated',
    read: readHost,
  }),
};

/** Milliseconds are real; null means the default that the option describes. */
export type Config = { readonly [Name in keyof typeof settings]: (typeof settings)[Name]['standard'] };

/** Keys are the names in the configuration. */
export const configOptionList = Object.entries<Setting<unknown>>(settings).map(([name, own]) => {
  const [, flag = '', argument] = /(--[\w-]+)(?: <(.+)>)?$/.exec(own.flags) ?? [];
  const variable = `SANDBOX_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
  const { standardText = own.standard === false ? 'off' : String(own.standard), alsoEnv } = own;
  return { ...own, name, flag, argument, env: alsoEnv === undefined ? [variable] : [variable, alsoEnv], standardText };
});
