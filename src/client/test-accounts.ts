/** What the fixtures for the test runners share: a sandbox to open, and an account per test. */
import type { SandboxAccount } from './account.js';
import type { SandboxClient } from './client.js';
import { connectSandbox, type ConnectOptions } from './connect-sandbox.js';
import { createSandbox } from './create-sandbox.js';
import type { SandboxOptions } from './options.js';
import { SandboxError } from './sandbox-error.js';

/** Options of a start; or, with `url`, where a sandbox runs already. The key is given by the test. */
export type UseSandboxOptions = Omit<SandboxOptions, 'key'> | (Omit<ConnectOptions, 'key'> & { readonly url: string });

export function openForTests(options: UseSandboxOptions): Promise<SandboxClient> {
  return 'url' in options ? connectSandbox(options) : createSandbox(options);
}

/** Deletes the account, its jobs and its attempts in flight: nothing of a test reaches into the next. */
export async function deleteAccount(account: SandboxAccount): Promise<void> {
  await account.call('DELETE', `/_sandbox/accounts/${encodeURIComponent(account.apiKey)}`);
}

/** Returns what a failed test shows: the end of the journal, and the verdict of the active scenario. */
export async function failureReport(account: SandboxAccount): Promise<string> {
  const calls = (await account.requests({ order: 'desc', limit: 10 })).reverse();
  const lines = calls.map(({ at, method, path, status, error }) =>
    [at.slice(11, 19), method, path, status ?? 'no response', error ?? ''].join(' ').trim(),
  );
  const verdict = await account.call<string>('GET', '/_sandbox/verdict?format=markdown').catch((error: unknown) => {
    if (error instanceof SandboxError) return error.message;
    throw error;
  });
  const journal = lines.length === 0 ? ['The journal is empty.'] : lines;
  return [`sandbox account ${account.apiKey}`, ...journal, verdict.trim()].join('\n');
}
