/** A sandbox per test file and an account per test, for vitest. Published as `messaging-sandbox/vitest`. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { sandboxAccount, type SandboxAccount } from './account.js';
import { openConnection } from './connection.js';
import { Fixture, type UseSandboxOptions } from './fixture.js';
import { invalidOption } from './sandbox-error.js';

export type { UseSandboxOptions };

/**
 * Call it once at the top of a test file or of a `describe`. In each test and its hooks, the returned handle is the
 * account of that test: empty at first, deleted afterwards, with a key made from the test's name. Unless a URL is given,
 * one sandbox in this worker's process serves the file; it is closed when the file is done, also in watch mode. Tests
 * marked `concurrent` share the handle, so there it can only create accounts: `sandbox.account('one per test')`.
 */
export function useSandbox(options: UseSandboxOptions = {}): SandboxAccount {
  const fixture = new Fixture(options);
  /** There is none outside of tests; in concurrent tests, it is not known. */
  let current: SandboxAccount | 'none' | 'several' = 'none';

  beforeAll(() => fixture.open());
  beforeEach(async ({ task }) => {
    // A handle whose group has ended has no sandbox.
    if (!fixture.client) return;
    const isConcurrent = task.concurrent === true;
    current = isConcurrent ? 'several' : await fixture.accountOf([task.file.name, ...names(task)]);
  });
  afterEach(async ({ task }) => {
    const account = current;
    current = 'none';
    if (typeof account !== 'object') return;
    const lines = await fixture.end(account, task.result?.state === 'fail');
    if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`);
  });
  afterAll(() => fixture.close());

  const valueOf = (name: string): unknown => {
    // Other accounts begin as the accounts of tests do.
    if (name === 'account' && fixture.client) return (key: string) => fixture.account(key);
    // The address is the same for every test.
    const shared = name === 'url' ? fixture.client : undefined;
    const account = typeof current === 'object' ? current : shared;
    if (account) return Reflect.get(account, name);
    throw invalidOption(
      current === 'several'
        ? `useSandbox: "${name}" was used in a concurrent test, where its account is unknown. Use sandbox.account('…') with a different key in each test.`
        : `useSandbox: "${name}" was used where no test is running. Use it inside tests, or in beforeEach and afterEach.`,
    );
  };
  return new Proxy({} as SandboxAccount, {
    // Code that awaits or prints the handle reads properties that an account does not have.
    get: (_none, name): unknown => (accountKeys.has(name) ? valueOf(String(name)) : undefined),
  });
}

const accountKeys = new Set<string | symbol>(
  Object.keys(sandboxAccount(openConnection({ url: '', key: 'none', controlToken: null }))),
);

interface Named {
  readonly name: string;
  readonly suite?: Named | undefined;
}

/** The groups come first. */
function names(task: Named): string[] {
  return [...(task.suite ? names(task.suite) : []), task.name];
}
