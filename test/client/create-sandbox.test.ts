/** Starting a sandbox inside a program: its options and their errors. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type SandboxClient, type SandboxOptions } from '../../src/index.js';

const ada = '+12025550110';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-'));
});
afterAll(() => rm(folder, { recursive: true }));

const opened: SandboxClient[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});
const open = async (options?: SandboxOptions): Promise<SandboxClient> => {
  const client = await createSandbox(options);
  opened.push(client);
  return client;
};

describe('createSandbox', () => {
  it('passes every option on', async () => {
    const scenario = join(folder, 'quiet.yaml');
    await writeFile(scenario, 'version: 1\nname: quiet\n');
    const dialect = join(folder, 'dialect.yaml');
    await writeFile(dialect, 'http.created: 201\n');
    const sandbox = await open({
      key: 'mine',
      port: 0,
      host: '0.0.0.0',
      clock: 'frozen:2026-03-01T09:00:00Z',
      scenario: [scenario, 'happy-path'],
      apiKeys: ['mine', 'yours'],
      controlToken: 'sesame',
      dialect,
      webhookRoutes: 'https://app.example.com=http://localhost:1',
      webhookTimeout: '2s',
      allowPublicWebhooks: false,
      maxJournal: 2,
      logLevel: 'silent',
      allowedHosts: ['sandbox.example.com'],
    });
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await sandbox.scenario.get()).toMatchObject({ name: 'quiet' });
    expect(await sandbox.clock.now()).toBe('2026-03-01T09:00:00.000Z');
    await expect(sandbox.account('theirs').events()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    await sandbox.webhooks.register('https://app.example.com/hook', ['message.received']);
    for (const name of ['a', 'b', 'c']) {
      await sandbox.templates.create({ name, category: 'utility', language: 'en', body: 'Hello' });
    }
    expect(await sandbox.requests()).toMatchObject([{ status: 201 }, { status: 201 }]);
    await sandbox.customer(ada).says('Hi');
    await sandbox.idle();
    // The request followed the route, and did not go to the public address.
    const [delivery] = await sandbox.deliveries();
    expect(delivery?.attempts).toMatchObject([{ sent_to: 'http://localhost:1/hook' }]);
  });

  it('keeps its data in a directory', async () => {
    const data = join(folder, 'data');
    const before = await createSandbox({ data, fsync: 'always' });
    await before.customer(ada).says('Hi');
    await before.close();
    expect(await (await open({ data })).events()).toHaveLength(1);
  });

  const wrong: [SandboxOptions, string][] = [
    [{ port: 70_000 }, 'Invalid value "70000" for port. Expected a whole number from 0 to 65535 (0 = any free port).'],
    [{ seed: '' }, 'Invalid value "" for seed. Expected a number or a text.'],
    [{ webhookRoutes: ['nowhere'] }, 'webhookRoutes: webhook route "nowhere": there is no "="'],
    [
      { key: 'two words' },
      'Invalid value "two words" for the API key. Expected visible ASCII characters without spaces.',
    ],
  ];
  it.each(wrong)('refuses %o', async (options, message) => {
    await expect(createSandbox(options)).rejects.toMatchObject({
      code: 'invalid_option',
      status: null,
      message: expect.stringContaining(message) as string,
    });
  });

  it('tells that a port is taken', async () => {
    const { url } = await open();
    const taken = createSandbox({ port: Number(new URL(url).port) });
    await expect(taken).rejects.toMatchObject({ code: 'start_failed', status: null });
    await expect(taken).rejects.toThrow('Leave "port" out, or give 0, for a free one.');
  });

  it('tells what is wrong with a scenario, and where', async () => {
    const scenario = join(folder, 'broken.yaml');
    await writeFile(scenario, 'version: 1\nrulez: []\n');
    await expect(createSandbox({ scenario })).rejects.toMatchObject({
      code: 'scenario_invalid',
      message: expect.stringContaining('broken.yaml:2:1') as string,
      details: [{ line: 2, column: 1 }],
    });
  });

  it('closes once, and then refuses', async () => {
    const sandbox = await createSandbox();
    const other = sandbox.account('other');
    await Promise.all([sandbox.close(), sandbox.close()]);
    await expect(sandbox.events()).rejects.toMatchObject({ code: 'closed', status: null });
    await expect(other.events()).rejects.toThrow('Call it before close()');
    await expect(fetch(`${sandbox.url}/livez`)).rejects.toThrow();
  });
});
