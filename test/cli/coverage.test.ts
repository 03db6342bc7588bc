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
  runHere(['coverage', ...args], { SANDBOX_URL: server.url, SANDBOX_KEY: 'covered' });

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

  it.each([['--format', 'json'], ['--json']])('is JSON for %s %s', async (...flags) => {
    const { stdout } = await coverage(...flags);
    const { items } = JSON.parse(stdout) as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ group: 'operation', name: 'sendMessage 2xx', hits: 1 }));
    expect(items).toContainEqual(expect.objectContaining({ group: 'error code', name: 'validation_error', hits: 1 }));
  });

  it.each([
    ['markdown', '# API coverage: '],
    ['junit', '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites tests='],
  ])('is the text of the server for --format %s', async (format, start) => {
    const headers = { authorization: 'Bearer covered' };
    const answer = await fetch(`${server.url}/_sandbox/coverage?format=${format}`, { headers });
    const { stdout } = await coverage('--format', format);
    expect(stdout.startsWith(start)).toBe(true);
    expect(stdout).toBe(await answer.text());
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
