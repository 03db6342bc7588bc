/**
 * Builds the image and runs it as strictly as a cluster would: `npx tsx scripts/verify-image.ts`. Prints a line per check
 * and exits with 1 if one fails. Where no container engine responds, nothing is checked, and a line says so.
 *
 *   --image NAME   check this image, which is built already
 *   --require      fail where no engine responds, instead of skipping
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Like in a strict cluster: the root file system is read-only, and there are no privileges. */
const hardened = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const text = { to: '+12025550150', type: 'text', text: 'Hello' };
const prefix = `image-check-${process.pid}`;
let count = 0;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function docker(...args: string[]): Promise<Ran> {
  const settings = { timeout: 600_000, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((done) => {
    execFile('docker', args, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
      done({ code, stdout: stdout.trim(), stderr: stderr || (error?.message ?? '') });
    });
  });
}

/** Returns the output of a command that must succeed. */
async function must(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await docker(...args);
  assert.equal(code, 0, `docker ${args.join(' ')} ended with ${code}: ${stderr.slice(-800)}`);
  return stdout;
}

/** Repeats a check until it succeeds, because an engine sends no notifications. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + 20_000;
  while (!(await holds())) {
    assert(performance.now() < giveUpMs, `${what}: not within 20 s`);
    await pause(50);
  }
}

const newName = (): string => `${prefix}-${(count += 1)}`;

/** Runs the image and returns the container's name and address once it is ready. */
async function start(image: string, flags: readonly string[] = [], port = 4242) {
  const name = newName();
  await must('run', '-d', '--name', name, '-p', `127.0.0.1::${port}`, ...hardened, ...flags, image);
  const published = (await must('port', name, `${port}/tcp`)).split('\n')[0] ?? '';
  const url = `http://127.0.0.1:${published.split(':').at(-1) ?? ''}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(`${name} is ready`, isReady);
  return { name, url };
}

async function call(url: string, path: string, body?: object, key = 'shop'): Promise<{ status: number; text: string }> {
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const checks: Readonly<Record<string, (image: string) => Promise<void>>> = {
  async 'user, port, volumes, stop signal and health check are declared'(image) {
    const config = JSON.parse(await must('image', 'inspect', '-f', '{{json .Config}}', image)) as {
      User: string;
      ExposedPorts: object;
      Volumes: object;
      StopSignal: string;
      Healthcheck: { Test: string[] };
    };
    // By number, so that `runAsNonRoot` can be checked without the image's own list of users.
    assert.match(config.User, /^[1-9]\d*:[1-9]\d*$/);
    assert.deepEqual(Object.keys(config.ExposedPorts), ['4242/tcp']);
    assert.deepEqual(Object.keys(config.Volumes).sort(), ['/data', '/scenarios']);
    assert.equal(config.StopSignal, 'SIGTERM');
    assert.deepEqual([config.Healthcheck.Test[0], config.Healthcheck.Test.at(-1)], ['CMD', 'readyz']);
  },

  async 'the application is small, has no native addon and cannot be changed'(image) {
    const sh = (script: string) => must('run', '--rm', '--network', 'none', '--entrypoint', 'sh', image, '-c', script);
    const unwanted = "\\( -name '*.node' -o -name '*.map' -o -name '*.ts' -o -name typescript \\)";
    assert.equal(await sh(`find /app ${unwanted}`), '');
    // V8's cache belongs to the user that runs the application.
    assert.equal(await sh("find /app -writable -not -path '/app/dist/compiled*'"), '');
    assert.equal(await sh('head -1 /app/LICENSE'), 'MIT License');
    assert.ok(Number(await sh('tar -cz /app 2>/dev/null | wc -c')) < 15_000_000);
  },

  async 'it runs without rights, writes to /data and /tmp alone, and is healthy'(image) {
    const { name, url } = await start(image);
    const status = await must('exec', name, 'cat', '/proc/1/status');
    assert.match(status, /^Uid:\s+10001\b/m);
    assert.match(status, /^CapEff:\s+0+$/m);
    const writable = 'for d in /app /etc / /data /tmp; do test -w $d && echo $d; done; :';
    assert.equal(await must('exec', name, 'sh', '-c', writable), '/data\n/tmp');
    assert.equal((await call(url, '/v1/messages', text)).status, 200);
    const health = () => must('inspect', '-f', '{{.State.Health.Status}}', name);
    await until('healthy', async () => (await health()) === 'healthy');
  },

  async 'SIGTERM and SIGINT end it with 0'(image) {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      const { name } = await start(image);
      await must('kill', '-s', signal, name);
      assert.equal(await must('wait', name), '0', signal);
    }
  },

  async 'process 1 reaps orphans and passes on exit codes'(image) {
    const { name } = await start(image);
    for (let index = 0; index < 5; index += 1) await must('exec', name, 'sh', '-c', 'sleep 0.05 & :');
    const sleepers = () => must('exec', name, 'sh', '-c', "grep -l '^sleep' /proc/[0-9]*/comm; :");
    await until('the orphans are gone', async () => (await sleepers()) === '');
    assert.equal((await docker('run', '--rm', image, 'exec', '--', 'sh', '-c', 'exit 7')).code, 7);
  },

  async 'a volume at /data keeps messages when the process is killed and another container takes over'(image) {
    const volume = newName();
    const flags = ['-e', 'SANDBOX_DATA=/data', '-e', 'SANDBOX_FSYNC=always', '-v', `${volume}:/data`];
    try {
      const first = await start(image, flags);
      const sent = JSON.parse((await call(first.url, '/v1/messages', text)).text) as { message_id: string };
      await must('kill', first.name);
      const second = await start(image, flags);
      assert.equal((await call(second.url, `/v1/messages/${sent.message_id}`)).status, 200);
      await must('rm', '-f', first.name, second.name);
    } finally {
      await docker('volume', 'rm', '-f', volume);
    }
  },

  async 'settings are read from variables, and scenarios from /scenarios'(image) {
    const folder = await mkdtemp(join(tmpdir(), 'image-scenarios-'));
    const rules = 'rules:\n  - when: message.send\n    then: { respond: { status: 503 } }\n';
    try {
      await chmod(folder, 0o755);
      await writeFile(join(folder, 'mounted.yaml'), `version: 1\nname: mounted\n${rules}`);
      await writeFile(join(folder, 'broken.yaml'), 'version: 1\nrulez: []\n');
      const mounted = ['-v', `${folder}:/scenarios:ro`];
      const variables = ['SANDBOX_SCENARIO=mounted', 'SANDBOX_PORT=8080', 'SANDBOX_API_KEYS=shop'];
      const flags = [...mounted, ...variables.flatMap((variable) => ['-e', variable])];
      const { url } = await start(image, flags, 8080);
      assert.equal((await call(url, '/v1/messages', text)).status, 503);
      assert.equal((await call(url, '/v1/messages', text, 'other')).status, 401);
      const bad = await docker('run', '--rm', ...mounted, '-e', 'SANDBOX_SCENARIO=broken', image);
      assert.equal(bad.code, 2);
      assert.match(bad.stderr, /broken\.yaml:2:1/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const { code, stdout, stderr } = await docker('info', '--format', '{{.ServerVersion}}');
  // An old client exits with 0 although no server responded; in that case, it prints no version.
  if (code !== 0 || stdout === '') {
    console.error(`NOT RUN: the checks of the image, because no container engine responds: ${stderr.split('\n')[0]}`);
    return args.includes('--require') ? 1 : 0;
  }
  const given = args.includes('--image') ? args[args.indexOf('--image') + 1] : undefined;
  const image = given ?? `messaging-sandbox:check-${process.pid}`;
  if (given === undefined) await must('build', '-t', image, '.');
  let failed = 0;
  try {
    for (const [what, check] of Object.entries(checks)) {
      const problem = await check(image).then(
        () => null,
        (error: unknown) => String(error),
      );
      console.log(problem === null ? `PASS ${what}` : `FAIL ${what}: ${problem}`);
      if (problem !== null) failed += 1;
    }
  } finally {
    const left = (await must('ps', '-aq', '--filter', `name=${prefix}-`)).split('\n').filter(Boolean);
    if (left.length > 0) await docker('rm', '-f', '-v', ...left);
    if (given === undefined) await docker('image', 'rm', '-f', image);
  }
  return failed === 0 ? 0 : 1;
}
