/**
 * For node:test: a sandbox per test file or suite, and an account per test. Published as `messaging-sandbox/node-test`.
 */
import { basename } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { SandboxAccount } from './account.js';
import { Fixture, type UseSandboxOptions } from './fixture.js';

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
  const fixture = new Fixture(options);
  before(() => fixture.open());
  after(() => fixture.close());
  return async (context) => {
    const { filePath = process.argv[1] ?? '' } = context as TestContext & Outcome;
    const account = await fixture.accountOf([basename(filePath), ...context.fullName.split(' > ')]);
    context.after(async () => {
      const { passed } = context as TestContext & Outcome;
      for (const line of await fixture.end(account, passed === false)) context.diagnostic(line);
    });
    return account;
  };
}
