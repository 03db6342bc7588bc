import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, configOptionList, defaultConfig, resolveConfig, unknownVariables } from '../src/config/index.js';
import type { Config, ConfigInput } from '../src/config/index.js';
import { defaultDialect } from '../src/dialect/index.js';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const refusal = (input: ConfigInput): string => {
  try {
    resolveConfig(input);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'nothing was refused';
};

describe('without flags and variables', () => {
  it('is the documented default, frozen', () => {
    expect(defaultConfig).toStrictEqual({
      port: 4242,
      host: '127.0.0.1',
      dataDir: null,
      scenarios: [],
      watch: false,
      clock: { mode: 'real', scale: 1, startMs: null },
      randomSeed: 1,
      apiKeys: null,
      controlToken: null,
      tlsCert: null,
      tlsKey: null,
      dialect: defaultDialect,
      webhookRoutes: [],
      applicationUrl: null,
      webhookTimeoutMs: 10_000,
      allowPublicWebhooks: false,
      maxJournal: 10_000,
      fsync: 'interval',
      logLevel: 'info',
      logFormat: 'pretty',
      allowedHosts: [],
    });
    expect(Object.isFrozen(defaultConfig)).toBe(true);
  });
});

/** One row per setting: the same text by flag and by variable gives the same value. */
const accepted: [keyof Config, flag: string, variable: string, text: string, value: unknown][] = [
  ['port', 'port', 'SANDBOX_PORT', '0', 0],
  ['port', 'port', 'PORT', '8080', 8080],
  ['host', 'host', 'SANDBOX_HOST', '0.0.0.0', '0.0.0.0'],
  ['host', 'host', 'SANDBOX_HOST', '[::1]', '::1'],
  ['dataDir', 'data', 'SANDBOX_DATA', 'some/dir', resolve('some/dir')],
  ['scenarios', 'scenario', 'SANDBOX_SCENARIO', 'flaky-api,closed-window', ['flaky-api', 'closed-window']],
  ['watch', 'watch', 'SANDBOX_WATCH', 'true', true],
  ['watch', 'watch', 'SANDBOX_WATCH', 'No', false],
  ['clock', 'clock', 'SANDBOX_CLOCK', 'frozen', { mode: 'frozen', scale: 1, startMs: null }],
  [
    'clock',
    'clock',
    'SANDBOX_CLOCK',
    'frozen:2026-03-01T10:00:00+01:00',
    { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) },
  ],
  ['clock', 'clock', 'SANDBOX_CLOCK', 'frozen:2026-03-01', { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1) }],
  ['clock', 'clock', 'SANDBOX_CLOCK', 'x60', { mode: 'scaled', scale: 60, startMs: null }],
  ['clock', 'clock', 'SANDBOX_CLOCK', 'auto', { mode: 'auto', scale: 1, startMs: null }],
  ['randomSeed', 'random-seed', 'SANDBOX_RANDOM_SEED', '42', 42],
  ['randomSeed', 'random-seed', 'SANDBOX_RANDOM_SEED', '007', '007'],
  ['apiKeys', 'api-keys', 'SANDBOX_API_KEYS', 'a,b', ['a', 'b']],
  ['controlToken', 'control-token', 'SANDBOX_CONTROL_TOKEN', 's3cret', 's3cret'],
  ['applicationUrl', 'application-url', 'SANDBOX_APPLICATION_URL', 'http://localhost:3000/', 'http://localhost:3000'],
  ['webhookTimeoutMs', 'webhook-timeout', 'SANDBOX_WEBHOOK_TIMEOUT', '1m30s', 90_000],
  ['allowPublicWebhooks', 'allow-public-webhooks', 'SANDBOX_ALLOW_PUBLIC_WEBHOOKS', '1', true],
  ['maxJournal', 'max-journal', 'SANDBOX_MAX_JOURNAL', '5', 5],
  ['fsync', 'fsync', 'SANDBOX_FSYNC', 'always', 'always'],
  ['logLevel', 'log-level', 'SANDBOX_LOG_LEVEL', 'DEBUG', 'debug'],
  ['logFormat', 'log-format', 'SANDBOX_LOG_FORMAT', 'json', 'json'],
  [
    'allowedHosts',
    'allowed-hosts',
    'SANDBOX_ALLOWED_HOSTS',
    'Sandbox.Example.com,b.example',
    ['sandbox.example.com', 'b.example'],
  ],
];

describe('a value', () => {
  it.each(accepted)('%s by --%s and %s: %s', (name, flag, variable, text, value) => {
    expect(resolveConfig({ flags: { [flag]: text } })[name]).toStrictEqual(value);
    expect(resolveConfig({ env: { [variable]: text } })[name]).toStrictEqual(value);
  });

  it('exists for every setting of the table', () => {
    const tested = new Set(accepted.map(([, flag]) => `--${flag}`));
    const elsewhere = ['--tls-cert', '--tls-key', '--dialect', '--webhook-route'];
    expect(configOptionList.map((option) => option.flag).filter((flag) => !tested.has(flag))).toStrictEqual(elsewhere);
  });

  it('comes from the flag rather than the variable, and from SANDBOX_PORT rather than PORT', () => {
    const env = { SANDBOX_PORT: '2', PORT: '3' };
    expect(resolveConfig({ flags: { port: '1' }, env }).port).toBe(1);
    expect(resolveConfig({ env }).port).toBe(2);
  });

  it('counts as absent in an empty variable', () => {
    expect(resolveConfig({ env: { SANDBOX_DATA: '', SANDBOX_PORT: ' ', PORT: '9' } })).toMatchObject({
      dataDir: null,
      port: 9,
    });
  });

  it('is collected from repeated flags and from lists', () => {
    const flags = { scenario: ['a', 'b,c'], 'allowed-hosts': ['x.example'] };
    const env = {
      SANDBOX_ALLOWED_HOSTS: 'y.example',
      SANDBOX_WEBHOOK_ROUTE: 'https://a.example=http://localhost:1 https://b.example=http://localhost:2/x',
    };
    const config = resolveConfig({ flags, env });
    expect(config.scenarios).toStrictEqual(['a', 'b', 'c']);
    expect(config.allowedHosts).toStrictEqual(['x.example']);
    expect(config.webhookRoutes.map((route) => [route.from.host, route.to.origin + route.to.path])).toStrictEqual([
      ['a.example', 'http://localhost:1'],
      ['b.example', 'http://localhost:2/x'],
    ]);
  });

  it('may hold a space in a flag, while a space separates in a variable', () => {
    expect(resolveConfig({ flags: { scenario: ['my own.yaml'] } }).scenarios).toStrictEqual(['my own.yaml']);
    expect(resolveConfig({ env: { SANDBOX_SCENARIO: 'a b' } }).scenarios).toStrictEqual(['a', 'b']);
  });

  it('may be a dialect file', () => {
    const path = file('dialect.yaml', 'http.created: 201\n');
    expect(resolveConfig({ flags: { dialect: path } }).dialect.http.created).toBe(201);
  });
});

describe('an invalid value is an error of one line: its source, what was found, what is expected', () => {
  it.each<[ConfigInput, string[]]>([
    [{ flags: { port: 'abc' } }, ['for --port', '"abc"', 'from 0 to 65535']],
    [{ env: { PORT: '70000' } }, ['for PORT', '"70000"', 'from 0 to 65535']],
    [{ flags: { port: '4.2' } }, ['for --port', '"4.2"']],
    [{ flags: { host: 'http://localhost' } }, ['for --host', '"http://localhost"', 'without scheme and port']],
    [{ flags: { host: 'localhost:80' } }, ['for --host', '"localhost:80"']],
    [{ flags: { data: '' } }, ['for --data', 'a name or path']],
    [{ flags: { clock: 'fast' } }, ['for --clock', '"fast"', 'real, frozen', 'x60', 'auto']],
    [{ flags: { clock: 'x0' } }, ['for --clock', '"x0"', 'x0.001']],
    [{ env: { SANDBOX_CLOCK: 'frozen:yesterday' } }, ['for SANDBOX_CLOCK', '"yesterday"', 'ISO 8601']],
    [{ flags: { clock: 'frozen:2026-03-01T09:00:00' } }, ['for --clock', 'time zone', '2026-03-01T09:00:00Z']],
    [{ flags: { clock: 'frozen:2026-02-30' } }, ['for --clock', 'does not exist in the calendar']],
    [{ env: { SANDBOX_WATCH: 'maybe' } }, ['for SANDBOX_WATCH', '"maybe"', 'yes', 'no']],
    [{ flags: { 'api-keys': 'a b' } }, ['for --api-keys', '"a b"', 'without spaces']],
    [
      { flags: { 'api-keys': ',' } },
      ['for --api-keys', '","', 'the list is empty', 'Expected KEYS: comma-separated list'],
    ],
    [{ flags: { 'control-token': 'two words' } }, ['for --control-token', 'without spaces']],
    [{ flags: { 'application-url': 'localhost:3000' } }, ['for --application-url', '"localhost:3000"', 'http://']],
    [{ flags: { 'webhook-timeout': '10' } }, ['for --webhook-timeout', '"10"', '10s']],
    [{ flags: { 'webhook-timeout': '2h' } }, ['for --webhook-timeout', '"2h"', '10m']],
    [{ flags: { 'max-journal': '0' } }, ['for --max-journal', '"0"', 'from 1 to']],
    [{ flags: { fsync: 'never' } }, ['for --fsync', '"never"', 'always, interval']],
    [{ flags: { 'log-level': 'loud' } }, ['for --log-level', '"loud"', 'debug, info, warn, error, silent']],
    [{ flags: { 'log-format': 'xml' } }, ['for --log-format', '"xml"', 'pretty, json']],
    [{ flags: { 'webhook-route': ['https://a.example'] } }, ['--webhook-route:', '"https://a.example"', 'FROM=TO']],
    [
      { flags: { 'allowed-hosts': 'https://a.example' } },
      ['for --allowed-hosts', '"https://a.example"', 'sandbox.example.com'],
    ],
    [{ flags: { dialect: '/nowhere/dialect.yaml' } }, ['for --dialect', '"/nowhere/dialect.yaml"', 'ENOENT']],
  ])('%o', (input, parts) => {
    const message = refusal(input);
    for (const part of parts) expect(message).toContain(part);
    expect(message).not.toContain('\n');
  });

  it('names the place in a dialect file', () => {
    const path = file('bad.yaml', 'otp:\n  lock: never\n');
    expect(refusal({ env: { SANDBOX_DIALECT: path } })).toMatch(/^SANDBOX_DIALECT: .*bad\.yaml:2:9: .*"next_call"/);
  });
});

describe('an unknown SANDBOX_ variable', () => {
  it('is reported, with the nearest known one', () => {
    expect(
      unknownVariables({ SANDBOX_PROT: '1', SANDBOX_TMP: '/tmp/x', MESSAGING_BASE_URL: 'x', HOME: '/', PATH: '' }),
    ).toStrictEqual(['Unknown variable SANDBOX_PROT has no effect. Did you mean SANDBOX_PORT?']);
    expect(unknownVariables({ SANDBOX_COLOUR_OF_THE_SKY: 'blue' })).toStrictEqual([
      'Unknown variable SANDBOX_COLOUR_OF_THE_SKY has no effect.',
    ]);
  });
});
