/** The fixture by URL: no two runs share an account, and each account begins as the fixture says. */
import { expect, it, vi } from 'vitest';
import { createSandbox } from '../../src/client/create-sandbox.js';
import { connectSandbox } from '../../src/client/client.js';
import { Fixture } from '../../src/client/fixture.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

it('gives two runs of one suite accounts of their own, under keys that keep the name', async () => {
  const clock = 'frozen:2026-03-01T09:00:00Z' as const;
  const runs = [1, 2].map(() => new Fixture({ url: sandbox.url, clock, scenario: 'flaky-api' }));
  await Promise.all(runs.map((run) => run.open()));
  const accounts = await Promise.all(runs.map((run) => run.accountOf(['suite.test.ts', 'sends'])));
  const keys = accounts.map(({ apiKey }) => apiKey);
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(key).toMatch(/^suite\.test\.ts_sends-[0-9a-z]{10}$/);
  const further = runs.map((run) => run.account('worker'));
  for (const account of [...accounts, ...further]) {
    expect(await account.clock.get()).toMatchObject({ mode: 'frozen', now: '2026-03-01T09:00:00.000Z' });
    expect(await account.scenario.get()).toMatchObject({ name: 'flaky-api' });
  }
  expect(new Set(further.map(({ apiKey }) => apiKey)).size).toBe(2);
  await Promise.all(runs.map((run) => run.close()));
});

it('says that the URL comes from the environment if no server is there', async () => {
  vi.stubEnv('MESSAGING_BASE_URL', 'http://127.0.0.1:1');
  const message =
    'The URL is the value of MESSAGING_BASE_URL. Without this variable, the tests start their own sandbox.';
  const opening = (options: object) => new Fixture(options).open().catch((error: unknown) => (error as Error).message);
  expect(await opening({})).toContain(message);
  expect(await opening({ url: 'http://127.0.0.1:1' })).not.toContain(message);
  vi.unstubAllEnvs();
});

it('an option that does not exist is an error with the nearest one', async () => {
  const rejected = { code: 'invalid_option', message: expect.stringContaining('Did you mean "clock"?') as string };
  await expect(createSandbox({ clok: 'frozen' } as object)).rejects.toMatchObject(rejected);
  expect(() => new Fixture({ clok: 'frozen' } as object)).toThrow('Did you mean "clock"?');
  await expect(connectSandbox({ ulr: sandbox.url } as object)).rejects.toMatchObject({
    message: expect.stringContaining('Did you mean "url"?') as string,
  });
});

it('a message on demand opens the window, and a customer can be delivered twice', async () => {
  const account = (await connectSandbox(sandbox.url)).account('on-demand');
  await account.webhooks.register('https://sink.sandbox/app', ['message.received']);
  await account.emit('message.received', { from: '+12025550110', text: 'Hi', profile_name: 'Ada' });
  expect(await account.customer('+12025550110').get()).toMatchObject({ profile_name: 'Ada', window: { open: true } });
  await account.customer('+12025550111').says('Hi', { webhook: { duplicate: 1 } });
  await account.idle();
  expect(await account.sink('app').received()).toHaveLength(3);
  await expect(account.emit('message.status', { stauts: 'read' } as object)).rejects.toThrow('did you mean status?');
  await account.emit('message.status', { stauts: 'read' } as object, { allowUnknown: true });
  await expect(account.emit('message.received', { text: 'x'.repeat(70_000) })).rejects.toMatchObject({ status: 413 });
});
