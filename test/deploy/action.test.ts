/** The composite action, run as a runner would: inputs as variables, a file for outputs. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { must, run, type Ran } from '../support/package.js';

interface Action {
  readonly inputs: Record<string, { readonly description: string; readonly default: string }>;
  readonly outputs: Record<string, { readonly value: string }>;
  readonly runs: { readonly steps: readonly [{ readonly env: Record<string, string>; readonly run: string }] };
}

const action = parse(readFileSync('action.yml', 'utf8')) as Action;

it('every file that names the version is given to the tool that sets it', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as object;
  const { version } = read('package.json') as { version: string };
  const { plugins } = read('.release-it.json') as {
    plugins: { '@release-it/bumper': { out: { file: string | string[] }[] } };
  };
  const set = new Set(plugins['@release-it/bumper'].out.flatMap(({ file }) => file));
  const pattern = `messaging-sandbox(:|-|@v)${version.replaceAll('.', '\\.')}`;
  const files = execFileSync('git', ['grep', '-lE', pattern], { encoding: 'utf8' }).trim().split('\n');
  expect(files).toContain('docs/tests.md');
  expect(files.filter((file) => !set.has(file))).toStrictEqual([]);
});

describe('the action', () => {
  let temp: string;
  /** Of a sandbox that was started: here nobody else ends it with the job. */
  let pid: string | undefined;
  beforeEach(async () => {
    temp = await mkdtemp(join(tmpdir(), 'action-'));
  });
  afterEach(async () => {
    if (pid !== undefined) process.kill(Number(pid), 'SIGTERM');
    pid = undefined;
    await rm(temp, { recursive: true, force: true });
  });

  /** What the runner does: the inputs as variables, a file for outputs. */
  function runAction(inputs: Record<string, string>): Promise<Ran> {
    const [{ env, run: script }] = action.runs.steps;
    const given = Object.entries(env).map(([variable, expression]): [string, string] => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1] ?? '';
      expect(action.inputs).toHaveProperty(input);
      return [variable, inputs[input] ?? action.inputs[input]!.default];
    });
    return run('bash', ['-c', script], {
      cwd: temp,
      env: {
        ...Object.fromEntries(given),
        GITHUB_ACTION_PATH: process.cwd(),
        GITHUB_OUTPUT: join(temp, 'output'),
        RUNNER_TEMP: temp,
      },
    });
  }
  async function outputs(): Promise<Record<string, string>> {
    const text = await readFile(join(temp, 'output'), 'utf8');
    return Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }
  const here = () => `${process.execPath}\n${inject('cli').main}`;

  it('waits until the sandbox is ready, with scenario, key and flags', async () => {
    const flags = "--max-journal=7\n--random-seed=it's one word";
    const inputs = { command: here(), port: '0', scenario: 'otp-trouble', 'api-key': 'ci key', flags };
    expect(await runAction(inputs)).toMatchObject({ code: 0, stderr: '' });
    const { url, log, 'api-key': key, ...rest } = await outputs();
    pid = rest['pid'];
    expect(key).toBe('ci key');
    const headers = { Authorization: 'Bearer ci' };
    const told = await fetch(`${url!}/_sandbox/scenario`, { headers }).then((answer) => answer.text());
    expect(told).toContain('otp-trouble');
    const info = await fetch(`${url!}/_sandbox/info`, { headers }).then((answer) => answer.json());
    expect(info).toMatchObject({ limits: { journal: 7 } });
    expect(await readFile(log!, 'utf8')).toContain(url);
  });

  it('installs the package, and hands on the process id of the server itself', { timeout: 240_000 }, async () => {
    // The tests of the package install it with its dependencies; this one only starts the built command.
    const content = join(temp, 'package');
    await mkdir(join(content, 'dist/cli'), { recursive: true });
    await writeFile(join(content, 'package.json'), '{"name":"messaging-sandbox","version":"1.0.0","type":"module"}');
    await writeFile(join(content, 'dist/cli/main.js'), `import ${JSON.stringify(pathToFileURL(inject('cli').main))};`);
    await must('tar', ['-czf', 'packed.tgz', 'package'], { cwd: temp });
    const version = `file:${join(temp, 'packed.tgz')}`;
    expect(await runAction({ version, port: '0' })).toMatchObject({ code: 0, stderr: '' });
    const { url, pid: id } = await outputs();
    pid = id;
    const { stdout } = await run('ps', ['-o', 'args=', '-p', id!], { cwd: temp });
    expect(stdout).toMatch(/^\S*node \S+\/messaging-sandbox\/dist\/cli\/main\.js start --port 0$/m);
    const wait = fetch(`${url!}/_sandbox/wait?for=otp&timeout=60s`).then(
      ({ status }) => status,
      () => 'the connection ended',
    );
    process.kill(Number(id), 'SIGTERM');
    pid = undefined;
    // A server that goes on would report after a minute that it waited in vain.
    expect([503, 'the connection ended']).toContain(await wait);
  });

  it('fails with what the sandbox said, when that ends instead', async () => {
    const ran = await runAction({ command: here(), port: '0', scenario: 'no-such-scenario' });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('There is no scenario "no-such-scenario"');
    expect(ran.stdout).toMatch(/^::error title=messaging-sandbox::It ended before it was ready/m);
  });
});
