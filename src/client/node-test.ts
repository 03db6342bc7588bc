/** For node:test: a sandbox per test file or suite, and an account per test. Published as `messaging-sandbox/node-test`. */
import { basename } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { SandboxAccount } from './account.js';
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

/** Properties that the context of a test also has; older declarations of Node do not list them. */
interface Outcome {
  readonly filePath?: string;
  readonly passed?: boolean;
}

/**
 * Call it once at the top of a test file or of a `describe`. The returned function takes the context of a test and
 * gives that test its own account: empty at first, deleted afterwards, with a key made from the test's name. Concurrent
 * tests may call it. For a failed test, the end of its journal and the verdict are shown as diagnostics.
 */
export function useSandbox(options: UseSandboxOptions = {}): (context: TestContext) => Promise<SandboxAccount> {
  const keys = new TestKeys();
  let sandbox: TestSandbox | undefined;
  before(async () => {
    sandbox = await openForTests(options);
  });
  after(async () => {
    await sandbox?.client.close();
    sandbox = undefined;
  });
  return async (context) => {
    if (!sandbox) {
      throw new SandboxError({
        code: 'invalid_option',
        message:
          'useSandbox: no sandbox is open. Call useSandbox(…) at the top of the file, and what it returns inside a test.',
      });
    }
    const { filePath = process.argv[1] ?? '' } = context as TestContext & Outcome;
    const account = await sandbox.account(keys.next([basename(filePath), ...context.fullName.split(' > ')]));
    context.after(async () => {
      const { passed } = context as TestContext & Outcome;
      if (passed === false) (await failureReport(account)).split('\n').forEach((line) => context.diagnostic(line));
      if (explored === null) await account.remove();
    });
    return account;
  };
}
