/** For vitest: a sandbox per test file and an account per test. Published as `messaging-sandbox/vitest`. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { sandboxAccount, type SandboxAccount } from './account.js';
import { openConnection } from './connection.js';
import { SandboxError } from './sandbox-error.js';
import {
  explored,
  failureReport,
  openForTests,
  TestKeys,
  type TestSandbox,
  type UseSandboxOptions,
} from './test-accounts.js';

export type { UseSandboxOptions };

/** The account that the handle refers to. There is none outside of tests; in concurrent tests, it is not known. */
type Current = SandboxAccount | 'none' | 'several';

/**
 * Call it once at the top of a test file or of a `describe`. In each test and its hooks, the returned handle is the
 * account of that test: empty at first, deleted afterwards, with a key made from the test's name. Unless a URL is given,
 * one sandbox in this worker's process serves the file; it is closed when the file is done, also in watch mode. Tests marked `concurrent`
 * share the handle, so there it can only create accounts: `sandbox.account('one per test')`.
 */
export function useSandbox(options: UseSandboxOptions = {}): SandboxAccount {
  const keys = new TestKeys();
  let sandbox: TestSandbox | undefined;
  let current: Current = 'none';

  beforeAll(async () => {
    sandbox = await openForTests(options);
  });

  beforeEach(async ({ task }) => {
    if (!sandbox) return;
    if (task.concurrent === true) {
      current = 'several';
      return;
    }
    current = await sandbox.account(keys.next([task.file.name, ...names(task)]));
  });

  afterEach(async ({ task }) => {
    const account = current;
    current = 'none';
    if (typeof account !== 'object') return;
    if (task.result?.state === 'fail') process.stderr.write(`${await failureReport(account)}\n`);
    // Its jobs and its attempts in flight go too, so that nothing from a test affects the next.
    if (explored === null) await account.remove();
  });

  afterAll(async () => {
    await sandbox?.client.close();
    sandbox = undefined;
  });

  return accountHandle(
    () => sandbox?.client,
    () => current,
  );
}

/** A handle that always refers to the account of the current test. */
function accountHandle(client: () => SandboxAccount | undefined, current: () => Current): SandboxAccount {
  const target = (name: keyof SandboxAccount): SandboxAccount => {
    const [running, account] = [client(), current()];
    if (typeof account === 'object') return account;
    // The address and the other accounts are the same for every test.
    if (running && (name === 'url' || name === 'account')) return running;
    throw new SandboxError({
      code: 'invalid_option',
      message:
        account === 'several'
          ? `useSandbox: "${name}" was used in a concurrent test, where its account is unknown. Use sandbox.account('…') with a different key in each test.`
          : `useSandbox: "${name}" was used where no test is running. Use it inside tests, or in beforeEach and afterEach.`,
    });
  };
  return new Proxy({} as SandboxAccount, {
    // Code that awaits or prints the handle reads properties that an account does not have.
    get: (_none, name): unknown => (isOurs(name) ? Reflect.get(target(name), name) : undefined),
  });
}

const ours = new Set(Object.keys(sandboxAccount(openConnection({ url: '', key: 'none', controlToken: null }))));

function isOurs(name: string | symbol): name is keyof SandboxAccount {
  return ours.has(name as string);
}

interface Named {
  readonly name: string;
  readonly suite?: Named | undefined;
}

/** Returns the names of the test's groups, followed by its own. */
function names(task: Named): string[] {
  return [...(task.suite ? names(task.suite) : []), task.name];
}
