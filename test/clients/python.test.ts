/** Runs the Python client's own tests: installed as users install it, against a sandbox in this process. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { pythonWithClient, skipLoudly, type Python } from '../support/languages.js';
import { startTestSandbox } from '../support/sandbox.js';

let python: Python | null;
let sandbox: Sandbox;
beforeAll(async () => {
  [python, sandbox] = await Promise.all([pythonWithClient(), startTestSandbox()]);
}, 180_000);
afterAll(() => sandbox.close());

it('passes its own tests, on two workers that share a sandbox', { timeout: 180_000 }, async ({ skip }) => {
  if (!python) {
    skipLoudly(skip, 'clients/python, because python3 (3.11 or later) or its packages are missing');
    return;
  }
  const env = {
    MESSAGING_BASE_URL: sandbox.url,
    MESSAGING_SANDBOX_COMMAND: `${process.execPath} ${inject('cli').main}`,
  };
  const ran = await python.run(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-n', '2'], env, 'clients/python');
  // One of them starts the image, which needs a container engine.
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^21 passed, 1 skipped/m) as string });
});

it('is typed throughout', { timeout: 180_000 }, async ({ skip }) => {
  if (!python) {
    skipLoudly(skip, 'the types of clients/python, because python3 (3.11 or later) or its packages are missing');
    return;
  }
  const cache = join(tmpdir(), 'mypy-messaging-sandbox');
  const ran = await python.run(['-m', 'mypy', '--strict', '--cache-dir', cache, 'src'], {}, 'clients/python');
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('no issues found') as string });
});
