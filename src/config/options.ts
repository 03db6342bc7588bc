/** The table of settings. Flags, variables, help and documentation are generated from it. */
import { resolve } from 'node:path';
import { defaultDialect } from '../dialect/index.js';
import { LOG_FORMATS, LOG_LEVELS } from '../log.js';
import { parseWebhookRoute } from '../domain/webhook-route.js';
import { type Config, type ConfigOption, FSYNC_MODES, type Separator } from './config.js';
import {
  hostReader,
  parseClockSetting,
  readBoolean,
  readCertificate,
  readChoice,
  readDialectFile,
  readDuration,
  readPrivateKey,
  readSecret,
  readSeed,
  readSize,
  readText,
  readWhole,
} from './values.js';

export type ConfigOptions = { readonly [Name in keyof Config]: ConfigOption<Config[Name]> };

const LIST: Separator = { flag: /\s*,\s*/, variable: /[,\s]+/ };
/** A URL may contain a comma, so a list of routes is split only where the next URL begins. */
const ROUTES: Separator = { flag: /\s*,\s*(?=https?:\/\/)/i, variable: /[,\s]+(?=https?:\/\/)/i };

const one =
  <Value>(read: (text: string) => Value) =>
  (texts: readonly string[]): Value =>
    read(texts[0] ?? '');
const each =
  <Value>(read: (text: string) => Value) =>
  (texts: readonly string[]): readonly Value[] =>
    Object.freeze(texts.map(read));

export const configOptions: ConfigOptions = {
  port: {
    flag: '--port',
    short: '-p',
    argument: 'NUMBER',
    env: ['SANDBOX_PORT', 'PORT'],
    standard: 4242,
    standardText: '4242',
    description: 'port to listen on; 0 picks a free port and prints it',
    read: one(readWhole(0, 65_535, ' (0 = any free port)')),
  },
  host: {
    flag: '--host',
    argument: 'ADDRESS',
    env: ['SANDBOX_HOST'],
    standard: '127.0.0.1',
    standardText: '127.0.0.1; the image sets 0.0.0.0',
    description: 'address to listen on',
    read: one(hostReader('127.0.0.1, ::1 or 0.0.0.0')),
  },
  dataDir: {
    flag: '--data',
    argument: 'DIR',
    env: ['SANDBOX_DATA'],
    standard: null,
    standardText: 'in memory',
    description: 'directory that keeps accounts, clocks and pending retries across restarts',
    read: one((text) => resolve(readText(text))),
  },
  scenarios: {
    flag: '--scenario',
    argument: 'NAME',
    env: ['SANDBOX_SCENARIO'],
    standard: Object.freeze([]),
    standardText: 'none: everything succeeds',
    description: 'scenario of every new account: a name in scenarios/ or the path of a file; repeatable',
    separator: LIST,
    read: each(readText),
  },
  watch: {
    flag: '--watch',
    env: ['SANDBOX_WATCH'],
    standard: false,
    standardText: 'off',
    description: 'reload scenario files when they change',
    read: one(readBoolean),
  },
  clock: {
    flag: '--clock',
    argument: 'MODE',
    env: ['SANDBOX_CLOCK'],
    standard: Object.freeze({ mode: 'real', scale: 1, startMs: null }),
    standardText: 'real',
    description:
      'how the clock of a new account runs: real, frozen, frozen:2026-03-01T09:00:00Z, x60, auto or auto:150ms',
    read: one((text) => Object.freeze(parseClockSetting(text))),
  },
  randomSeed: {
    flag: '--random-seed',
    argument: 'SEED',
    env: ['SANDBOX_RANDOM_SEED'],
    standard: 1,
    standardText: '1',
    description: 'the same seed, key and calls yield the same ids, codes and names',
    read: one(readSeed),
  },
  apiKeys: {
    flag: '--api-keys',
    argument: 'KEYS',
    env: ['SANDBOX_API_KEYS'],
    standard: null,
    standardText: 'any non-empty key',
    description: 'comma-separated list of the only keys accepted',
    separator: LIST,
    read: each(readSecret),
  },
  controlToken: {
    flag: '--control-token',
    argument: 'TOKEN',
    env: ['SANDBOX_CONTROL_TOKEN'],
    standard: null,
    standardText: 'none: the control plane is open',
    description: 'token required by the control plane, the web UI and the live stream',
    read: one(readSecret),
  },
  tlsCert: {
    flag: '--tls-cert',
    argument: 'FILE',
    env: ['SANDBOX_TLS_CERT'],
    standard: null,
    standardText: 'none: plain HTTP',
    description: 'PEM file with the certificate for HTTPS, including its chain',
    read: one((text) => readCertificate(readText(text))),
  },
  tlsKey: {
    flag: '--tls-key',
    argument: 'FILE',
    env: ['SANDBOX_TLS_KEY'],
    standard: null,
    standardText: 'none: plain HTTP',
    description: 'PEM file with the private key of the certificate',
    read: one((text) => readPrivateKey(readText(text))),
  },
  dialect: {
    flag: '--dialect',
    argument: 'FILE',
    env: ['SANDBOX_DIALECT'],
    standard: defaultDialect,
    standardText: 'as in docs/assumptions.md',
    description: 'YAML file with settings for points that the interface document leaves open',
    read: one((text) => readDialectFile(readText(text))),
  },
  webhookRoutes: {
    flag: '--webhook-route',
    argument: 'FROM=TO',
    env: ['SANDBOX_WEBHOOK_ROUTE'],
    standard: Object.freeze([]),
    standardText: 'none',
    description: 'redirect webhooks, such as https://app.example.com=http://localhost:3000; repeatable',
    separator: ROUTES,
    read: each(parseWebhookRoute),
  },
  webhookTimeoutMs: {
    flag: '--webhook-timeout',
    argument: 'DURATION',
    env: ['SANDBOX_WEBHOOK_TIMEOUT'],
    standard: 10_000,
    standardText: '10s',
    description: 'time limit for a response of a receiver, in real time',
    read: one(readDuration(600_000, '10m')),
  },
  allowPublicWebhooks: {
    flag: '--allow-public-webhooks',
    env: ['SANDBOX_ALLOW_PUBLIC_WEBHOOKS'],
    standard: false,
    standardText: 'off',
    description: 'allow webhooks to addresses outside the private network',
    read: one(readBoolean),
  },
  maxJournal: {
    flag: '--max-journal',
    argument: 'NUMBER',
    env: ['SANDBOX_MAX_JOURNAL'],
    standard: 10_000,
    standardText: '10000',
    description: 'number of API requests that the journal of an account keeps',
    read: one(readWhole(1, 1_000_000)),
  },
  memoryLimit: {
    flag: '--memory-limit',
    argument: 'SIZE',
    env: ['SANDBOX_MEMORY_LIMIT'],
    standard: null,
    standardText: '1gb, or half of the heap',
    description: 'maximum memory for all accounts together',
    read: one(readSize),
  },
  fsync: {
    flag: '--fsync',
    argument: 'WHEN',
    env: ['SANDBOX_FSYNC'],
    standard: 'interval',
    standardText: 'interval',
    description: 'with --data: always = on disk before the response, interval = at most 50 ms later',
    read: one(readChoice(FSYNC_MODES)),
  },
  logLevel: {
    flag: '--log-level',
    argument: 'LEVEL',
    env: ['SANDBOX_LOG_LEVEL'],
    standard: 'info',
    standardText: 'info',
    description: `lowest level written to stderr: ${LOG_LEVELS.join(', ')}`,
    read: one(readChoice(LOG_LEVELS)),
  },
  logFormat: {
    flag: '--log-format',
    argument: 'FORMAT',
    env: ['SANDBOX_LOG_FORMAT'],
    standard: 'pretty',
    standardText: 'pretty',
    description: `format of log lines: ${LOG_FORMATS.join(' or ')}`,
    read: one(readChoice(LOG_FORMATS)),
  },
  allowedHosts: {
    flag: '--allowed-hosts',
    argument: 'HOSTS',
    env: ['SANDBOX_ALLOWED_HOSTS'],
    standard: Object.freeze([]),
    standardText: 'addresses and local names',
    description: 'further accepted names in the Host header; repeatable, or comma-separated',
    separator: LIST,
    read: each(hostReader('sandbox.example.com')),
  },
};

/** All settings without their types, for lists. */
export const configOptionList: readonly ConfigOption<unknown>[] = Object.values(configOptions);
