/** `certify` for an application: in a running sandbox, started by the command, or not running yet. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectSandbox } from '../../src/client/client.js';
import type { Sandbox } from '../../src/sandbox.js';
import { expectRejected, runHere } from '../support/cli-here.js';
import { freePort } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';

let sandbox: Sandbox;
let url: string;
let folder: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  url = `http://127.0.0.1:${sandbox.port}`;
  folder = mkdtempSync(join(tmpdir(), 'certify-app-'));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

/**
 * Registers itself, or uses the secret of the environment, and replies to each message through the API before it
 * responds: with 500 if the sandbox rejects the reply.
 */
const code = (registers: boolean) => `
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, MESSAGING_WEBHOOK_SECRET: given, APP_PORT } = process.env;
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
const call = (path, body) => fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
const ids = new Set();
let secret = given;
async function statusOf(raw, header) {
  const [own, sent] = ['sha256=' + createHmac('sha256', secret).update(raw).digest('hex'), header].map((s) => Buffer.from(s));
  if (own.length !== sent.length || !timingSafeEqual(own, sent)) return 401;
  try {
    const { id, type, data } = JSON.parse(raw);
    if (type === 'message.received' && !ids.has(id)) {
      const answer = await call('/v1/messages', { to: data.from, type: 'text', text: 'Thank you.' });
      if (!answer.ok) return 500;
    }
    ids.add(id);
    return 204;
  } catch {
    return 400;
  }
}
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify({ received: ids.size }));
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  response.writeHead(await statusOf(Buffer.concat(chunks), request.headers['x-service-signature'] ?? '')).end();
});
server.listen(Number(APP_PORT), '127.0.0.1', async () => {
  const body = { url: 'https://127.0.0.1:' + APP_PORT + '/hook', events: ['message.received', 'message.status'] };
  if (${String(registers)}) ({ secret } = await (await call('/v1/webhooks', body)).json());
});
`;

function app(name: string, registers: boolean): string {
  const path = join(folder, name);
  writeFileSync(path, code(registers));
  return `"${process.execPath}" "${path}"`;
}

describe('--app', () => {
  it.each([
    ['that registers its endpoint', 'registers.mjs', true],
    ['that takes the secret from its environment', 'given.mjs', false],
  ])('starts an application %s and replies, and stops it', async (_what, name, registers) => {
    const port = await freePort();
    const at = `http://127.0.0.1:${port}`;
    const { code, stdout, stderr } = await runHere(
      ['certify', `${at}/hook`, '--app', app(name, registers), '--observe', `${at}/received`],
      { APP_PORT: String(port) },
    );
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\nCertified: (\d+) of \1 required checks, (\d+) of \2 checks passed\.\n$/);
    await expect(fetch(at)).rejects.toThrow('fetch failed');
  });

  it('says how an application ended that did not come up', async () => {
    const at = `http://127.0.0.1:${await freePort()}/hook`;
    const { code, stdout, stderr } = await runHere(['certify', at, '--app', 'echo no database; exit 3']);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `no database\nmessaging-sandbox: certify: The application ended with 3 before ${at} responded.\n`,
    );
  });

  it('certifies no other program that listens there', async () => {
    const { port, close } = await serve((response) => response.end());
    const { code, stderr } = await runHere(['certify', `http://127.0.0.1:${port}`, '--app', 'npm start']);
    expect(code).toBe(2);
    expect(stderr).toContain('responds before --app has started anything. Stop it, or leave out --app.');
    await close();
  });
});

type Respond = (response: { writeHead(status: number): unknown; end(): unknown }, method: string) => void;

async function serve(respond: Respond): Promise<{ port: number; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    request.resume().once('end', () => respond(response, request.method ?? ''));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

describe('--secret-from', () => {
  const only = ['--only', 'accepts-message-received,accepts-message-status'];

  /** Accepts everything, and replies to each message. */
  async function replier(key: string): Promise<{ url: string; sent: number[]; close: () => Promise<void> }> {
    const sent: number[] = [];
    const server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString();
        if (!text.includes('message.received')) return response.end();
        const { data } = JSON.parse(text) as { data: { from: string } };
        const { status } = await fetch(`${url}/v1/messages`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ to: data.from, type: 'text', text: 'Thank you.' }),
        });
        sent.push(status);
        return response.writeHead(status < 300 ? 204 : 500).end();
      })();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, sent, close };
  }

  it('opens the windows of its customers, reports no status of what they get, and leaves no rule', async () => {
    const account = await connectSandbox({ url, key: 'windows' });
    const receiver = await replier('windows');
    await account.webhooks.register(receiver.url.replace('http:', 'https:'));
    const run = ['certify', receiver.url, '--secret-from', url, '--key', 'windows', ...only];
    const { code, stderr } = await runHere(run);
    expect({ code, stderr, sent: receiver.sent }).toStrictEqual({ code: 0, stderr: '', sent: [200, 200, 200, 200] });
    await account.idle();
    expect(await account.events()).toStrictEqual([]);
    expect(await account.rules.list()).toStrictEqual([]);
    await receiver.close();
  });

  it('explains what closed windows do to an application that replies', async () => {
    const receiver = await replier('closed');
    const { code, stdout } = await runHere(['certify', receiver.url, '--secret', 'whsec_x', ...only]);
    expect({ code, sent: receiver.sent }).toStrictEqual({ code: 1, sent: [400, 400, 400, 400] });
    expect(stdout).toContain('their windows are closed: add --secret-from');
    await receiver.close();
  });

  it('names what is registered, and where', async () => {
    const account = await connectSandbox({ url, key: 'others' });
    const args = ['certify', 'http://127.0.0.1:9/hook', '--secret-from', url, '--key', 'others'];
    const none = await runHere(args);
    expect(none.stderr).toContain(
      `https://127.0.0.1:9/hook is not registered at ${url} with the key others; found: no endpoint. Register this one`,
    );
    await account.webhooks.register('https://a.test/hook');
    await account.webhooks.register('https://b.test/hook');
    const several = await runHere(args);
    expect([none.code, several.code]).toStrictEqual([2, 2]);
    expect(several.stderr).toContain('found: https://a.test/hook, https://b.test/hook. Give one of these URLs');
  });

  it.each([
    ['--secret-from http://127.0.0.1:9', '--secret-from: No server is listening at http://127.0.0.1:9.'],
    ['--secret-from nowhere', 'Invalid value "nowhere" for --secret-from.'],
    ['--secret-from http://127.0.0.1:9 --secret x', 'Leave out one of them'],
    ['--secret x --key shop', '--key belongs to --secret-from'],
    ["--app ''", '--app is empty'],
    ['--secret x --wait soon', 'Invalid value "soon" for --wait'],
  ])('ends with 2: %s', (line, words) => expectRejected(`certify http://127.0.0.1:9/hook ${line}`, [words]));
});

describe('--wait', () => {
  const late = ['--secret', 'x', '--only', 'late-event', '--wait'];

  it('waits while a proxy has no receiver yet, and takes any response of the receiver for one', async () => {
    const statuses = [503, 502, 501];
    const seen: string[] = [];
    const { port, close } = await serve((response, method) => {
      seen.push(method);
      response.writeHead(statuses.shift() ?? 204);
      response.end();
    });
    const { code } = await runHere(['certify', `http://127.0.0.1:${port}/hook`, ...late, '30s']);
    expect({ code, seen }).toStrictEqual({ code: 0, seen: ['GET', 'GET', 'GET', 'POST'] });
    await close();
  });

  it('reaches a plain HTTP server under its https:// URL', async () => {
    const { port, close } = await serve((response) => response.end());
    const { code } = await runHere(['certify', `https://127.0.0.1:${port}/hook`, ...late, '30s']);
    expect(code).toBe(0);
    await close();
  });

  it('says what it found when the time is over', async () => {
    const at = `http://127.0.0.1:${await freePort()}/hook`;
    const { code, stderr } = await runHere(['certify', at, ...late, '1ms']);
    expect(code).toBe(2);
    expect(stderr).toContain(`${at} did not respond within 0.001 s: nothing listens there.`);
  });
});
