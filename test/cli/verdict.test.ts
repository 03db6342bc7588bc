import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { expectRejected, runHere } from '../support/cli-here.js';
import { World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

const dir = mkdtempSync(join(tmpdir(), 'cli-verdict-'));
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(dir, { recursive: true });
});

const verdict = (flags: readonly string[], env: Record<string, string> = {}) =>
  runHere(['verdict', ...flags], { MESSAGING_BASE_URL: sandbox.url, ...env });

/** An account with a scenario that expects exactly one call, and a number of calls. */
async function account(key: string, calls: number): Promise<void> {
  const world = new World(sandbox.url, key);
  await world.put('/_sandbox/scenario', {
    version: 1,
    name: 'exam',
    expect: [{ at: 'finish', that: 'requests', count: 1 }],
  });
  for (let n = 0; n < calls; n += 1) await world.call('GET', '/v1/templates');
}

it('says that there is nothing to judge', async () => {
  expect(await verdict([])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('No scenario is active in any account') as string,
  });
});

it('judges all accounts, those with a prefix, or one, and ends with 1 unless all passed', async () => {
  await account('ci-1', 1);
  await account('ci-2', 2);
  await account('other', 0);
  const all = await verdict([]);
  expect(all).toMatchObject({ code: 1, stderr: '' });
  expect(all.stdout).toContain('scenario exam failed in 2 of 3 accounts\n✓ ci-1: passed, 1 check\n✗ ci-2: failed');
  expect(all.stdout).toContain('The application made no call');
  expect(all.stdout).toMatch(new RegExp(`records: {2}${sandbox.url}/_sandbox/ui#/ci-2/requests/req_\\w+\n`));
  expect((await verdict(['--accounts', 'ci-*'])).stdout).toContain('failed in 1 of 2 accounts');
  for (const own of [await verdict(['--key', 'ci-1']), await verdict([], { MESSAGING_API_KEY: 'ci-1' })]) {
    expect(own).toMatchObject({ code: 0, stdout: expect.stringMatching(/^scenario exam passed, 1 check\n/) as string });
  }
});

it('writes JSON, JUnit and Markdown, and adds to the summary of a CI step', async () => {
  const [junit = '', markdown = '', summary = ''] = ['v.xml', 'v.md', 'summary.md'].map((name) => join(dir, name));
  const files = ['--junit', junit, '--markdown', markdown];
  const { code, stdout } = await verdict([...files, '--json'], { GITHUB_STEP_SUMMARY: summary });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ passed: false, accounts: [{ account: 'ci-1' }, {}, {}] });
  expect(readFileSync(junit, 'utf8')).toContain('<testsuite name="ci-2: exam" tests="1" failures="1"');
  expect(readFileSync(markdown, 'utf8')).toContain('# Verdict on exam in ci-1: passed');
  expect(readFileSync(summary, 'utf8')).toBe(`${readFileSync(markdown, 'utf8')}\n`);
  const one = JSON.parse((await verdict(['--key', 'ci-1', '--json'])).stdout) as object;
  expect(one).toMatchObject({ passed: true, scenario: 'exam', checks: [{ passed: true }], accounts: [{}] });
  expect((await verdict(['--key', 'ci-1', '--junit'])).stdout).toMatch(/^<\?xml/);
});

it.each([
  ['--accounts ci', 'Invalid value "ci" for --accounts. Expected all, own, or the beginning of keys with a *'],
  ['--json --junit', 'verdict: two reports write to stdout.'],
])('rejects %s', (line, message) => expectRejected(`verdict ${line}`, [message]));
