/** The single-file binary: built once, and used alone in an empty folder, without this project and without Node. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { buildBinary } from '../scripts/binary.js';
import { cleanVariables } from './support/cli.js';
import { run } from './support/package.js';

let folder: string;
let alone: string;
let binary: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binary-'));
  const built = await buildBinary(join(inject('release').folder, 'dist'), join(folder, 'build'));
  alone = join(folder, 'alone');
  binary = join(alone, basename(built));
  await mkdir(alone);
  await rename(built, binary);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

it('serves the API, the web UI and the documents, with a shipped scenario', async () => {
  const args = ['start', '--port', '0', '--scenario', 'flaky-api'];
  const child = spawn(binary, args, { cwd: alone, env: { ...cleanVariables(), PATH: '' } });
  let said = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
      const [, address] = /listening on (http:\S+)\. Ready\.\n$/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    void ended.then((code) => reject(new Error(`It ended with ${code}: ${said}`)));
  });
  try {
    const get = async (path: string) => {
      const response = await fetch(url + path, { headers: { Authorization: 'Bearer binary' } });
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    };
    const html = 'text/html; charset=utf-8';
    const script = 'text/javascript; charset=utf-8';
    const page = await get('/_sandbox/ui/');
    expect(page).toMatchObject({ status: 200, type: html });
    const [, asset = 'none'] = /src="([^"]+\.js)"/.exec(page.text) ?? [];
    expect(await get(asset)).toMatchObject({
      status: 200,
      type: script,
      text: expect.stringContaining('import(') as string,
    });
    expect(await get('/_sandbox/docs/')).toMatchObject({ status: 200, type: html });
    const swagger = await get('/_sandbox/docs/swagger-ui-bundle.js');
    expect(swagger).toMatchObject({ status: 200, type: script });
    expect(swagger.text.length).toBeGreaterThan(1_000_000);
    expect(await get('/llms.txt')).toMatchObject({ status: 200, text: expect.stringContaining('sandbox') as string });
    expect(JSON.parse((await get('/_sandbox/scenario')).text)).toMatchObject({ name: 'flaky-api' });
    expect((await get('/_sandbox/customers')).status).toBe(200);
    const sent = await fetch(`${url}/v1/messages`, { method: 'POST', headers: { Authorization: 'Bearer other' } });
    expect(sent.status).toBe(400);
  } finally {
    child.kill();
  }
  expect(await ended).toBe(0);
});

it('runs the other commands, and reports errors as they do', async () => {
  const version = await run(binary, ['--version'], { cwd: alone });
  expect(version).toStrictEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, stderr: '' });
  const checked = await run(binary, ['scenario', 'check', 'flaky-api'], { cwd: alone });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('flaky-api.yaml: fine') as string });
  const wrong = await run(binary, ['exec', '--scenario', 'no-such-scenario', '--', binary, '--version'], {
    cwd: alone,
  });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no scenario "no-such') as string });
});
