/** The fixtures for node:test and vitest, from the packed package: apart when tests run side by side, and loud when one fails. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { CliServer } from './support/built-cli.js';
import { startCli } from './support/cli.js';
import { copyPackage, run, vitestRun } from './support/package.js';

let folder: string;
let sandbox: CliServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixtures-'));
  await mkdir(join(folder, 'node_modules'));
  await copyPackage(inject('release'), join(folder, 'node_modules/messaging-sandbox'));
  await symlink(resolve('node_modules/vitest'), join(folder, 'node_modules/vitest'));
  sandbox = await startCli();
}, 120_000);
afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

async function play(name: string, text: string, args: readonly string[]) {
  await writeFile(join(folder, name), text);
  return run(process.execPath, [...args, name], { cwd: folder, env: { NO_COLOR: '1' } });
}

/** One test of each passes; one fails after a call that the journal shows. */
const calls = `
  await account.customer('+12025550123').says('Hi');
  const said = await account.messages({ direction: 'inbound' });
  await account.call('GET', '/v1/messages/none').catch(() => undefined);
`;

it('node:test', async () => {
  const text = `
    import assert from 'node:assert/strict';
    import { describe, it, test } from 'node:test';
    import { useSandbox } from 'messaging-sandbox/node-test';

    const accountOf = useSandbox({ clock: 'frozen', seed: 7 });
    await assert.rejects(accountOf({ name: 'too early', fullName: 'too early' }), /no sandbox is open/);

    describe('side by side', { concurrency: true }, () => {
      for (const name of ['a', 'b', 'c']) {
        it(name, async (t) => {
          const account = await accountOf(t);
          ${calls}
          assert.equal(said.length, 1);
          assert.equal(account.apiKey, 'node.test.mjs_side-by-side_' + name);
        });
      }
    });

    test('outer', async (t) => {
      const outer = await accountOf(t);
      await t.test('inner', async (s) => assert.notEqual((await accountOf(s)).apiKey, outer.apiKey));
    });

    test('fails', async (t) => {
      const account = await accountOf(t);
      ${calls}
      assert.fail('on purpose');
    });

    describe('in a sandbox that runs elsewhere', () => {
      const there = useSandbox({ url: '${sandbox.url}' });
      it('starts empty', async (t) => {
        const account = await there(t);
        ${calls}
        assert.equal(said.length, 1);
      });
    });
  `;
  const { code, stdout } = await play('node.test.mjs', text, ['--test', '--test-reporter=tap']);
  expect(stdout).toMatch(/^# pass 6$/m);
  expect(stdout).toMatch(/^# fail 1$/m);
  expect(stdout).toMatch(
    /^# sandbox account node\.test\.mjs_fails\n# [\d:]{8} GET \/v1\/messages\/none 404 not_found$/m,
  );
  expect(stdout).not.toContain('scenario');
  expect(code).toBe(1);
});

it('vitest, with the example beside it, in forks', async () => {
  const text = `
    import { expect, it } from 'vitest';
    import { useSandbox } from 'messaging-sandbox/vitest';

    const account = useSandbox({ clock: 'frozen' });
    it('passes', async () => {
      ${calls}
      expect(said).toHaveLength(1);
    });
    it('fails', async () => {
      ${calls}
      expect(said).toHaveLength(2);
    });
  `;
  await cp('examples', join(folder, 'examples'), { recursive: true });
  const { code, stdout, stderr } = await play('one.test.ts', text, [
    ...vitestRun,
    '--pool',
    'forks',
    'examples/vitest',
  ]);
  expect(stdout).toMatch(/Tests {2}1 failed \| 4 passed/);
  expect(stdout + stderr).toMatch(
    /sandbox account one\.test\.ts_fails\n[\d:]{8} GET \/v1\/messages\/none 404 not_found\n/,
  );
  expect(code).toBe(1);
});
