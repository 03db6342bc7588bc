/** For vitest: a sandbox per test file and an account per test. Published as `messaging-sandbox/vitest`. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { parse } from 'yaml';
import { sandboxAccount, type ResetOptions, type SandboxAccount } from './account.js';
import { connectSandbox, type SandboxClient, variable } from './client.js';
import { clockInput } from './clock.js';
import { openConnection } from './connection.js';
import { createSandbox, type SandboxOptions } from './create-sandbox.js';
import { invalidOption, SandboxError } from './sandbox-error.js';
import type { ScenarioInput } from './types.js';

/**
 * The settings of the sandbox that a test file starts. With a URL, or MESSAGING_BASE_URL in the environment, the tests use
 * that running sandbox: each begins with this clock and scenario, and the other settings are those of its start.
 */
export interface UseSandboxOptions extends Omit<SandboxOptions, 'key'> {
  readonly url?: string;
}

/** The key of a try of `explore`, which finds the accounts of the tests by it and deletes them itself. */
const explored = process.env['SANDBOX_TRY'] && process.env['MESSAGING_API_KEY'];

/**
 * Call it once at the top of a test file or of a `describe`. In each test and its hooks, the returned handle is the
 * account of that test: empty at first, deleted afterwards, with a key made from the test's name. Unless a URL is given,
 * one sandbox in this worker's process serves the file; it is closed when the file is done, also in watch mode. Tests
 * marked `concurrent` share the handle, so there it can only create accounts: `sandbox.account('one per test')`.
 */
export function useSandbox({ url, ...settings }: UseSandboxOptions = {}): SandboxAccount {
  let client: SandboxClient | undefined;
  /** How each account of a running sandbox begins; null in a sandbox of this file. */
  let start: ResetOptions | null = null;
  /** There is none outside of tests; in concurrent tests, it is not known. */
  let current: SandboxAccount | 'none' | 'several' = 'none';
  const keys = new Set<string>();

  beforeAll(async () => {
    const running = url ?? variable('MESSAGING_BASE_URL');
    if (running === undefined) client = await createSandbox(settings);
    else {
      const { controlToken } = settings;
      client = await connectSandbox(running, controlToken === undefined ? {} : { controlToken });
      start = await startOf(settings);
    }
  });
  beforeEach(async ({ task }) => {
    // A handle whose group has ended has no sandbox.
    if (!client) return;
    if (task.concurrent === true) {
      current = 'several';
      return;
    }
    current = client.account(newKey([task.file.name, ...names(task)], keys));
    // A sandbox that outlives the run may have the account of an earlier one.
    if (start) await current.reset(start);
  });
  afterEach(async ({ task }) => {
    const account = current;
    current = 'none';
    if (typeof account !== 'object') return;
    if (task.result?.state === 'fail') process.stderr.write(`${(await failureReport(account)).join('\n')}\n`);
    if (!explored) await account.remove();
  });
  afterAll(async () => {
    await client?.close();
    client = undefined;
  });

  const valueOf = (name: string): unknown => {
    // The address and the other accounts are the same for every test.
    const shared = name === 'url' || name === 'account' ? client : undefined;
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

/** Returns the names of the test's groups, followed by its own. */
function names(task: Named): string[] {
  return [...(task.suite ? names(task.suite) : []), task.name];
}

/** Makes a key from the path of a test; a second test with that path, or a second try, gets a number after it. */
function newKey(path: readonly string[], taken: Set<string>): string {
  const words = path.map((part) => part.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, '')).filter(Boolean);
  // The end of the path distinguishes tests better than the folder.
  const name = words.join('_').slice(-120) || 'test';
  const base = explored ? `${explored}.${name}` : name;
  let key = base;
  for (let n = 2; taken.has(key); n += 1) key = `${base}.${n}`;
  taken.add(key);
  return key;
}

/** Returns the start of an account in a running sandbox, which cannot read a scenario file of this machine. */
async function startOf({ clock, scenario: given }: UseSandboxOptions): Promise<ResetOptions> {
  const [scenario] = typeof given === 'object' ? given : [given];
  const isFile = scenario !== undefined && /[/\\.]/.test(scenario);
  const file = isFile ? (parse(await readFile(scenario, 'utf8')) as ScenarioInput) : scenario;
  return { ...(clock && { clock: clockInput(clock) }), ...(file !== undefined && { scenario: file }) };
}

/** Returns the end of the journal, and the verdict if a scenario is active. */
async function failureReport(account: SandboxAccount): Promise<string[]> {
  const calls = await account.requests({ order: 'desc', limit: 10 });
  const lines = calls.map(({ at, method, path, status, error }) =>
    [at.slice(11, 19), method, path, status ?? 'no response', error ?? ''].join(' ').trim(),
  );
  const verdict = await account.call<string>('GET', '/_sandbox/verdict?format=markdown').catch((error: unknown) => {
    // Without a scenario there is no verdict.
    if (error instanceof SandboxError && error.code === 'not_found') return '';
    throw error;
  });
  const journal = lines.length === 0 ? ['The journal is empty.'] : lines.reverse();
  return [`sandbox account ${account.apiKey}`, ...journal, ...verdict.split('\n').filter(Boolean)];
}
