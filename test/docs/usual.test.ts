/** The tests of docs/usual-tests.md pass as they are shown, in TypeScript and in Python; so do those of the first page. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { pythonWithClient, skipLoudly } from '../support/languages.js';
import { run, vitestRun } from '../support/package.js';
import { startTestSandbox } from '../support/sandbox.js';
import { savedFiles, shownOn } from '../support/walk.js';

const start = shownOn('docs/getting-started.md');
const page = 'docs/usual-tests.md';
const program = (language: string) =>
  shownOn(page)
    .filter((example) => example.language === language)
    .map(({ body }) => body)
    .join('\n\n');

it('in TypeScript', { timeout: 180_000 }, async () => {
  const folder = savedFiles(start);
  onTestFinished(() => rm(folder, { recursive: true }));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  // What the first page installs: the built package, and the test runner of this project.
  await symlink(resolve(dirname(inject('cli').main), '../..'), join(modules, 'messaging-sandbox'));
  await symlink(resolve('node_modules/vitest'), join(modules, 'vitest'));
  await writeFile(join(folder, 'usual.test.ts'), program('ts'));
  expect(start.filter(({ note }) => note === 'vitest').map(({ body }) => body.trim())).toEqual(['npx vitest run']);
  const ran = await run(process.execPath, [...vitestRun], { cwd: folder, env: { NO_COLOR: '1' } });
  const stdout = expect.stringMatching(/Test Files {2}2 passed \(2\)\n +Tests {2}14 passed \(14\)/) as string;
  expect(ran).toMatchObject({ code: 0, stdout });
});

it('in Python', { timeout: 180_000 }, async ({ skip }) => {
  const python = await pythonWithClient();
  if (!python) {
    skipLoudly(skip, `the tests in Python of ${page}, because python3 (3.11 or later) or its packages are missing`);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'messaging-sandbox-usual-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'test_usual.py'), program('python'));
  const sandbox = await startTestSandbox();
  try {
    const env = { MESSAGING_BASE_URL: sandbox.url };
    const ran = await python.run(['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], env, folder);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^12 passed/m) as string });
  } finally {
    await sandbox.close();
  }
});
