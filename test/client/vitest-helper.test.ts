/** `useSandbox`, used like a user does. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSandbox, type SandboxAccount } from '../../src/index.js';
import { useSandbox } from '../../src/client/vitest.js';

const ada = '+12025550110';
const sandbox = useSandbox({ clock: 'frozen:2026-03-01T09:00:00Z' });
const keys: string[] = [];
let ended: SandboxAccount | undefined;

beforeEach(async ({ task }) => {
  if (task.concurrent !== true) expect(await sandbox.events()).toStrictEqual([]);
});
afterEach(({ task }) => {
  // The account still belongs to the test.
  if (task.concurrent !== true) keys.push(sandbox.apiKey);
});

it('has an account of its own', async () => {
  expect(sandbox.apiKey).toBe('test-client-vitest-helper.test.ts_has-an-account-of-its-own');
  await sandbox.customer(ada).says('Hi');
  expect(await sandbox.events()).toHaveLength(1);
  expect(await sandbox.clock.now()).toBe('2026-03-01T09:00:00.000Z');
});

describe('in a group', () => {
  it.each(['one', 'two'])('starts → "empty"', async () => {
    expect(await sandbox.events()).toStrictEqual([]);
    await sandbox.customer(ada).says('Hi');
  });

  it('has had a key per test, the account gone with it', async () => {
    expect(keys.slice(1)).toStrictEqual([
      'test-client-vitest-helper.test.ts_in-a-group_starts-empty',
      'test-client-vitest-helper.test.ts_in-a-group_starts-empty.2',
    ]);
    const { items } = await sandbox.call<{ items: { key: string }[] }>('GET', '/_sandbox/accounts');
    expect(items.map(({ key }) => key)).not.toContain(keys[0]);
  });
});

it(`has a key of at most 120 characters, ${'however long its name is, '.repeat(8)}`, () => {
  expect(sandbox.apiKey).toMatch(/^[\w.-]{120}$/);
});

it('can be awaited and printed like any value', async () => {
  expect(await Promise.resolve(sandbox)).toBe(sandbox);
  expect(String(Object.keys(sandbox))).toBe('');
});

describe.concurrent('side by side', () => {
  it.each(['a', 'b'])('%s makes its own account', async (name) => {
    const own = sandbox.account(name);
    await own.customer(ada).says(name);
    expect(await own.events()).toMatchObject([{ data: { text: name } }]);
  });

  it('refuses to guess whose account is meant', ({ expect: here }) => {
    here(() => sandbox.apiKey).toThrow('"apiKey" was used in a concurrent test');
  });
});

describe('in a sandbox that runs elsewhere', async () => {
  const running = await createSandbox();
  const key = 'test-client-vitest-helper.test.ts_in-a-sandbox-that-runs-elsewhere_starts-empty';
  // Before the hook that connects, as if an earlier run had used this test's account.
  beforeAll(() => running.account(key).customer(ada).says('left over'));
  afterAll(() => running.close());
  const elsewhere = useSandbox({ url: running.url, clock: 'frozen:2026-03-01T09:00:00Z', scenario: 'flaky-api' });
  ended = elsewhere;

  it('starts empty', async () => {
    expect([elsewhere.url, elsewhere.apiKey]).toStrictEqual([
      running.url,
      expect.stringMatching(new RegExp(`^${key}-[0-9a-z]{10}$`)),
    ]);
    expect(await elsewhere.events()).toStrictEqual([]);
    expect(await elsewhere.clock.get()).toMatchObject({ mode: 'frozen', now: '2026-03-01T09:00:00.000Z' });
    expect(await elsewhere.scenario.get()).toMatchObject({ name: 'flaky-api' });
  });
});

describe('in the sandbox that the environment names', async () => {
  const running = await createSandbox();
  beforeAll(() => void vi.stubEnv('MESSAGING_BASE_URL', running.url));
  afterAll(() => {
    vi.unstubAllEnvs();
    return running.close();
  });
  const named = useSandbox({ clock: 'frozen:2026-03-01T09:00:00Z' });

  it('starts with the clock of the options', async () => {
    expect([named.url, await named.clock.now()]).toStrictEqual([running.url, '2026-03-01T09:00:00.000Z']);
  });
});

it('says why outside of tests there is no account', () => {
  // A handle of a group that has ended.
  expect(() => ended?.clock).toThrow('"clock" was used where no test is running');
});
