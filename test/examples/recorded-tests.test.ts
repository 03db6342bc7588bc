/** The tests that a recording is written as run where their language is, and fail until they run an application. */
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { World } from '../support/client.js';
import { goSettings, hasGo, pythonWithClient, skipLoudly } from '../support/languages.js';
import { copyPackage, run } from '../support/package.js';
import { startTestSandbox } from '../support/sandbox.js';

const ada = '+12025550110';
const body = `{"to":"${ada}","type":"text","text":"Hello \`you\`"}`;

let folder: string;
let sandbox: Sandbox;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recorded-'));
  sandbox = await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } });
  world = new World(sandbox.url, 'recorded');
  await world.put(`/_sandbox/customers/${ada}/window`, { open: true });
  await world.post('/v1/messages', JSON.parse(body));
  await world.advance('1m');
  await world.inbound(ada, { text: 'A "quoted" `word` and ${this} \\n' });
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** The test with its application: the line that stands for it, and what to put there. */
async function written(format: string, gap: string, application: string) {
  const { body: test } = await world.call<string>('GET', `/_sandbox/record?format=${format}`);
  expect(test).toContain(gap);
  return { test, filled: test.replace(gap, () => application) };
}

const noCalls = /no_calls|made no call|outbound/;

describe('in vitest', () => {
  it('passes with the application, and fails without', { timeout: 180_000 }, async () => {
    await mkdir(join(folder, 'js/node_modules'), { recursive: true });
    await writeFile(join(folder, 'js/package.json'), '{ "private": true }');
    await copyPackage(inject('release'), join(folder, 'js/node_modules/messaging-sandbox'));
    await symlink(resolve('node_modules/vitest'), join(folder, 'js/node_modules/vitest'));
    const { test, filled } = await written(
      'vitest',
      '  // For example: await startServer({ baseUrl, apiKey });',
      `  const headers = { authorization: 'Bearer ' + apiKey, 'content-type': 'application/json' };
  await fetch(baseUrl + '/v1/messages', { method: 'POST', headers, body: ${JSON.stringify(body)} });`,
    );
    await writeFile(join(folder, 'js/filled.test.ts'), filled);
    await writeFile(join(folder, 'js/empty.test.ts'), test);
    const vitest = resolve('node_modules/vitest/vitest.mjs');
    const settings = { cwd: join(folder, 'js'), env: { NO_COLOR: '1' } };
    const ran = await run(process.execPath, [vitest, 'run', '--root', '.'], settings);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(noCalls) as string });
    expect(ran.stderr).toMatch(/FAIL +empty\.test\.ts/);
    expect(ran.stdout).toMatch(/Test Files +1 failed \| 1 passed/);
  });
});

describe('in pytest', () => {
  it('passes with the application, and fails without', { timeout: 180_000 }, async ({ skip }) => {
    const python = await pythonWithClient();
    if (!python) {
      skipLoudly(skip, 'the recorded test in pytest, because python3 (3.11 or later) or its packages are missing');
      return;
    }
    const { test, filled } = await written(
      'pytest',
      '    """Starts the application under test, and does what its users did while this was recorded."""\n',
      `    import urllib.request
    headers = {"Authorization": "Bearer " + api_key, "Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(base_url + "/v1/messages", ${JSON.stringify(body)}.encode(), headers))
`,
    );
    await mkdir(join(folder, 'py'));
    await writeFile(join(folder, 'py/test_filled.py'), filled);
    await writeFile(join(folder, 'py/test_empty.py'), test);
    const flags = ['-m', 'pytest', '-p', 'no:cacheprovider'];
    const ran = await python.run(flags, { MESSAGING_BASE_URL: sandbox.url }, join(folder, 'py'));
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(noCalls) as string });
    expect(ran.stdout).toMatch(/^FAILED test_empty\.py/m);
    expect(ran.stdout).toMatch(/1 failed, 1 passed/);
  });
});

describe('in Go', () => {
  it('passes with the application, and fails without', { timeout: 300_000 }, async ({ skip }) => {
    if (!(await hasGo())) {
      skipLoudly(skip, 'the recorded test in Go, because go (1.24 or later) is not installed');
      return;
    }
    const [, module = ''] = /^module (\S+)$/m.exec(readFileSync('clients/go/go.mod', 'utf8')) ?? [];
    const { test, filled } = await written(
      'go',
      'apiKey string) {\n}',
      `apiKey string) {
	request, _ := http.NewRequestWithContext(ctx, "POST", baseURL+"/v1/messages", strings.NewReader(${JSON.stringify(body)}))
	request.Header.Set("Authorization", "Bearer "+apiKey)
	request.Header.Set("Content-Type", "application/json")
	http.DefaultClient.Do(request)
}`,
    );
    expect(test).toContain(`"${module}"`);
    const imports = filled.replace('"context"', '"context"\n\t"net/http"\n\t"strings"');
    await cp('clients/go', join(folder, 'go/client'), { recursive: true });
    for (const [name, text] of [
      ['filled', imports],
      ['empty', test],
    ] as const) {
      await mkdir(join(folder, 'go', name), { recursive: true });
      await writeFile(join(folder, 'go', name, 'recorded_test.go'), text);
    }
    const mod = `module example.com/recorded\n\ngo 1.24\n\nrequire ${module} v0.0.0\n\nreplace ${module} => ./client\n`;
    await writeFile(join(folder, 'go/go.mod'), mod);
    const env = { MESSAGING_BASE_URL: sandbox.url, ...goSettings };
    const ran = await run('go', ['test', './filled/...', './empty/...'], { cwd: join(folder, 'go'), env });
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(noCalls) as string });
    expect(ran.stdout).toMatch(/^ok\s+example\.com\/recorded\/filled/m);
    expect(ran.stdout).toMatch(/^FAIL\s+example\.com\/recorded\/empty/m);
  });
});
