/** Shared by the fixtures for test runners: a sandbox, with an account and a key for each test. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { ResetOptions, SandboxAccount } from './account.js';
import { connectSandbox, type SandboxClient, variable } from './client.js';
import { clockInput } from './clock.js';
import { createSandbox } from './create-sandbox.js';
import type { SandboxOptions } from './options.js';
import { SandboxError } from './sandbox-error.js';
import type { ScenarioInput } from './types.js';

/**
 * The settings of the sandbox that a test file starts. With a URL, or MESSAGING_BASE_URL in the environment, the tests use
 * that running sandbox: each begins with this clock and scenario, and the other settings are those of its start.
 */
export interface UseSandboxOptions extends Omit<SandboxOptions, 'key'> {
  readonly url?: string;
}

/** A sandbox for the tests of a file. */
export interface TestSandbox {
  readonly client: SandboxClient;
  /** Returns the empty account of a test. */
  account(key: string): Promise<SandboxAccount>;
}

export async function openForTests(options: UseSandboxOptions): Promise<TestSandbox> {
  const { url = variable('MESSAGING_BASE_URL'), ...settings } = options;
  if (url === undefined) {
    const client = await createSandbox(settings);
    return { client, account: (key) => Promise.resolve(client.account(key)) };
  }
  const { controlToken } = settings;
  const client = await connectSandbox({ url, ...(controlToken !== undefined && { controlToken }) });
  const start = await startOf(settings);
  return {
    client,
    // A sandbox that outlives the run may have the account of an earlier one.
    account: async (key) => {
      const account = client.account(key);
      await account.reset(start);
      return account;
    },
  };
}

/** Returns the start of an account in a running sandbox, which cannot read a scenario file of this machine. */
async function startOf({ clock, scenario: given }: UseSandboxOptions): Promise<ResetOptions> {
  const [scenario] = typeof given === 'object' ? given : [given];
  const isFile = scenario !== undefined && /[/\\.]/.test(scenario);
  const file = isFile ? (parse(await readFile(scenario, 'utf8')) as ScenarioInput) : scenario;
  return { ...(clock && { clock: clockInput(clock) }), ...(file !== undefined && { scenario: file }) };
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
