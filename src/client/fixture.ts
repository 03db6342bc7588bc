/** A sandbox for a test file, and an account for each test. */
import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ResetOptions, SandboxAccount } from './account.js';
import { connectSandbox, type SandboxClient, variable } from './client.js';
import { clockInput } from './clock.js';
import { createSandbox, known, type SandboxOptions } from './create-sandbox.js';
import { runId } from '../random/run-id.js';
import { invalidOption, requireKnown, SandboxError } from './sandbox-error.js';
import type { ScenarioInput } from './types.js';

/**
 * The settings of the sandbox that a test file starts. With a URL, or MESSAGING_BASE_URL in the environment, the tests use
 * that running sandbox: each begins with this clock and scenario, and the other settings are fixed by its start.
 */
export interface UseSandboxOptions extends Omit<SandboxOptions, 'key'> {
  readonly url?: string;
}

/** The key of a try of `explore`, which finds the accounts of the tests by it and deletes them itself. */
const explored = process.env['SANDBOX_TRY'] && process.env['MESSAGING_API_KEY'];

/** @throws SandboxError that says where the URL comes from */
function fromVariable(error: unknown): never {
  if (!(error instanceof SandboxError) || error.code !== 'unreachable') throw error;
  const message = `${error.message} The URL is the value of MESSAGING_BASE_URL. Without this variable, the tests start their own sandbox.`;
  throw new SandboxError({ code: error.code, message, cause: error });
}

/** Each line has the key of a test's account and `passed` or `failed`. */
export const testsFile = '.tests';

export class Fixture {
  /** Undefined before `open` and after `close`. */
  client: SandboxClient | undefined;
  /** Start of each account of a running sandbox; null in a sandbox of this file. */
  #start: ResetOptions | null = null;
  readonly #keys = new Set<string>();
  readonly #run = runId();

  constructor(readonly options: UseSandboxOptions) {
    const { key: _, ...names } = known;
    requireKnown('useSandbox', options, ['url', ...Object.keys(names)]);
  }

  async open(): Promise<void> {
    const { url = variable('MESSAGING_BASE_URL'), ...settings } = this.options;
    if (url === undefined) {
      this.client = await createSandbox(settings);
      return;
    }
    const { controlToken } = settings;
    const connecting = connectSandbox(url, controlToken === undefined ? {} : { controlToken });
    this.client = await (this.options.url === undefined ? connecting.catch(fromVariable) : connecting);
    this.#start = await startOf(settings);
  }

  async close(): Promise<void> {
    await this.client?.close();
    this.client = undefined;
  }

  /** The key is made from the test's name; a second test of that name, or a second try, gets a number after it. */
  async accountOf(path: readonly string[]): Promise<SandboxAccount> {
    if (!this.client) {
      throw invalidOption(
        'useSandbox: no sandbox is open. Call useSandbox(…) at the top of the file, and use what it returns inside a test.',
      );
    }
    const words = path.map((part) => part.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, '')).filter(Boolean);
    // The end of the path distinguishes tests better than the folder.
    const name = words.join('_').slice(-120) || 'test';
    const base = explored ? `${explored}.${name}` : name;
    let key = base;
    for (let n = 2; this.#keys.has(key); n += 1) key = `${base}.${n}`;
    this.#keys.add(key);
    const account = this.client.account(this.#keyOf(key));
    if (this.#start) await account.reset(this.#start);
    return account;
  }

  /**
   * Begins as a test's account does. In a running sandbox, its first call waits for that.
   * @throws SandboxError `invalid_option` outside of tests
   */
  account(key: string): SandboxAccount {
    if (!this.client) throw invalidOption('useSandbox: no sandbox is open. Use the handle inside tests.');
    const start = this.#start;
    if (start === null) return this.client.account(key);
    const own = explored ? `${explored}.${key}` : key;
    return this.client.account(this.#keyOf(own), (account) => account.reset(start));
  }

  /**
   * A running sandbox outlives the run: two runs, jobs or colleagues never share an account. An exploration makes its
   * own.
   */
  #keyOf(name: string): string {
    return this.#start === null || explored ? name : `${name}-${this.#run}`;
  }

  /** Ends jobs and attempts in flight as well. Returns the lines to show for a failed test. */
  async end(account: SandboxAccount, failed: boolean): Promise<string[]> {
    const lines = failed ? await failureReport(account) : [];
    if (explored) reportEnd(account.apiKey, failed);
    else await account.remove();
    return lines;
  }
}

function reportEnd(key: string, failed: boolean): void {
  const folder = process.env['SANDBOX_TMP'];
  if (folder) appendFileSync(join(folder, testsFile), `${key} ${failed ? 'failed' : 'passed'}\n`);
}

/** A running sandbox cannot read a scenario file of this machine. */
async function startOf({ clock, scenario: given }: UseSandboxOptions): Promise<ResetOptions> {
  const [scenario] = typeof given === 'object' ? given : [given];
  const isFile = scenario !== undefined && /[/\\.]/.test(scenario);
  const file = isFile ? (parse(await readFile(scenario, 'utf8')) as ScenarioInput) : scenario;
  return { ...(clock && { clock: clockInput(clock) }), ...(file !== undefined && { scenario: file }) };
}

/** The end of the journal, and the verdict if a scenario is active. */
async function failureReport(account: SandboxAccount): Promise<string[]> {
  const calls = await account.requests({ order: 'desc', limit: 10 });
  const lines = calls.map(({ at, method, path, status, error }) =>
    [at.slice(11, 19), method, path, status ?? 'no response', error ?? ''].join(' ').trim(),
  );
  const verdict = await account.call<string>('GET', '/_sandbox/verdict?format=markdown').catch((error: unknown) => {
    if (error instanceof SandboxError && error.code === 'not_found') return '';
    throw error;
  });
  const journal = lines.length === 0 ? ['The journal is empty.'] : lines.reverse();
  return [`sandbox account ${account.apiKey}`, ...journal, ...verdict.split('\n').filter(Boolean)];
}
