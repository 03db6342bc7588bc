import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { runHere } from '../support/cli-here.js';
import { World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

let server: Sandbox;
beforeAll(async () => {
  server = await startTestSandbox();
  const world = new World(server.url, 'covered');
  await world.text();
  await world.call('POST', '/v1/messages', {});
});
afterAll(() => server.close());

const coverage = (...args: string[]) =>
  runHere(['coverage', ...args], { MESSAGING_BASE_URL: server.url, MESSAGING_API_KEY: 'covered' });

describe('coverage', () => {
  it('tells people what was exercised, and what would exercise the rest', async () => {
    const { code, stdout } = await coverage();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[\d.]+ % of the API was exercised \(\d+ of \d+\):\n/);
    expect(stdout).toMatch(/^ {2}operation +10 % {2}1 of 10$/m);
    expect(stdout).toContain('\nNever exercised:\n');
    expect(stdout).toMatch(/^ {2}OTP state: locked\n {6}.*0162/m);
    expect(stdout).not.toContain('sendMessage 2xx');
  });

  it('is JSON for scripts', async () => {
    const { items } = JSON.parse((await coverage('--json')).stdout) as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ group: 'operation', name: 'sendMessage 2xx', hits: 1 }));
    expect(items).toContainEqual(expect.objectContaining({ group: 'error code', name: 'validation_error', hits: 1 }));
  });

  it('fails under a share, after printing all the same', async () => {
    expect(await coverage('--fail-under', '1')).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout, stderr } = await coverage('--fail-under', '60.5', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toHaveProperty('total');
    expect(stderr).toMatch(
      /^messaging-sandbox: [\d.]+ % of the API was exercised \(\d+ of \d+\), less than the 60\.5 % of --fail-under\./,
    );
  });
});
