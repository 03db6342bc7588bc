/** The table of settings. The type of a configuration, flags, variables, help and documentation are made from it. */
import { resolve } from 'node:path';
import { defaultDialect } from '../dialect/index.js';
import { LOG_FORMATS, LOG_LEVELS } from '../log.js';
import { parseWebhookRoute } from '../domain/webhook.js';
import {
  parseClockSetting,
  readBoolean,
  readCertificate,
  readChoice,
  readDialectFile,
  readDuration,
  readHost,
  readPrivateKey,
  readSecret,
  readSeed,
  readText,
  readWhole,
} from './values.js';

/** One setting: its flag and variables, its parser and its default. */
export interface ConfigOption<Value> {
  /** As the help shows them: `-p, --port <NUMBER>`. A switch has no value. */
  readonly flags: string;
  /** Includes the dashes: `--port`. */
  readonly flag: string;
  /** Name of the value in the help; undefined for a switch. */
  readonly argument: string | undefined;
  /** Variables in order of precedence; the first is the documented one. */
  readonly env: readonly string[];
  readonly standard: NoInfer<Value>;
  /** The default as text. */
  readonly standardText: string;
  readonly description: string;
  /** Whether the value is a list; the flag may be repeated, too. */
  readonly isList?: true;
  /** Parses the text of one value. Throws ValueError or the parser's own error. */
  readonly read: (text: string) => unknown;
}

interface Setting<Value, Read = Value> extends Pick<ConfigOption<Value>, 'flags' | 'standard' | 'description'> {
  readonly standardText?: string;
  readonly alsoEnv?: string;
  readonly read: (text: string) => Read;
}

function setting<Value>(own: Setting<Value>): ConfigOption<Value> {
  const [, flag = '', argument] = /(--[\w-]+)(?: <(.+)>)?$/.exec(own.flags) ?? [];
  const variable = `SANDBOX_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
  const standardText = own.standard === false ? 'off' : String(own.standard);
  return { standardText, ...own, flag, argument, env: [variable, ...(own.alsoEnv ? [own.alsoEnv] : [])] };
}

/** A setting with several values. */
function list<Value, Values extends readonly Value[] | null>(
  own: Omit<Setting<Values, Value>, 'standard'> & { readonly standard: Values },
): ConfigOption<readonly Value[] | Values> {
  return { ...setting({ ...own, read: () => own.standard }), read: own.read, isList: true };
}

export const configOptions = {
  port: setting({
    flags: '-p, --port <NUMBER>',
    alsoEnv: 'PORT',
    standard: 4242,
    description: 'port to listen on; 0 picks a free port and prints it',
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
  scenarios: list({
    flags: '--scenario <NAME>',
    standard: Object.freeze([]),
    standardText: 'none: everything succeeds',
    description: 'scenario of every new account: a name in scenarios/ or the path of a file; repeatable',
    read: readText,
  }),
  watch: setting({
    flags: '--watch',
    standard: false,
    description: 'reload scenario files when they change',
    read: readBoolean,
  }),
  clock: setting({
    flags: '--clock <MODE>',
    standard: Object.freeze({ mode: 'real', scale: 1, startMs: null }),
    standardText: 'real',
    description:
      'how the clock of a new account runs: real, frozen, frozen:2026-03-01T09:00:00Z, x60, auto or auto:150ms',
    read: (text) => Object.freeze(parseClockSetting(text)),
  }),
  randomSeed: setting({
    flags: '--random-seed <SEED>',
    standard: 1,
    description: 'the same seed, key and calls yield the same ids, codes and names',
    read: readSeed,
  }),
  apiKeys: list({
    flags: '--api-keys <KEYS>',
    standard: null as readonly string[] | null,
    standardText: 'any non-empty key',
    description: 'comma-separated list of the only keys accepted',
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
    read: (text) => readCertificate(readText(text)),
  }),
  tlsKey: setting<string | null>({
    flags: '--tls-key <FILE>',
    standard: null,
    standardText: 'none: plain HTTP',
    description: 'PEM file with the private key of the certificate',
    read: (text) => readPrivateKey(readText(text)),
  }),
  dialect: setting({
    flags: '--dialect <FILE>',
    standard: defaultDialect,
    standardText: 'as in docs/assumptions.md',
    description: 'YAML file with settings for points that the interface document leaves open',
    read: (text) => readDialectFile(readText(text)),
  }),
  webhookRoutes: list({
    flags: '--webhook-route <FROM=TO>',
    standard: Object.freeze([]),
    standardText: 'none',
    description: 'redirect webhooks, such as https://app.example.com=http://localhost:3000; repeatable',
    read: parseWebhookRoute,
  }),
  webhookTimeoutMs: setting({
    flags: '--webhook-timeout <DURATION>',
    standard: 10_000,
    standardText: '10s',
    description: 'time limit for a response of a receiver, in real time',
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
    description: 'number of API requests that the journal of an account keeps',
    read: readWhole(1, 1_000_000),
  }),
  fsync: setting({
    flags: '--fsync <WHEN>',
    standard: 'interval',
    description: 'with --data: always = on disk before the response, interval = at most 50 ms later',
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
  allowedHosts: list({
    flags: '--allowed-hosts <HOSTS>',
    standard: Object.freeze([]),
    standardText: 'addresses and local names',
    description: 'further accepted names in the Host header; repeatable, or comma-separated',
    read: readHost,
  }),
};

/** All settings, read once at the start. Milliseconds are real; null means the default that the option describes. */
export type Config = {
  readonly [Name in keyof typeof configOptions]: (typeof configOptions)[Name]['standard'];
};

/** All settings without their types, for lists. */
export const configOptionList: readonly ConfigOption<unknown>[] = Object.values(configOptions);
