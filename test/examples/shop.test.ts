/**
 * The sample application and its careless twin, by their own tests, from a packed package as a user has it: certified,
 * every shipped scenario passed by the one and failed by the other.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startCli } from '../support/cli.js';
import { copyPackage, has, run, type Ran } from '../support/package.js';
import { freePort } from '../support/receivers.js';

const home = 'examples/shop';
const scenarios = readdirSync('scenarios')
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''));

describe('its own tests', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shop-'));
    await cp(home, join(folder, 'shop'), { recursive: true });
    await mkdir(join(folder, 'node_modules'));
    await copyPackage(inject('release'), join(folder, 'node_modules/messaging-sandbox'));
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const files = ['test', 'careless'].flatMap((area) =>
    readdirSync(join(home, area))
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => `${area}/${name}`),
  );

  /** The names of the tests that passed; fails with everything that was said when one did not. */
  async function passed(file: string): Promise<string[]> {
    // Without `--test`, which runs each file in a process of its own, it is one process instead of two.
    const args = ['--test-reporter=tap', file];
    const ran: Ran = await run(process.execPath, args, { cwd: join(folder, 'shop') });
    expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(0);
    return [...ran.stdout.matchAll(/^ *ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
  }

  it.each(files)('%s', { timeout: 120_000 }, async (file) => {
    const names = await passed(file);
    const written = readFileSync(join(home, file), 'utf8').match(/^ *test\(/gm) ?? [];
    expect(names.length).toBeGreaterThanOrEqual(written.length);
    // A scenario that is added is played by both, or this fails.
    const [, who] = /(test|careless)\/scenarios/.exec(file) ?? [];
    const verdict = who === 'test' ? 'the shop passes' : 'the careless twin fails';
    if (who !== undefined) expect(names).toEqual(expect.arrayContaining(scenarios.map((name) => `${verdict} ${name}`)));
  });
});

describe('its source', () => {
  const sources = readdirSync(join(home, 'src')).map((name) => ({
    name,
    text: readFileSync(join(home, 'src', name), 'utf8'),
  }));

  it('asks the machine for the time in clock.js alone, and knows no sandbox', () => {
    const ambient = /\bDate\.now\b|\bnew Date\(\)|\bsetTimeout\b|\bsetInterval\b|AbortSignal\.timeout|Math\.random/;
    expect(sources.filter(({ text }) => ambient.test(text)).map(({ name }) => name)).toEqual(['clock.js']);
    expect(sources.filter(({ text }) => /sandbox/i.test(text))).toEqual([]);
  });
});

describe('as a process', () => {
  it('takes an order through a busy day, and ends in good order', { timeout: 180_000 }, async ({ skip }) => {
    if (!(await has('curl', '--version'))) {
      process.stderr.write('NOT RUN: examples/shop/try.sh, because curl is not installed\n');
      skip('curl is not installed');
    }
    const port = String(await freePort());
    const shopUrl = `http://127.0.0.1:${port}`;
    const route = `https://shop.example.com=${shopUrl}`;
    const sandbox = await startCli(['--scenario', `${home}/scenario/busy-day.yaml`, '--webhook-route', route]);
    const env = { MESSAGING_BASE_URL: sandbox.url, MESSAGING_API_KEY: 'shop', PUBLIC_URL: 'https://shop.example.com' };
    const shop = spawn(process.execPath, [join(home, 'src/main.js')], {
      env: { ...env, PORT: port },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(createInterface(shop.stdout), 'line')) as [string];
      expect(line).toBe(`shop listening on ${shopUrl}`);
      const tried = await run('sh', [join(home, 'try.sh')], {
        cwd: '.',
        env: { SHOP_URL: shopUrl, MESSAGING_BASE_URL: sandbox.url },
      });
      expect(tried).toStrictEqual({
        code: 0,
        stderr: '',
        stdout: [
          '{"number":"A-17"}',
          '{"number":"A-17","phone":"+12025550123","state":"shipped","notice":"read"}',
          '"text":"Order A-17 is on its way.",',
          '"text":"Thank you! When will it be here?",',
          '"text":"Thank you for writing. Your order A-17 is on its way.",',
          '"passed":true',
          '',
        ].join('\n'),
      });
      const ended = once(shop, 'exit');
      shop.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    } finally {
      shop.kill('SIGKILL');
      await sandbox.stop();
    }
  });

  it('says which setting is missing', async () => {
    expect(await run(process.execPath, [join(home, 'src/main.js')], { cwd: '.' })).toStrictEqual({
      code: 2,
      stdout: '',
      stderr: 'MESSAGING_BASE_URL is not set. See the table of settings in README.md.\n',
    });
  });
});
