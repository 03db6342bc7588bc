import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { receiverWords } from '../../src/cli/receiver-words.js';
import { version } from '../../src/version.js';
import { startCli } from '../support/cli.js';
import { runHere } from '../support/cli-here.js';
import { newWorld } from '../support/client.js';
import { receiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';

describe('start', () => {
  it('says where it is, ends its output with the ready line, and ends cleanly on SIGTERM', async () => {
    const server = await startCli();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    expect(server.banner.match(/Ready\./g)).toHaveLength(1);
    expect(server.banner).toContain(`${server.url}/v1`);
    expect(server.banner).toContain('test_default');
    expect(server.banner).toContain('in memory');
    expect(server.banner).not.toContain('\u001b');
    const rows = [...server.banner.matchAll(/^ {2}(\S+(?: \S+)?) {2,}\S/gm)].map(([, name]) => name);
    expect(rows).toEqual(['API', 'API key', 'Web UI', 'Control', 'Data', 'Clock', 'Receiver']);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const { code, stdout } = await server.stop();
    expect(code).toBe(0);
    expect(stdout).toBe(server.banner);
  });

  it('ends within its time although a client never finishes its request', async () => {
    const server = await startCli();
    const client = connect(Number(new URL(server.url).port), '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');
    client.write('POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    // Gets its response on the same server later than the incomplete request, so that one is in flight when the signal
    // arrives.
    await (await fetch(`${server.url}/livez`)).text();
    expect((await server.stop()).code).toBe(0);
    client.destroy();
  });

  it('takes its settings from flags and variables, and warns of a variable that nobody reads', async () => {
    const env = { SANDBOX_CLOCK: 'auto', SANDBOX_LOG_FORMAT: 'json', SANDBOX_API_KEYZ: 'a' };
    const server = await startCli(['--clock', 'frozen:2026-03-01T09:00:00Z'], env);
    expect(server.banner).toContain('frozen at 2026-03-01T09:00:00.000Z');
    const { stderr } = await server.stop();
    const lines = stderr.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        text: 'Unknown variable SANDBOX_API_KEYZ has no effect. Did you mean SANDBOX_API_KEYS?',
      }),
    );
  });

  it('brackets an IPv6 address', async (context) => {
    const server = await startCli(['--host', '::1']).catch((error: unknown) => {
      // A machine without IPv6 rejects the address with a message; anything else is an error.
      expect(String(error)).toContain('--host ::1 is not an address of this machine');
      return null;
    });
    if (server === null) return context.skip('this machine has no IPv6');
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
  });

  it('prints the host it was given when that means every address', async () => {
    const server = await startCli(['--host', '0.0.0.0']);
    const port = new URL(server.url).port;
    expect(server.url).toBe(`http://0.0.0.0:${port}`);
    expect(server.banner).toContain(`http://127.0.0.1:${port}/v1`);
    expect((await runHere(['readyz'], { SANDBOX_HOST: '0.0.0.0', SANDBOX_PORT: port })).code).toBe(0);
    await server.stop();
  });

  it('says which sandbox has the port, so that one can tell a forgotten one', async ({ onTestFinished }) => {
    const before = Date.now();
    const other = await startTestSandbox();
    onTestFinished(() => other.close());
    // The first call of the control plane loads it, and the command waits for no slow program.
    const info = await newWorld(other).get<{ started_at: string }>('/_sandbox/info');
    const { stderr } = await runHere(['--port', `${other.port}`]);
    const [, started = '', rest] = /by a sandbox that was started at (\S+) (.*)/.exec(stderr) ?? [];
    expect(started).toBe(info.started_at);
    expect(Date.parse(started)).toBeGreaterThanOrEqual(before);
    expect(rest).toBe(`(version ${version}, data in memory). Stop it, or use a free port with --port 0.`);
  });

  it('prints the URL of a receiver that works: the name of the machine only where it is known', async () => {
    const image = { MESSAGING_SANDBOX_IMAGE: '1' };
    const [outside, known, unknown] = await Promise.all([
      receiverWords({}, () => Promise.resolve(true)),
      receiverWords(image, () => Promise.resolve(true)),
      receiverWords(image, () => Promise.resolve(false)),
    ]);
    expect(outside[0]).toBe('https://localhost:3000/hook');
    expect(known[0]).toBe('https://host.docker.internal:3000/hook');
    expect(unknown[0]).toBe('https://localhost:3000/hook');
    expect(unknown[1]).toContain('--add-host=host.docker.internal:host-gateway');
  });

  it('says in one line that the port is in use', async () => {
    const { port } = await receiver();
    const { code, stdout, stderr } = await runHere(['--port', `${port}`]);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^messaging-sandbox: port \d+ on 127\.0\.0\.1 is already in use .*--port 0\.\n$/);
  });

  it.each([
    ['host', '192.0.2.1', '--host 192.0.2.1 is not an address of this machine. Allowed: '],
    ['data', 'package.json', `The data directory ${resolve('package.json')} cannot be used: `],
    ['data', 'package.json/below', `The data directory ${resolve('package.json/below')} cannot be used: `],
  ])('refuses --%s %s as any wrong setting, in one line', async (flag, value, message) => {
    const { code, stdout, stderr } = await runHere([`--${flag}`, value, '--port', '0']);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(stderr.startsWith(`messaging-sandbox: ${message}`)).toBe(true);
    expect(stderr.indexOf('\n')).toBe(stderr.length - 1);
  });

  it('keeps accounts over a restart with --data, one whose key names a scenario too', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cli-data-'));
    const keys = ['test_default', 'worker~happy-path'];
    const first = await startCli(['--data', dir, '--clock', 'frozen:2026-03-01T09:00:00Z']);
    expect(first.banner).toContain(dir);
    for (const key of keys) {
      expect((await runHere(['clock', 'advance', '90m', '--url', first.url, '--key', key])).code).toBe(0);
    }
    expect((await first.stop()).code).toBe(0);
    const second = await startCli(['--data', dir]);
    for (const key of keys) {
      const { stdout } = await runHere(['clock', 'show', '--json', '--url', second.url, '--key', key]);
      expect(JSON.parse(stdout)).toMatchObject({ now: '2026-03-01T10:30:00.000Z', mode: 'frozen' });
    }
    await second.stop();
    rmSync(dir, { recursive: true });
  });
});

it('the built main file is a script that an installed package can run', () => {
  expect(readFileSync(inject('cli').main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});
