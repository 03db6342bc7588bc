/** For Playwright: a sandbox per worker, and an account per test. Published as `messaging-sandbox/playwright`. */
import { basename } from 'node:path';
import { test as base } from '@playwright/test';
import type { SandboxAccount } from './account.js';
import type { SandboxClient } from './client.js';
import { failureReport, openForTests, TestKeys, type UseSandboxOptions } from './test-accounts.js';

export { expect } from '@playwright/test';
export type { UseSandboxOptions };

export interface SandboxFixtures {
  /**
   * The account of the test: empty at first, deleted afterwards, with a key made from the test's name. If `accountKey`
   * is set, the account has that key and is emptied instead, for an application that is started only once.
   */
  account: SandboxAccount;
  accountKey: string | undefined;
}

export interface SandboxWorkerFixtures {
  sandboxOptions: UseSandboxOptions;
  sandbox: SandboxClient;
}

const keys = new TestKeys();

/** Playwright's `test` with the fixtures `sandbox` and `account`; a failed test has the journal's end and the verdict attached. */
export const test = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { option: true, scope: 'worker' }],
  accountKey: [undefined, { option: true }],
  sandbox: [
    async ({ sandboxOptions }, use) => {
      const sandbox = await openForTests(sandboxOptions);
      await use(sandbox);
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
  account: async ({ sandbox, sandboxOptions, accountKey }, use, info) => {
    const [, ...names] = info.titlePath;
    const own = [basename(info.file), info.project.name, ...names, info.repeatEachIndex, info.retry];
    const account = sandbox.account(accountKey ?? keys.next(own.map(String)));
    if (accountKey !== undefined || 'url' in sandboxOptions) await account.reset();
    await use(account);
    if (info.status !== info.expectedStatus) {
      await info.attach('sandbox', { body: await failureReport(account), contentType: 'text/plain' });
    }
    if (accountKey === undefined) await account.remove();
  },
});
