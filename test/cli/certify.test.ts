import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../src/certify/checks.js';
import { connectSandbox } from '../../src/client/client.js';
import type { Sandbox } from '../../src/sandbox.js';
import { SECRET, startReceiver, type TestReceiver } from '../certify/receiver.js';
import { runCli } from '../support/cli.js';
import { expectRejected, runHere } from '../support/cli-here.js';
import { closing } from '../support/closing.js';
import { freePort, receiver as plainReceiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';

let right: TestReceiver;
let careless: TestReceiver;
let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
  right = await startReceiver();
  careless = await startReceiver({ believes: () => true });
  sandbox = await startTestSandbox();
  folder = mkdtempSync(join(tmpdir(), 'certify-'));
});
afterAll(async () => {
  await Promise.all([right.close(), careless.close(), sandbox.close()]);
  rmSync(folder, { recursive: true });
});

const certify = ({ url }: TestReceiver, ...flags: string[]) => runHere(['certify', url, '--secret', SECRET, ...flags]);
const few = ['--only', 'late-event,other-body', '--only', 'answers-in-time'];

describe('certify --secret', () => {
  it('plays everything at a right receiver, and ends with 0', async () => {
    const observe = ['--observe', right.counterUrl];
    const { code, stdout, stderr } = await runCli(['certify', right.url, '--secret', SECRET, ...observe]);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(`Certifying ${right.url}`);
    // One check needs the sandbox that the application calls.
    expect(stdout.match(/^✓ /gm)).toHaveLength(checks.length - 1);
    const required = checks.filter(({ level }) => level === 'required').length - 1;
    const tally = `${required} of ${required} required checks, ${checks.length - 1} of ${checks.length - 1} checks passed (1 skipped).`;
    expect(stdout.endsWith(`\nCertified: ${tally}\n`)).toBe(true);
  });

  it('ends with 1 when a required check failed, names it, and writes JUnit beside the text', async () => {
    const file = join(folder, 'certify.xml');
    const { code, stdout, stderr } = await certify(careless, ...few, '--junit', file);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ Rejects a signature that belongs to another body');
    expect(stderr).toBe('messaging-sandbox: certify: 2 of 3 required checks passed; failed: other-body.\n');
    expect(readFileSync(file, 'utf8')).toContain('tests="3" failures="1"');
  });

  it('keeps stdout for JSON or JUnit', async () => {
    const { code, stdout, stderr } = await certify(right, '--json', ...few);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ url: right.url, certified: true, score: { passed: 3, total: 3 } });
    const junit = await certify(right, ...few, '--junit');
    expect(junit.stdout).toMatch(/^<\?xml [^]*tests="3" failures="0"[^]*<\/testsuites>\n$/);
  });

  it('waits while a proxy has no receiver yet, and takes any response of the receiver for one', async () => {
    const statuses = [503, 502, 501];
    const { port, received } = await plainReceiver((response) => response.writeHead(statuses.shift() ?? 204).end());
    const late = ['--secret', 'x', '--only', 'late-event', '--wait'];
    const { code } = await runHere(['certify', `http://127.0.0.1:${port}/hook`, ...late, '30s']);
    const seen = received.map(({ method }) => method);
    expect({ code, seen }).toStrictEqual({ code: 0, seen: ['GET', 'GET', 'GET', 'POST'] });
    const at = `http://127.0.0.1:${await freePort()}/hook`;
    const missed = await runHere(['certify', at, ...late, '1ms']);
    expect(missed.code).toBe(2);
    expect(missed.stderr).toContain(`${at} did not respond within 0.001 s: nothing listens there.`);
  });
});

describe('certify an application that calls a sandbox', () => {
  const only = ['--only', 'accepts-message-received,accepts-message-status'];

  /** Accepts everything, and replies to each message; it fails if the sandbox rejects the reply. */
  async function replier(key: string) {
    const sent: number[] = [];
    const server = createServer((request, response) => {
      void (async () => {
        const text = (await request.setEncoding('utf8').toArray()).join('');
        if (!text.includes('message.received')) return response.end();
        const { data } = JSON.parse(text) as { data: { from: string } };
        const { status } = await fetch(`${sandbox.url}/v1/messages`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ to: data.from, type: 'text', text: 'Thank you.' }),
        });
        sent.push(status);
        return response.writeHead(status < 300 ? 204 : 500).end();
      })();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing({
      close: async () => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      },
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, sent };
  }

  it('opens the windows of its customers, reports no status of what they get, and leaves no rule', async () => {
    const account = await connectSandbox({ url: sandbox.url, key: 'windows' });
    const receiver = await replier('windows');
    await account.webhooks.register(receiver.url.replace('http:', 'https:'));
    const { code, stderr } = await runHere(['certify', receiver.url, ...only], {
      MESSAGING_BASE_URL: sandbox.url,
      MESSAGING_API_KEY: 'windows',
    });
    expect({ code, stderr, sent: receiver.sent }).toStrictEqual({ code: 0, stderr: '', sent: [200, 200, 200, 200] });
    await account.idle();
    expect(await account.events()).toStrictEqual([]);
    expect(await account.rules.list()).toStrictEqual([]);
  });

  it('lets its calls fail and take long, and leaves no rule', async () => {
    const account = await connectSandbox({ url: sandbox.url, key: 'failing' });
    const receiver = await replier('failing');
    await account.webhooks.register(receiver.url.replace('http:', 'https:'));
    const args = ['--only', 'own-failure,answers-promptly', '--url', sandbox.url, '--key', 'failing'];
    const { code, stdout } = await runHere(['certify', receiver.url, ...args]);
    expect({ code, sent: receiver.sent }).toStrictEqual({ code: 0, sent: [500, 200, 200] });
    expect(stdout).toContain('✓ Handles an event on the second attempt if the first failed');
    expect(stdout).toContain('! Responds within a fifth of the time limit (recommended)');
    expect(stdout).toContain('while each of its calls took 2500 ms: it waits for its work');
    expect(await account.rules.list()).toStrictEqual([]);
  });

  it('names what is registered, and where', async () => {
    const account = await connectSandbox({ url: sandbox.url, key: 'others' });
    const args = ['certify', 'http://127.0.0.1:9/hook', '--url', sandbox.url, '--key', 'others'];
    const none = await runHere(args);
    expect(none.stderr).toContain(
      `https://127.0.0.1:9/hook is not registered at ${sandbox.url} with the key others; found: no endpoint. Register this one`,
    );
    await account.webhooks.register('https://a.test/hook');
    await account.webhooks.register('https://b.test/hook');
    const several = await runHere(args);
    expect([none.code, several.code]).toStrictEqual([2, 2]);
    expect(several.stderr).toContain('found: https://a.test/hook, https://b.test/hook. Give one of these URLs');
  });
});

describe('a wrong command line ends with 2, and sends nothing', () => {
  it.each<string[]>([
    ['', 'Missing argument "receiver"'],
    ['ftp://localhost/ --secret x', 'Invalid value "ftp://localhost/" for the receiver', 'http://localhost'],
    ["URL --secret ''", '--secret is empty'],
    ['URL --secret x --key shop', "'--secret <SECRET>' cannot be used with option '--key <KEY>'"],
    ['URL --secret x --wait soon', 'Invalid value "soon" for --wait', '10s'],
    ['URL --secret x --only disordr', 'unknown check "disordr". Did you mean "disorder"?'],
    ['URL --secret x --only everything-else', 'Checks: accepts-message-received'],
    ['URL --secret x --json --junit -', 'both write to stdout'],
    ['URL --secret x --observe ftp://localhost/', 'Invalid value "ftp://localhost/" for --observe', 'URL of a server'],
    ['URL --secret x --observe http://127.0.0.1:1/', '--observe:', 'http://127.0.0.1:1/ could not be read: '],
    ['http://127.0.0.1:9/hook --secret x', 'the receiver cannot be reached', 'refused the connection'],
  ])('%s', async (line, ...parts) => {
    const before = right.visits.length;
    const words = (line.replace('URL', right.url).match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/'/g, ''));
    const { code, stderr } = await runHere(['certify', ...words]);
    expect(code).toBe(2);
    for (const part of parts) expect(stderr).toContain(part);
    expect(right.visits.length).toBe(before);
  });

  it('tells that there is neither a secret nor a sandbox', () =>
    expectRejected('certify http://127.0.0.1:9/hook --url nowhere', ['Invalid value "nowhere" for --url']));
});
