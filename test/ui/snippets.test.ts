import { execFile, execFileSync } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../support/package.js';
import { curlOf, pythonOf, quoted, typeScriptOf, type Call, type Site } from '../../src/ui/page/core/snippets.js';

/** Returns how a shell splits the line: the arguments of curl. */
function wordsOf(line: string, variables: Record<string, string> = {}): string[] {
  const shown = execFileSync('sh', ['-c', `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`], {
    env: { PATH: process.env['PATH'] ?? '', ...variables },
    encoding: 'utf8',
  });
  return shown.split('\0').slice(0, -1);
}

const site = { origin: 'http://127.0.0.1:4242', key: "k'1" };

const call = (fields: Partial<Call> = {}): Call => ({
  method: 'GET',
  path: '/v1/templates',
  headers: {},
  body: null,
  ...fields,
});

describe('a call as a line for the shell', () => {
  it.each([
    "it's",
    '$HOME `id` $(id)',
    'a\nb',
    'back\\slash',
    '"double"',
    "'; touch /tmp/x; '",
    '!!',
    'ünïcødé 🦊',
    '',
    '-o x',
  ])('keeps %j as it is', (text) => {
    expect(wordsOf(curlOf(call({ method: 'POST', headers: { 'content-type': 'x' }, body: text }), site)).at(-1)).toBe(
      text,
    );
    expect(wordsOf(`curl ${quoted(text)}`)).toStrictEqual([text]);
  });

  it('leaves what is harmless bare, so that it reads well', () => {
    expect(curlOf(call(), site)).toBe('curl http://127.0.0.1:4242/v1/templates');
  });

  it('puts the key where it was redacted, scheme kept, and variables for other secrets', () => {
    const line = curlOf(call({ headers: { authorization: 'Bearer test***', 'x-api-key': '***' } }), site);
    expect(wordsOf(line, { X_API_KEY: 'other' })).toStrictEqual([
      'http://127.0.0.1:4242/v1/templates',
      '-H',
      "authorization: Bearer k'1",
      '-H',
      'x-api-key: other',
    ]);
  });

  it('reads no variable out of what a stranger sent', () => {
    const headers = { 'x-`id`': 'hi***', 'x-note': '$HOME***', authorization: '$(id)' };
    expect(wordsOf(curlOf(call({ headers }), site), { HOME: '/root' }).filter((word) => word !== '-H')).toStrictEqual([
      'http://127.0.0.1:4242/v1/templates',
      'x-`id`: hi***',
      'x-note: $HOME***',
      'authorization: $(id)',
    ]);
  });

  it('leaves out what curl says by itself, and says what it would not', () => {
    const headers = { host: 'a', 'content-length': '2', connection: 'close', 'accept-encoding': 'br', empty: '' };
    expect(wordsOf(curlOf(call({ method: 'PUT', headers, body: '{}' }), site))).toStrictEqual([
      '-X',
      'PUT',
      'http://127.0.0.1:4242/v1/templates',
      '-H',
      'empty;',
      '-H',
      'content-type:',
      '--data-raw',
      '{}',
    ]);
  });

  it.each([
    ['/v1/x?a[]=1', '--globoff'],
    ['/v1/../x', '--path-as-is'],
  ])('means %s as it stands', (path, option) => {
    expect(wordsOf(curlOf(call({ path }), site))).toStrictEqual([option, site.origin + path]);
  });

  it('asks for the head where that was asked', () => {
    expect(wordsOf(curlOf(call({ method: 'HEAD' }), site))).toStrictEqual([
      '--head',
      'http://127.0.0.1:4242/v1/templates',
    ]);
  });
});

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const runs = {
  curl: (call: Call, to: Site) => ['sh', '-c', curlOf(call, to)],
  TypeScript: (call: Call, to: Site) => [process.execPath, '--input-type=module', '-e', typeScriptOf(call, to)],
  Python: (call: Call, to: Site) => ['python3', '-c', pythonOf(call, to)],
} as const;

const languages = Object.keys(runs) as (keyof typeof runs)[];
const hasPython = await has('python3', '--version');
if (!hasPython) process.stderr.write('NOT RUN: calls in Python, because there is no python3\n');

describe.each(languages.filter((each) => hasPython || each !== 'Python'))('a call in %s, run as pasted', (language) => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      response.writeHead(400).end('{"error":"no"}');
    });
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => new Promise((done) => server.close(done)));

  const run = async (fields: Partial<Call>) => {
    const { port } = server.address() as AddressInfo;
    const to = { origin: `http://127.0.0.1:${port}`, key: "клю'ч" };
    const wanted = call({ method: 'POST', path: '/v1/messages?a=b%20c', ...fields });
    const [file = '', ...args] = runs[language](wanted, to);
    const { stdout } = await promisify(execFile)(file, args, { env: { ...process.env, X_API_KEY: 'secret' } });
    return { stdout, ...received.at(-1) };
  };
  const authorized = { authorization: 'Bearer wor***', 'content-type': 'application/json' };

  it.each([
    {
      to: "it's",
      text: '"$HOME" `id` \\ \n \u2028 \u0000 🦊 ünï </script> ${x} %s {x}',
      flags: [true, false, null, 'true', -1.5],
    },
    [],
    'null',
    JSON.parse('{"__proto__":{"a":1}}') as unknown,
  ])('sends %j with the key of the account', async (body) => {
    const { method, url, headers, body: sent, stdout } = await run({ headers: authorized, body: JSON.stringify(body) });
    expect([method, url]).toStrictEqual(['POST', '/v1/messages?a=b%20c']);
    expect(JSON.parse(sent ?? '')).toStrictEqual(body);
    expect(Buffer.from(headers?.authorization ?? '', 'latin1').toString()).toBe("Bearer клю'ч");
    expect(headers?.['content-type']).toBe('application/json');
    expect(stdout).toContain('{"error":"no"}');
  });

  it.each(['{"to": broken', '{"a": 1, "a": 2}', '12345678901234567890', "it's é 🦊\n"])(
    'sends %j byte for byte, without a content type of its own',
    async (body) => {
      const { headers, body: sent } = await run({ body });
      expect(sent).toBe(body);
      expect(headers?.['content-type']).toBeUndefined();
    },
  );

  it('sends no body where there is none, and takes other secrets from the environment', async () => {
    const { method, headers, body } = await run({
      method: 'DELETE',
      headers: { 'x-api-key': '***', origin: 'http://x' },
    });
    expect([method, body, headers?.['x-api-key'], headers?.origin]).toStrictEqual(['DELETE', '', 'secret', undefined]);
  });
});
