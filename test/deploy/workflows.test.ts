/**
 * Workflows and the composite action: what can be judged of them without a runner. Their syntax is judged by actionlint,
 * in `scripts/lint-deploy.sh`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { run, type Ran } from '../support/package.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly jobs: Record<
    string,
    {
      readonly steps: readonly Step[];
    }
  >;
}
interface Action {
  readonly inputs: Record<string, { readonly description: string; readonly default: string }>;
  readonly outputs: Record<string, { readonly value: string }>;
  readonly runs: { readonly steps: readonly [{ readonly env: Record<string, string>; readonly run: string }] };
}

const folder = '.github/workflows';
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});
const action = parse(readFileSync('action.yml', 'utf8')) as Action;
const { version, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  scripts: Record<string, string>;
};

describe.each(workflows)('$name', ({ text, workflow }) => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it('takes each action at one commit, and says which version that is', () => {
    const taken = text.match(/^\s*(?:- )?uses: .*$/gm) ?? [];
    expect(taken.length).toBeGreaterThan(3);
    const loose = taken.filter((line) => !/uses: (?:\.\/|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(line));
    expect(loose).toStrictEqual([]);
  });

  it('puts no expression into a script, where it would be code', () => {
    expect(steps.filter(({ run: script }) => script?.includes('${{'))).toStrictEqual([]);
  });

  it('runs what exists', () => {
    for (const { run: script = '' } of steps) {
      for (const [, path = ''] of script.matchAll(/(?:^|\s)((?:\.ci|scripts|bench)\/[\w./-]+)/gm)) {
        expect(existsSync(path), path).toBe(true);
      }
      for (const [, called = ''] of script.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toHaveProperty(called);
    }
  });
});

describe('a release', () => {
  it('comes from one repository, whatever names it', () => {
    const read = (path: string) => readFileSync(path, 'utf8');
    const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
    const [, name = ''] = /^git\+https:\/\/github\.com\/([\w-]+\/messaging-sandbox)\.git$/.exec(repository.url) ?? [];
    const raw = `https://raw.githubusercontent.com/${name}/main/scenarios/scenario.schema.json`;
    expect((JSON.parse(read('scenarios/scenario.schema.json')) as { $id: string }).$id).toBe(raw);
    expect((JSON.parse(read('deploy/schemastore.json')) as { url: string }).url).toBe(raw);
    expect(read('clients/go/go.mod')).toContain(`module github.com/${name}/clients/go\n`);
    expect(read('clients/python/pyproject.toml')).toContain(`Repository = "https://github.com/${name}"\n`);
    for (const file of ['action.yml', 'examples/ci/github-action.yml']) {
      expect(read(file)).toContain(`uses: ${name}@v${version}`);
    }
  });

  it('gives every file that names the version to the tool that sets it', () => {
    const { plugins } = JSON.parse(readFileSync('.release-it.json', 'utf8')) as {
      plugins: { '@release-it/bumper': { out: { file: string | string[] }[] } };
    };
    const set = new Set(plugins['@release-it/bumper'].out.flatMap(({ file }) => file));
    const naming = execFileSync('git', ['grep', '-lE', `messaging-sandbox(:|-|@v)${version.replaceAll('.', '\\.')}`], {
      encoding: 'utf8',
    });
    const files = naming.trim().split('\n');
    expect(files).toContain('docs/tests.md');
    expect(files.filter((file) => !set.has(file))).toStrictEqual([]);
  });
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

  it('installs the package, and hands on the process id of the server itself', async () => {
    const version = `file:${inject('release').tarball}`;
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
