/**
 * The image, as strictly as a cluster would run it. `IMAGE` names one that is built already, as `.ci/run` does where a
 * container engine responds: `docker build -t NAME . && IMAGE=NAME npx vitest run test/deploy/image.test.ts`.
 */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { must, run } from '../support/package.js';

const image = process.env['IMAGE'] ?? '';
/** Like in a strict cluster: the root file system is read-only, and there are no privileges. */
const hardened = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const text = { to: '+12025550150', type: 'text', text: 'Hello' };
const prefix = `image-check-${process.pid}`;
let count = 0;
const newName = (): string => `${prefix}-${(count += 1)}`;

const docker = async (...args: string[]) => (await must('docker', args, { cwd: '.' })).trim();

/** Runs the image and returns the container's name and address once it is ready. */
async function start(flags: readonly string[] = [], port = 4242) {
  const name = newName();
  await docker('run', '-d', '--name', name, '-p', `127.0.0.1::${port}`, ...hardened, ...flags, image);
  const published = (await docker('port', name, `${port}/tcp`)).split('\n')[0] ?? '';
  const url = `http://127.0.0.1:${published.split(':').at(-1) ?? ''}`;
  // A connection that begins before the port is published may never get a response.
  await until(async () => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) })).ok);
  return { name, url };
}

/** Repeats a check until it succeeds, because an engine sends no notifications. */
const until = (holds: () => Promise<boolean>) =>
  vi.waitUntil(() => holds().catch(() => false), { timeout: 20_000, interval: 50 });

async function call(url: string, path: string, body?: object, key = 'shop'): Promise<{ status: number; text: string }> {
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

if (image === '') process.stderr.write('NOT RUN: the tests of the image, because IMAGE names none\n');

describe.skipIf(image === '')('the image', { timeout: 120_000 }, () => {
  afterAll(async () => {
    const left = (await docker('ps', '-aq', '--filter', `name=${prefix}-`)).split('\n').filter(Boolean);
    if (left.length > 0) await docker('rm', '-f', '-v', ...left);
  });

  it('declares user, port, volumes, stop signal and health check', async () => {
    const config = JSON.parse(await docker('image', 'inspect', '-f', '{{json .Config}}', image)) as {
      User: string;
      ExposedPorts: object;
      Volumes: object;
      StopSignal: string;
      Healthcheck: { Test: string[] };
    };
    // By number, so that `runAsNonRoot` can be checked without the image's own list of users.
    expect(config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(Object.keys(config.ExposedPorts)).toEqual(['4242/tcp']);
    expect(Object.keys(config.Volumes).sort()).toEqual(['/data', '/scenarios']);
    expect(config.StopSignal).toBe('SIGTERM');
    expect([config.Healthcheck.Test[0], config.Healthcheck.Test.at(-1)]).toEqual(['CMD', 'readyz']);
  });

  it('has a small application without native addons, which cannot be changed', async () => {
    const sh = (script: string) =>
      docker('run', '--rm', '--network', 'none', '--entrypoint', 'sh', image, '-c', script);
    const unwanted = "\\( -name '*.node' -o -name '*.map' -o -name '*.ts' -o -name typescript \\)";
    expect(await sh(`find /app ${unwanted}`)).toBe('');
    // V8's cache belongs to the user that runs the application.
    expect(await sh("find /app -writable -not -path '/app/dist/compiled*'")).toBe('');
    expect(await sh('head -1 /app/LICENSE')).toBe('MIT License');
    expect(Number(await sh('tar -cz /app 2>/dev/null | wc -c'))).toBeLessThan(15_000_000);
  });

  it('runs without rights, writes to /data and /tmp alone, and is healthy', async () => {
    const { name, url } = await start();
    const status = await docker('exec', name, 'cat', '/proc/1/status');
    expect(status).toMatch(/^Uid:\s+10001\b/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    const writable = 'for d in /app /etc / /data /tmp; do test -w $d && echo $d; done; :';
    expect(await docker('exec', name, 'sh', '-c', writable)).toBe('/data\n/tmp');
    expect((await call(url, '/v1/messages', text)).status).toBe(200);
    await until(async () => (await docker('inspect', '-f', '{{.State.Health.Status}}', name)) === 'healthy');
  });

  it.each(['SIGTERM', 'SIGINT'])('ends with 0 at %s', async (signal) => {
    const { name } = await start();
    await docker('kill', '-s', signal, name);
    expect(await docker('wait', name)).toBe('0');
  });

  it('has a process 1 that reaps orphans and passes on exit codes', async () => {
    const { name } = await start();
    for (let index = 0; index < 5; index += 1) await docker('exec', name, 'sh', '-c', 'sleep 0.05 & :');
    const sleepers = () => docker('exec', name, 'sh', '-c', "grep -l '^sleep' /proc/[0-9]*/comm; :");
    await until(async () => (await sleepers()) === '');
    const { code } = await run('docker', ['run', '--rm', image, 'exec', '--', 'sh', '-c', 'exit 7'], { cwd: '.' });
    expect(code).toBe(7);
  });

  it('keeps messages on a volume when the process is killed and another container takes over', async () => {
    const volume = newName();
    const flags = ['-e', 'SANDBOX_DATA=/data', '-e', 'SANDBOX_FSYNC=always', '-v', `${volume}:/data`];
    try {
      const first = await start(flags);
      const sent = JSON.parse((await call(first.url, '/v1/messages', text)).text) as { message_id: string };
      await docker('kill', first.name);
      const second = await start(flags);
      expect((await call(second.url, `/v1/messages/${sent.message_id}`)).status).toBe(200);
      await docker('rm', '-f', first.name, second.name);
    } finally {
      await docker('volume', 'rm', '-f', volume);
    }
  });

  it('reads settings from variables, and scenarios from /scenarios', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'image-scenarios-'));
    const rules = 'rules:\n  - when: message.send\n    then: { respond: { status: 503 } }\n';
    try {
      await chmod(folder, 0o755);
      await writeFile(join(folder, 'mounted.yaml'), `version: 1\nname: mounted\n${rules}`);
      await writeFile(join(folder, 'broken.yaml'), 'version: 1\nrulez: []\n');
      const mounted = ['-v', `${folder}:/scenarios:ro`];
      const variables = ['SANDBOX_SCENARIO=mounted', 'SANDBOX_PORT=8080', 'SANDBOX_API_KEYS=shop'];
      const { url } = await start([...mounted, ...variables.flatMap((variable) => ['-e', variable])], 8080);
      expect((await call(url, '/v1/messages', text)).status).toBe(503);
      expect((await call(url, '/v1/messages', text, 'other')).status).toBe(401);
      const broken = ['run', '--rm', ...mounted, '-e', 'SANDBOX_SCENARIO=broken', image];
      expect(await run('docker', broken, { cwd: '.' })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('broken.yaml:2:1') as string,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
