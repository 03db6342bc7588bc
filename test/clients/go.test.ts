/** Runs the Go client's own tests with the race detector, against a sandbox in this process. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, inject, it } from 'vitest';
import { go, hasGo, skipLoudly } from '../support/languages.js';
import { run } from '../support/package.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

it('passes its own tests', { timeout: 300_000 }, async ({ skip }) => {
  if (!(await hasGo())) {
    skipLoudly(skip, 'clients/go, because go (1.24 or later) is not installed');
    return;
  }
  const env = {
    MESSAGING_BASE_URL: sandbox.url,
    MESSAGING_SANDBOX_COMMAND: `${process.execPath} ${inject('cli').main}`,
  };
  const ran = await go(['test', '-count=1', '-v', './...'], 'clients/go', env);
  expect(ran.code, ran.stdout).toBe(0);
  expect(ran.stdout.match(/^--- PASS/gm)).toHaveLength(15);
});

it('does what clients/go/README.md shows', { timeout: 120_000 }, async ({ skip }) => {
  if (!(await hasGo())) {
    skipLoudly(skip, 'the Go test in clients/go/README.md, because go (1.24 or later) is not installed');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'go-shown-'));
  try {
    const [, program = ''] = /^```go\n(.*?)^```/ms.exec(readFileSync('clients/go/README.md', 'utf8')) ?? [];
    await writeFile(join(folder, 'window_test.go'), program);
    const example = readFileSync('examples/go/go.mod', 'utf8');
    await writeFile(join(folder, 'go.mod'), example.replace('../../clients/go', resolve('clients/go')));
    const ran = await go(['test', '-count=1', '-v', './...'], folder, { MESSAGING_BASE_URL: sandbox.url });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('--- PASS: TestWindow') as string });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('is formatted', async ({ skip }) => {
  if (!(await hasGo())) {
    skipLoudly(skip, 'gofmt of clients/go, because go is not installed');
    return;
  }
  expect(await run('gofmt', ['-l', 'clients/go', 'examples/go'], { cwd: '.' })).toMatchObject({ code: 0, stdout: '' });
});
