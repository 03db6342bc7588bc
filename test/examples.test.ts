/** Every example is run: those for Node from a packed package, the others where their language is present (docs/tests.md#examples-to-copy). */
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import type { CliServer } from './support/built-cli.js';
import { startCli } from './support/cli.js';
import { copyPackage, has, run, vitestRun, type Ran } from './support/package.js';
import { go, hasGo, pythonWithClient, skipLoudly } from './support/languages.js';

let folder: string;
let sandbox: CliServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  await cp('examples', join(folder, 'examples'), { recursive: true });
  // The example for Go takes the client from the same copy of the repository.
  await cp('clients/go', join(folder, 'clients/go'), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  // Node asks the nearest one first, and that must not be one which lies about in a folder above.
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  sandbox = await startCli();
}, 120_000);
afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

const here = (program: string, args: string[], path = '.', env: Record<string, string> = {}): Promise<Ran> =>
  run(program, args, { cwd: join(folder, path), env });
/** The address of the running sandbox, as examples take it. */
const address = () => ({ MESSAGING_BASE_URL: sandbox.url });

/** Keys of the running sandbox's accounts that start with `prefix`. */
async function keysOf(prefix: string): Promise<string[]> {
  const answer = await fetch(`${sandbox.url}/_sandbox/accounts`);
  const { items } = (await answer.json()) as { items: { key: string }[] };
  return items.map(({ key }) => key).filter((key) => key.startsWith(prefix));
}

describe('for Node', () => {
  beforeAll(async () => {
    await copyPackage(inject('release'), join(folder, 'node_modules/messaging-sandbox'));
    await symlink(resolve('node_modules/vitest'), join(folder, 'node_modules/vitest'));
  }, 120_000);

  it('node:test', async () => {
    // By the command that the file itself gives, with the Node that runs this: each version reads its arguments anew.
    const [, command = ''] =
      /^\/\/ (node --test .*)$/m.exec(readFileSync('examples/node-test/orders.test.mjs', 'utf8')) ?? [];
    const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const ran = await here('sh', ['-c', command], '.', { PATH });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(?:#|ℹ) pass 3$/m) as string });
  });

  // In forks, it runs with the fixtures (examples-fixtures.test.ts).
  it('vitest, with its tests in threads', async () => {
    const ran = await here(process.execPath, [...vitestRun, '--pool', 'threads', 'examples/vitest']);
    expect(ran.stderr).toBe('');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/Tests .*3 passed/) as string });
  });

  it('jest', async ({ skip }) => {
    const jest = resolve('node_modules/jest/bin/jest.js');
    if (!(await has(process.execPath, jest, '--version'))) {
      skipLoudly(skip, 'examples/jest, because jest is not installed');
      return;
    }
    await symlink(resolve('node_modules/@jest'), join(folder, 'node_modules/@jest'));
    const args = [jest, '--rootDir', '.', 'examples/jest', '--testMatch', '**/*.test.cjs'];
    expect(await here(process.execPath, args)).toMatchObject({ code: 0 });
  });

  it('Testcontainers: it can be read', async () => {
    // It takes a container engine and the image to run it.
    const args = ['--check', 'examples/testcontainers/otp.test.mjs'];
    expect(await here(process.execPath, args)).toMatchObject({ code: 0 });
  });
});

describe('for any language', () => {
  it('curl', async ({ skip }) => {
    if (!(await has('curl', '--version'))) {
      skipLoudly(skip, 'examples/curl, because curl is not installed');
      return;
    }
    expect(await here('sh', ['examples/curl/failed-delivery.sh'], '.', address())).toStrictEqual({
      code: 0,
      stdout: '2 signed requests, delivered at the second try\n',
      stderr: '',
    });
  });

  it('pytest', async ({ skip }) => {
    const python = await pythonWithClient();
    if (!python) {
      skipLoudly(skip, 'examples/pytest, because python3 (3.11 or later) or a package is missing');
      return;
    }
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--noconftest', 'examples/pytest'];
    const { code, stdout } = await python.run(args, address(), folder);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('3 passed') as string });
    // Each test had an account, and left none behind.
    expect(await keysOf('examples-pytest-')).toStrictEqual([]);
  });

  it('Go', async ({ skip }) => {
    if (!(await hasGo())) {
      skipLoudly(skip, 'examples/go, because go (1.24 or later) is not installed');
      return;
    }
    const ran = await go(['test', '-count=1', '-v', './...'], join(folder, 'examples/go'), address());
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('--- PASS: TestReply') as string });
    expect(await keysOf('TestReply')).toStrictEqual([]);
  }, 120_000);
});

describe('for machines', () => {
  const files = [...readdirSync('examples/ci').map((name) => join('examples/ci', name)), 'examples/shop/compose.yaml'];

  it.each(files)('%s is YAML that names what the image and the CLI have', (file) => {
    const text = readFileSync(file, 'utf8');
    expect(parse(text)).toBeTypeOf('object');
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    const port = /^EXPOSE (\d+)$/m.exec(dockerfile)?.[1];
    const ports = [...text.matchAll(/'(\d+):(\d+)'|sandbox:(\d+)(?=$|\/)/gm)].map(
      ([, , inside, plain]) => inside ?? plain,
    );
    expect(new Set(ports.filter((found) => found !== undefined))).toEqual(new Set(ports.length === 0 ? [] : [port]));
    // Whoever waits for health relies on the image's own check.
    if (/service_healthy|services:/.test(text)) expect(dockerfile).toMatch(/^HEALTHCHECK .*\n?.*readyz/m);
  });
});
