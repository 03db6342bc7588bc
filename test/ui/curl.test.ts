import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Call, curlOf, quoted } from '../../src/ui/page/core/curl.js';

/** Returns how a shell splits the line: the arguments of curl. */
function wordsOf(line: string): string[] {
  const shown = execFileSync('sh', ['-c', `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/root' },
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

  it('puts the key where it was redacted, scheme kept, and leaves out other secrets', () => {
    const line = curlOf(call({ headers: { authorization: 'Bearer test***', 'x-api-key': '***' } }), site);
    expect(wordsOf(line)).toStrictEqual(['http://127.0.0.1:4242/v1/templates', '-H', "authorization: Bearer k'1"]);
  });

  it('reads no variable out of what a stranger sent', () => {
    const headers = { 'x-`id`': 'hi', 'x-note': '$HOME', authorization: '$(id)' };
    expect(wordsOf(curlOf(call({ headers }), site)).filter((word) => word !== '-H')).toStrictEqual([
      'http://127.0.0.1:4242/v1/templates',
      'x-`id`: hi',
      'x-note: $HOME',
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
