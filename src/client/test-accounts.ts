/** Shared by the fixtures for test runners: a sandbox, with an account and a key for each test. */
import type { SandboxAccount } from './account.js';
import { type ConnectOptions, connectSandbox, type SandboxClient } from './client.js';
import { createSandbox } from './create-sandbox.js';
import type { SandboxOptions } from './options.js';
import { SandboxError } from './sandbox-error.js';

/** Options of a start; or, with `url`, the address of a running sandbox. Each test has its own key. */
export type UseSandboxOptions = Omit<SandboxOptions, 'key'> | (Omit<ConnectOptions, 'key'> & { readonly url: string });

export function openForTests(options: UseSandboxOptions): Promise<SandboxClient> {
  return 'url' in options ? connectSandbox(options) : createSandbox(options);
}

/** Returns the output for a failed test: the end of the journal, and the verdict of the active scenario. */
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

const longest = 120;

/**
 * The key of a try of `explore`, which finds the accounts of the tests by it and deletes them itself; null for other runs.
 */
export const explored = process.env['SANDBOX_TRY'] ? (process.env['MESSAGING_API_KEY'] ?? null) : null;

/** Makes a key for each test from its name; a second test of that name, or a second try, gets a number after it. */
export class TestKeys {
  readonly #given = new Set<string>();

  /** @param path the file, then the groups, then the test */
  next(path: readonly string[]): string {
    const words = path
      .map((part) => part.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, ''))
      .filter((part) => part !== '')
      .join('_')
      // The end of the path distinguishes tests better than the folder.
      .slice(-longest);
    const base = `${explored === null ? '' : `${explored}.`}${words === '' ? 'test' : words}`;
    let key = base;
    for (let n = 2; this.#given.has(key); n += 1) key = `${base}.${n}`;
    this.#given.add(key);
    return key;
  }
}
