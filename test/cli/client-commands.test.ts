import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { runHere } from '../support/cli-here.js';
import { World } from '../support/client.js';
import { closing } from '../support/closing.js';
import { freePort, receiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

let server: Sandbox;
beforeAll(async () => {
  server = await startTestSandbox({ clock: frozen });
});
afterAll(() => server.close());

/** Runs a client command with a new account. */
const client = (key: string, ...args: string[]) =>
  runHere(args, { MESSAGING_BASE_URL: server.url, MESSAGING_API_KEY: key });
const json = async (key: string, ...args: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await client(key, ...args, '--json');
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe('clock', () => {
  it('shows, advances, sets, freezes and runs', async () => {
    const now = (instant: string) => expect.objectContaining({ now: `2026-${instant}Z` }) as unknown;
    const shown = { now: '2026-03-01T09:00:00.000Z', mode: 'frozen', scale: 1, pending: 0, next_due: null };
    expect(await json('clock', 'clock', 'show')).toStrictEqual(shown);
    expect(await json('clock', 'clock')).toStrictEqual(shown);
    expect(await json('clock', 'clock', 'advance', '1h30m')).toStrictEqual(now('03-01T10:30:00.000'));
    expect(await json('clock', 'clock', 'advance', '--to', '2026-03-02T00:00:00Z')).toStrictEqual(
      now('03-02T00:00:00.000'),
    );
    expect(await json('clock', 'clock', 'set', '2026-03-03T00:00:00Z')).toStrictEqual(now('03-03T00:00:00.000'));
    expect(await json('clock', 'clock', 'run', 'x60')).toMatchObject({ mode: 'scaled', scale: 60 });
    expect(await json('clock', 'clock', 'run', 'auto')).toMatchObject({ mode: 'auto' });
    expect(await json('clock', 'clock', 'run')).toMatchObject({ mode: 'real' });
    expect(await json('clock', 'clock', 'freeze', '2026-12-24T00:00:00Z')).toMatchObject({ mode: 'frozen' });
  });

  it('takes the flags of a client before the subcommand, too; those behind it win', async () => {
    const before = ['clock', '--url', server.url, '--key', 'before', '--json'];
    const { code, stdout } = await runHere([...before, 'advance', '1h']);
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, now: '2026-03-01T10:00:00.000Z' });
    const behind = await runHere([...before, 'show', '--key', 'behind']);
    expect(JSON.parse(behind.stdout)).toMatchObject({ now: '2026-03-01T09:00:00.000Z' });
  });

  it('lists what ran, for people', async () => {
    await client('people', 'inbound', '+12025550150', 'hi');
    const { stdout } = await client('people', 'clock', 'advance', '24h');
    expect(stdout).toMatch(/^2026-03-02T09:00:00\.000Z {2}\d+ jobs? ran, 0 webhook attempts, \d+ jobs? ahead$/m);
  });

  it.each([
    ['clock set 2020-01-01T00:00:00Z', 'INSTANT '],
    ['clock set 2020-01-01T00:00:00Z', '2026-03-01T09:00:00.000Z'],
    ['clock advance --to 2020-01-01T00:00:00Z', '--to '],
    ['inbound 12025550150 hi', 'FROM '],
    ['inbound 12025550150 hi', 'found "12025550150"'],
    ['trigger message.status --set dat.text=a', 'data'],
  ])('an argument that the sandbox rejects is a usage error: %s', async (line, words) => {
    await client('back', 'inbound', '+12025550150', 'hi');
    const { code, stdout, stderr } = await client('back', ...line.split(' '));
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(stderr).not.toContain('validation_error');
    expect(stderr).toContain(words);
  });
});

describe('inbound', () => {
  it.each<[string[], object]>([
    [[], { type: 'text', text: expect.stringMatching(/\w+ \w+/) as string }],
    [['hello'], { type: 'text', text: 'hello' }],
  ])('%j fires message.received', async (args, data) => {
    const key = `inbound-${args[0] ?? ''}`.replace(/[^a-z-]/g, '');
    const result = (await json(key, 'inbound', '+12025550150', ...args)) as { event_id: string };
    const event = await new World(server.url, key).get(`/_sandbox/events/${result.event_id}`);
    expect(event).toMatchObject({ type: 'message.received', data: { from: '+12025550150', ...data } });
  });
});

describe('trigger', () => {
  it('fires an event with the fields that were set, texts as texts', async () => {
    const fields = ['--set', 'data.text=42', '--set', 'data.from=+12025550177'];
    expect(await json('trigger', 'trigger', 'message.received', ...fields)).toMatchObject({
      event: { type: 'message.received', data: { text: '42', from: '+12025550177' } },
      deliveries: [],
    });
  });

  it('fires it as webhook.… says, in numbers and yes or no, and lists the deliveries', async () => {
    await new World(server.url, 'bent').register('https://sink.sandbox/bent', ['message.status']);
    const set = (...all: string[]) => all.flatMap((one) => ['--set', one]);
    const failed = ['data.status=failed', 'data.error.code=undeliverable', 'data.error.message=42'];
    const bent = set('webhook.duplicate=2', ...failed, 'data.error.channel_code=131026');
    expect(await json('bent', 'trigger', 'message.status', ...bent)).toMatchObject({
      event: { data: { error: { code: 'undeliverable', message: '42', channel_code: 131026 } } },
      deliveries: [{}, {}, {}],
    });
    const dropped = set('webhook.drop=true', 'data.error=null');
    const { stdout } = await client('bent', 'trigger', 'message.status', ...dropped);
    expect(stdout).toMatch(
      /^message\.status evt_\S+\n {2}→ https:\/\/sink\.sandbox\/bent {2}dropped {2}delivery \S+\n$/,
    );
  });

  it('says when nobody listens', async () => {
    const { stdout } = await client('trigger', 'trigger', 'otp.verified');
    expect(stdout).toMatch(
      /^otp\.verified evt_\S+: not delivered, because the account \S+ has no endpoint for it.*\n {2}curl /,
    );
  });
});

describe('reset', () => {
  it('empties the account', async () => {
    await client('reset', 'clock', 'advance', '1h');
    expect(await json('reset', 'reset')).toStrictEqual({ key: 'reset' });
    expect(await json('reset', 'clock', 'show')).toMatchObject({ now: '2026-03-01T09:00:00.000Z' });
  });

  it('keeps what --keep names, and rejects another name', async () => {
    await client('kept', 'clock', 'advance', '1h');
    const later = await json('kept', 'clock', 'show');
    expect(await json('kept', 'reset', '--keep', 'clock,templates')).toEqual({
      key: 'kept',
      keep: ['clock', 'templates'],
    });
    expect(await json('kept', 'clock', 'show')).toMatchObject({ now: (later as { now: string }).now });
    const { code, stderr } = await runHere(['reset', '--keep', 'messages']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Invalid value "messages" for --keep. Expected templates, webhooks, clock, scenario.'),
    ]);
  });
});

describe('the control token', () => {
  it('opens a guarded control plane by flag and by variable', async () => {
    const guarded = closing(await startTestSandbox({ controlToken: 's3cret' }));
    const show = ['clock', 'show', '--url', guarded.url];
    expect((await runHere(show)).stderr).toMatch(/^messaging-sandbox: unauthorized \(401\): /);
    expect((await runHere([...show, '--control-token', 's3cret'])).code).toBe(0);
    expect((await runHere(show, { MESSAGING_CONTROL_TOKEN: 's3cret' })).code).toBe(0);
    expect((await runHere(['readyz', '--url', guarded.url])).code).toBe(0);
  });
});

describe('when no sandbox answers', () => {
  it('says that nothing listens, in one line', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await runHere(['clock', 'show', '--url', url])).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `messaging-sandbox: No server is listening at ${url}. Start a sandbox with "messaging-sandbox start", or wait until its container is healthy. For another sandbox, set --url or MESSAGING_BASE_URL.\n`,
    });
    const readyz = await runHere(['readyz', '--url', url]);
    expect(readyz).toMatchObject({ code: 1, stdout: '' });
    expect(readyz.stderr).toMatch(/^messaging-sandbox: \S+ is not ready: connect ECONNREFUSED .*\.\n$/);
  });

  it('says that somebody else does', async () => {
    const { port } = await receiver((response) => response.writeHead(404).end('<html>'));
    const url = `http://127.0.0.1:${port}`;
    const { code, stderr } = await runHere(['reset', '--url', url]);
    expect(code).toBe(1);
    expect(stderr).toContain(`POST ${url}/_sandbox/reset: the response 404 does not come from a sandbox`);
    expect(await runHere(['readyz', '--url', url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it responded with 404 "<html>"') as string,
    });
  });

  it('gives up on a silent server', async () => {
    const { port } = await receiver(() => undefined);
    const url = `http://127.0.0.1:${port}`;
    const { code, stderr } = await runHere(['readyz'], { MESSAGING_BASE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toBe(`messaging-sandbox: ${url} is not ready: no response within 2s.\n`);
  });
});

describe('readyz finds the server by', () => {
  const port = () => new URL(server.url).port;
  it.each<[string, () => Record<string, string>]>([
    ['MESSAGING_BASE_URL', () => ({ MESSAGING_BASE_URL: server.url })],
    ['SANDBOX_PORT', () => ({ SANDBOX_PORT: port() })],
    ['SANDBOX_PORT rather than PORT', () => ({ SANDBOX_PORT: port(), PORT: '1' })],
    ['SANDBOX_HOST 0.0.0.0', () => ({ SANDBOX_PORT: port(), SANDBOX_HOST: '0.0.0.0' })],
  ])('%s', async (_name, env) => {
    expect(await runHere(['readyz'], env())).toStrictEqual({ code: 0, stdout: `${server.url} is ready\n`, stderr: '' });
  });

  it('nothing, when the port was left to chance', async () => {
    const { code, stderr } = await runHere(['readyz'], { SANDBOX_PORT: '0' });
    expect(code).toBe(2);
    expect(stderr).toContain('SANDBOX_PORT is 0');
  });
});
