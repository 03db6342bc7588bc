/** The commands `coverage`, `verdict` and `record`, which report on a running sandbox. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { runHere } from '../support/cli-here.js';
import { World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

const dir = mkdtempSync(join(tmpdir(), 'cli-reports-'));
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(dir, { recursive: true });
});

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runHere(args, { MESSAGING_BASE_URL: sandbox.url, ...env });

describe('coverage', () => {
  const coverage = (...flags: string[]) => run(['coverage', '--key', 'covered', ...flags]);

  it('tells what was exercised, and what would exercise the rest; as JSON for scripts', async () => {
    const world = new World(sandbox.url, 'covered');
    await world.text();
    await world.call('POST', '/v1/messages', {});
    const { code, stdout } = await coverage();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[\d.]+ % of the API was exercised \(\d+ of \d+\):\n/);
    expect(stdout).toMatch(/^ {2}operation +10 % {2}1 of 10$/m);
    expect(stdout).toMatch(/\nNever exercised:\n[^]*^ {2}OTP state: locked\n {6}.*0162/m);
    expect(stdout).not.toContain('sendMessage 2xx');
    const { items } = JSON.parse((await coverage('--json')).stdout) as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ group: 'operation', name: 'sendMessage 2xx', hits: 1 }));
    expect(items).toContainEqual(expect.objectContaining({ group: 'error code', name: 'validation_error', hits: 1 }));
  });
});

describe('verdict', () => {
  const verdict = (flags: readonly string[], env: Record<string, string> = {}) => run(['verdict', ...flags], env);

  /** An account with a scenario that expects exactly one call, and a number of calls. */
  async function account(key: string, calls: number): Promise<void> {
    const world = new World(sandbox.url, key);
    const expect = [{ at: 'finish', that: 'requests', count: 1 }];
    await world.put('/_sandbox/scenario', { version: 1, name: 'exam', expect });
    for (let n = 0; n < calls; n += 1) await world.call('GET', '/v1/templates');
  }

  it('judges all accounts or one, and ends with 1 unless all passed', async () => {
    expect(await verdict([])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('No scenario is active in any account') as string,
    });
    await account('ci-1', 1);
    await account('ci-2', 2);
    await account('other', 0);
    const all = await verdict([]);
    expect(all).toMatchObject({ code: 1, stderr: '' });
    expect(all.stdout).toContain('scenario exam failed in 1 of 2 accounts\n✓ ci-1: passed, 1 check\n✗ ci-2: failed');
    expect(all.stdout).toContain('! 1 account with the scenario did not take part: ');
    expect(all.stdout).toMatch(
      new RegExp(
        `records: {2}GET /v1/templates at \\+0s: 200\\n +${sandbox.url}/_sandbox/ui#/ci-2/requests/req_\\w+\n`,
      ),
    );
    expect(await verdict(['--key', 'ci-1'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^scenario exam passed, 1 check\n/) as string,
    });
    // The variable names the account of an application: its tests have others.
    expect(await verdict([], { MESSAGING_API_KEY: 'ci-1' })).toMatchObject({ code: 1, stdout: all.stdout });
  });

  it('writes JSON and JUnit, and adds to the summary of a CI step', async () => {
    const [junit = '', summary = ''] = ['v.xml', 'summary.md'].map((name) => join(dir, name));
    const { code, stdout } = await verdict(['--junit', junit, '--json'], { GITHUB_STEP_SUMMARY: summary });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ passed: false, accounts: [{ account: 'ci-1' }, {}], apart: 1 });
    expect(readFileSync(junit, 'utf8')).toContain('<testsuite name="ci-2: exam" tests="1" failures="1"');
    expect(readFileSync(summary, 'utf8')).toContain('# Verdict on exam in ci-1: passed');
    const one = JSON.parse((await verdict(['--key', 'ci-1', '--json'])).stdout) as object;
    expect(one).toMatchObject({ passed: true, scenario: 'exam', checks: [{ passed: true }], accounts: [{}] });
    expect((await verdict(['--key', 'ci-1', '--junit'])).stdout).toMatch(/^<\?xml/);
  });
});
