/** The Go client, by its own tests: under the race detector, against a sandbox of this process. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { goSettings, hasGo, skipLoudly } from '../support/languages.js';
import { has, run } from '../support/package.js';
import { startTestSandbox } from '../support/sandbox.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

it('passes its own tests', { timeout: 300_000 }, async ({ skip }) => {
  if (!(await hasGo())) {
    skipLoudly(skip, 'clients/go, because go (1.24 or later) is not installed');
    return;
  }
  // The race detector takes a C compiler.
  const race = (await has('gcc', '--version')) ? ['-race'] : [];
  const env = {
    ...goSettings,
    MESSAGING_BASE_URL: sandbox.url,
    MESSAGING_SANDBOX_COMMAND: `${process.execPath} ${inject('cli').main}`,
  };
  const ran = await run('go', ['test', '-count=1', '-v', ...race, './...'], { cwd: 'clients/go', env });
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout.match(/^--- PASS/gm)).toHaveLength(14);
});

it('is formatted, generated types included', async ({ skip }) => {
  if (!(await hasGo())) {
    skipLoudly(skip, 'gofmt of clients/go, because go is not installed');
    return;
  }
  expect(await run('gofmt', ['-l', 'clients/go', 'examples/go'], { cwd: '.' })).toMatchObject({ code: 0, stdout: '' });
});
