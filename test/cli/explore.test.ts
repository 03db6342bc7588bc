import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { expectRejected, runHere } from '../support/cli-here.js';
import { has } from '../support/package.js';

const dir = mkdtempSync(join(tmpdir(), 'cli-explore-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const there = new Set(['node', ...((await has('python3', '--version')) ? ['python3'] : [])]);
const full = process.env['FUZZ'] === 'full';
const most = ['--pairs', '0', '--parallel', '4', ...(full ? ['--budget', '20m'] : ['--max-runs', '12'])];

describe('explore, what it is asked', () => {
  it.each([
    ['--out DIR', 'explore: no command is given. Write explore [options] -- npm test, or add --app and --story.'],
    ['npm test', 'explore: "npm" must come after "--". Write explore [options] -- npm.'],
    ['--story x.yaml', 'explore: --app and --story belong together. Give both.'],
    ['--app x --story x -- y', 'explore: both --story and a command are given. Omit one of them.'],
    ['--budget soon -- x', 'explore: Invalid value "soon" for --budget.'],
    ['--max-runs 0 -- x', 'explore: Invalid value "0" for --max-runs. Expected a whole number of at least 1.'],
    ['--ignore /none.yaml -- x', 'explore: --ignore: there is no file'],
  ])('rejects %s', (line, words) => expectRejected(`explore ${line}`, [words]));

  it('stops where the story fails without any fault', async () => {
    const { code, stderr } = await runHere(['explore', '--out', dir, '--', 'node', '-e', 'process.exit(3)']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('The story fails without any fault: exit code 3.') as string,
    });
  });

  it('says which command cannot be run', async () => {
    const { code, stderr } = await runHere(['explore', '--out', dir, '--', './no-such-command']);
    expect(code).toBe(2);
    expect(stderr).toContain('explore: "./no-such-command" cannot be run: spawn ./no-such-command ENOENT.');
  });

  it('rejects a story with a wrong step, saying what is allowed', async () => {
    const story = join(dir, 'story.yaml');
    writeFileSync(story, 'timeline: [{ at: +1m, http: { urls: /x } }]\n');
    const { code, stderr } = await runHere(['explore', '--app', 'true', '--story', story]);
    expect(code).toBe(2);
    expect(stderr).toContain('timeline[0].http: unknown key "urls". Allowed: method, url, body, headers, save.');
  });
});

describe.each([
  ['poller.mjs', 'node', ['blind-retry', 'no-retry', 'number-code']],
  ['notifier.py', 'python3', ['no-dedupe', 'no-signature']],
])('explore, of an application that waits in real time: %s', (file, program, faults) => {
  const command = [program, `test/explore/apps/${file}`];
  const explore = (name: string, fault: string) =>
    runCli(['explore', '--json', '--out', join(dir, name), ...most, '--', ...command], { FAULT: fault });
  const isThere = there.has(program);

  it.runIf(isThere)(
    'finds nothing where it is right',
    async () => {
      const { code, stdout } = await explore(`${file}-right`, '');
      const report = (
        JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { report: { breaks: object[]; tried: number } }
      ).report;
      expect(report.breaks).toEqual([]);
      expect(report.tried).toBeGreaterThanOrEqual(12);
      expect(code).toBe(0);
    },
    1_200_000,
  );

  it.runIf(isThere && full).each(faults)(
    'finds %s, and its file reproduces it',
    async (fault) => {
      const folder = join(dir, `${file}-${fault}`);
      const { code } = await explore(`${file}-${fault}`, fault);
      expect(code).toBe(1);
      const scenarios = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
      const judged = scenarios.find((name) => readFileSync(join(folder, name), 'utf8').includes('\nexpect:'));
      if (judged === undefined) return;
      const again = (planted: string) =>
        runCli(['scenario', 'run', join(folder, judged), '--', ...command], { FAULT: planted });
      expect((await again(fault)).code).toBe(1);
      expect((await again('')).code).toBe(0);
    },
    1_200_000,
  );
});
