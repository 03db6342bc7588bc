/** Captures of each kind, as their tools write them, and the commands that read them. */
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defaultDialect } from '../src/dialect/index.js';
import { CaptureError, readCapture } from '../src/parity/capture.js';
import { isWord } from '../src/parity/values.js';
import { run } from '../src/cli/program.js';
import { record } from './support/parity-traffic.js';
import { startTestSandbox } from './support/sandbox.js';
import { strange } from './support/strange-dialect.js';

const read = (text: string | Buffer, name = 'a') => readCapture([{ name, bytes: Buffer.from(text) }]);
const body = '{"event":"otp.verified"}';

describe('a capture', () => {
  it('is an archive, with bodies as text, in base64, or still compressed, below any base URL', () => {
    const response = (content: object) => ({
      status: 200,
      headers: [{ name: 'content-encoding', value: 'gzip' }],
      content,
    });
    const entry = (url: string, content: object) => ({
      startedDateTime: '2026-03-01T09:00:00.000+01:00',
      request: { method: 'GET', url, headers: [{ name: 'AUTHORIZATION', value: 'Bearer a' }] },
      response: response(content),
    });
    const bytes = Buffer.from('{"a":1}');
    const entries = [
      entry('https://api.example.com/v1/templates?page=1', { text: '{"a":1}' }),
      entry('http://10.0.0.1:8080/eu/tenant/v1/templates', { text: bytes.toString('base64'), encoding: 'base64' }),
      entry('https://api.example.com/v1/templates/7', { text: gzipSync(bytes).toString('base64'), encoding: 'base64' }),
      entry('https://api.example.com/assets/app.js', { text: '' }),
      { ...entry('https://api.example.com/v1/webhooks', {}), response: { status: 0 } },
      {
        request: {
          method: 'POST',
          url: 'https://me.example.com/hook',
          headers: [{ name: 'x-service-signature', value: 's' }],
          postData: { text: body },
        },
      },
    ];
    const { calls, events } = read(JSON.stringify({ log: { entries } }));
    expect(calls.map(({ path, response: found, account }) => [path, found, account])).toEqual([
      ['/v1/templates', { a: 1 }, 'Bearer a'],
      ['/v1/templates', { a: 1 }, 'Bearer a'],
      ['/v1/templates/7', { a: 1 }, 'Bearer a'],
    ]);
    expect(events).toMatchObject([{ place: 'a#6', raw: body }]);
    expect(read(gzipSync(JSON.stringify({ log: { entries } }))).calls).toHaveLength(3);
  });

  it('is a webhook as a raw request, with and without its first line, or NDJSON', () => {
    const headers = { 'x-service-signature': 's', 'x-topic': 'b' };
    const lines = 'X-Service-Signature: s\r\nX-Topic: b\r\n\r\n';
    for (const text of [lines + body, `POST /hook HTTP/1.1\r\n${lines}${body}`, lines.replaceAll('\r', '') + body])
      expect(read(text).events).toMatchObject([{ headers, raw: body, body: { event: 'otp.verified' } }]);
    const rows = [
      { headers, body },
      { headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body: JSON.parse(body) as object },
      { headers, body: Buffer.from(body).toString('base64'), encoding: 'base64' },
    ];
    expect(read(rows.map((row) => JSON.stringify(row)).join('\n')).events).toMatchObject(
      [1, 2, 3].map(() => ({ headers, raw: body })),
    );
  });

  it('is what a proxy of your own writes: a call or a webhook in each line', () => {
    const sent = Buffer.from('{"to":"+12025550101"}');
    const line = (headers: object, url: string, response?: object) =>
      JSON.stringify({
        at: 1_772_352_000_000,
        request: { method: 'POST', url, headers, body: gzipSync(sent).toString('base64'), encoding: 'base64' },
        ...(response && { response }),
      });
    const answer = { status: 200, headers: { 'Content-Type': 'application/json' }, body: { message_id: 'm' } };
    const { calls, events } = read(
      [
        line({ Authorization: 'Bearer a', 'Content-Encoding': 'gzip' }, '/eu/v1/messages', answer),
        line({ Authorization: 'Bearer a' }, 'https://api.example.com/v1/messages', { ...answer, body: '{"a":1}' }),
        line({ 'X-Service-Signature': 's' }, '/hook'),
      ].join('\n'),
    );
    expect(calls).toMatchObject([
      { place: 'a#1', atMs: 1_772_352_000_000, path: '/v1/messages', body: { to: '+12025550101' } },
      { place: 'a#2', response: { a: 1 } },
    ]);
    expect(calls[0]?.response).toEqual({ message_id: 'm' });
    expect(events).toMatchObject([{ place: 'a#3', raw: sent.toString() }]);
  });

  it('has an account for each key; where a browser left the keys out, one for each archive', () => {
    const entry = (status: number, authorization?: string) => ({
      _resourceType: 'fetch',
      startedDateTime: '2026-03-01T09:00:00.000Z',
      request: {
        method: 'GET',
        url: 'https://api.example.com/v1/templates',
        headers: [
          { name: 'X-Internal-Token', value: 'secret' },
          ...(authorization === undefined ? [] : [{ name: 'authorization', value: authorization }]),
        ],
      },
      response: { status, headers: [], content: { text: '{}' }, _error: null },
    });
    const accounts = (...archives: object[][]) =>
      readCapture(
        archives.map((entries, index) => ({
          name: `${index}.har`,
          bytes: Buffer.from(JSON.stringify({ log: { entries } })),
        })),
      ).calls.map(({ account }) => account);
    expect(accounts([entry(200, 'Bearer a'), entry(200, 'Bearer b'), entry(401)])).toEqual([
      'Bearer a',
      'Bearer b',
      '',
    ]);
    expect(accounts([entry(200), entry(401)], [entry(200)])).toEqual(['0.har', '0.har', '1.har']);
  });

  it('has ids that no word of a program is mistaken for', () => {
    const words = [
      'validation_error',
      'AUTH_FAILED',
      'otpExpired',
      'TemplateExists',
      'OTPExpired',
      'send.failed',
      'TOO-MANY',
    ];
    expect(words.filter((word) => !isWord(word))).toEqual([]);
    // Made by chance, without a digit.
    const ids = ['evt_cBWjOUdUzRNVzTogkCKQPxvA', 'whsec_rbVAsxFuoQzZWfXImBxEaGofkkUEJhwd', 'qRVWoCqq', 'Ab1', ''];
    expect(ids.filter(isWord)).toEqual([]);
  });

  const good = {
    request: { method: 'GET', url: 'https://a.example/v1/templates', headers: [] },
    response: { status: 200, content: { text: '{}' } },
  };
  const odd: readonly (readonly [entry: unknown, why: string])[] = [
    ...[null, 5, 'x', [1], true].map((entry) => [entry, 'the entry must be an object; found '] as const),
    [{ response: {} }, 'the entry has no request'],
    ...[null, 'x', 5, []].map((request) => [{ ...good, request }, 'request must be an object; found '] as const),
    ...[null, 5, 'x'].flatMap((headers) => [
      [
        { ...good, request: { ...good.request, headers } },
        'request.headers must be an object, or an array of',
      ] as const,
      [{ ...good, response: { status: 200, headers } }, 'response.headers must be an object, or an array of'] as const,
      [{ headers, body: '{}' }, 'headers must be an object, or an array of {name, value}; found '] as const,
    ]),
    ...[null, 5, 'x', ['a', 'b']].map(
      (each) => [{ headers: [each], body: '{}' }, 'headers[0] must be an object; found '] as const,
    ),
    [{ headers: [{ value: 'x' }], body: '' }, 'headers[0].name must be a text; found nothing'],
    [{ headers: [{ name: 'a', value: null }], body: '' }, 'headers: a must be a text; found null'],
    [{ headers: { a: {} }, body: '' }, 'headers: a must be a text; found an object'],
    ...[undefined, null, 5].map(
      (url) => [{ ...good, request: { ...good.request, url } }, 'request.url must be a text; found '] as const,
    ),
    ...['', 'http://[/v1/templates', 'http://a:99999/v1/templates'].map(
      (url) => [{ ...good, request: { ...good.request, url } }, 'request.url must be a URL; found '] as const,
    ),
    [{ ...good, request: { ...good.request, url: '/v1/templates/%E0%A4' } }, 'request.url must be a URL in UTF-8'],
    [{ ...good, request: { ...good.request, method: 5 } }, 'request.method must be a text; found 5'],
    [{ ...good, request: { ...good.request, method: 'G T' } }, 'request.method must be one of GET, '],
    ...[5, 'x', []].map(
      (postData) =>
        [{ ...good, request: { ...good.request, postData } }, 'request.postData must be an object; found '] as const,
    ),
    [{ ...good, request: { ...good.request, postData: { text: 5 } } }, 'request.postData.text must be a text; found 5'],
    ...[5, 'x', []].map((response) => [{ ...good, response }, 'response must be an object; found '] as const),
    ...[undefined, null, {}, { status: 0 }].map(
      (response) => [{ ...good, response }, 'the call has no response'] as const,
    ),
    ...[-1, 1.5, 1000, '200', [], true].map(
      (status) =>
        [{ ...good, response: { status } }, 'response.status must be a number from 100 to 599; found '] as const,
    ),
    [{ ...good, response: { status: 200, content: 'x' } }, 'response.content must be an object; found "x"'],
    ...['hex', 'BASE32'].map(
      (encoding) =>
        [
          { headers: {}, body: 'x', encoding },
          'encoding of body must be "base64", or be left out for text; found ',
        ] as const,
    ),
    [{ headers: {}, body: 'x', encoding: 5 }, 'encoding of body must be a text; found 5'],
    [{ headers: {}, body: '{}', encoding: 'base64' }, 'body must be base64; found "{}"'],
    [
      { ...good, response: { status: 200, content: { text: 'x', encoding: 'hex' } } },
      'encoding of response.content.text must be "base64"',
    ],
  ];

  it.each(odd)('names an entry that cannot be read, here %j, and reads the others', (entry, why) => {
    const inArchive = read(JSON.stringify({ log: { entries: [good, entry, good] } }));
    const inLines = read([good, '', entry, good].map((each) => (each === '' ? '' : JSON.stringify(each))).join('\n'));
    for (const [{ calls, skipped }, place] of [
      [inArchive, 'a#2'],
      [inLines, 'a#3'],
    ] as const) {
      expect(calls).toHaveLength(2);
      expect(skipped).toEqual([{ place, why: expect.stringContaining(why) as string }]);
    }
  });

  it('takes what tools leave out or write as null for absent, and header values that are numbers or lists', () => {
    const entries = [
      {
        ...good,
        request: { ...good.request, headers: undefined, postData: null },
        response: { status: 204, content: null },
      },
      { ...good, request: { ...good.request, headers: { a: 1, b: ['x', 'y'] }, body: null } },
      { ...good, startedDateTime: 'never', at: null, request: { ...good.request, url: 'https://a.example/logo.png' } },
      { ...good, startedDateTime: 1e300 },
    ];
    const { calls, skipped } = read(JSON.stringify({ log: { entries } }));
    expect(skipped).toEqual([]);
    expect(calls.map(({ atMs }) => atMs)).toEqual([null, null, null]);
    const [event] = read(JSON.stringify({ headers: { a: 1, b: ['x', 'y'] }, body: null })).events;
    expect(event).toMatchObject({ headers: { a: '1', b: 'x, y' }, raw: '' });
  });

  it('names the lines of NDJSON that are not JSON, and an archive that was cut off', () => {
    const line = JSON.stringify({ headers: {}, body });
    expect(() => read(`${line}\n\n{"headers": \n${line}\nx`, 'x.ndjson')).toThrow(
      /^x\.ndjson has lines that are not JSON: 3, 5\. .*Repair these lines, or remove them\.$/,
    );
    expect(() => read('{"log": {"entries": [', 'x.har')).toThrow(
      /It begins as JSON and is none; it may have been cut off/,
    );
  });

  it.each(['', 'nothing here', '{}', '[1]', '{"log": {}}'])('is not %j, and says what is', (text) => {
    expect(() => read(text, 'x.har')).toThrow(CaptureError);
    expect(() => read(text, 'x.har')).toThrow(/^x\.har is neither an HTTP Archive/);
  });
});

describe('the commands', () => {
  async function recorded() {
    const folder = await mkdtemp(join(tmpdir(), 'parity-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const sandbox = await startTestSandbox({ dialect: strange });
    const { har, hooks } = await record(sandbox);
    await sandbox.close();
    const path = (name: string) => join(folder, name);
    await writeFile(path('calls.har'), har);
    await writeFile(path('hooks.ndjson'), hooks);
    return path;
  }

  it('learn, compare and check say by their exit code what was found', async () => {
    const path = await recorded();
    const files = [path('calls.har'), path('hooks.ndjson')];
    expect(await run(['dialect', 'learn', ...files, '-o', path('d.yaml')])).toBe(0);
    expect(await run(['dialect', 'check', path('d.yaml')])).toBe(0);
    expect(await run(['dialect', 'compare', ...files, '--dialect', path('d.yaml')])).toBe(0);
    expect(await run(['dialect', 'compare', path('hooks.ndjson'), '--json'])).toBe(1);
    expect(await run(['dialect', 'compare', ...files, '--secret', 'whsec_other'])).toBe(1);
    expect(await run(['dialect', 'compare', path('none.har')])).toBe(2);
    await writeFile(path('bad.yaml'), 'errors.shape: { code: "{cod}" }');
    expect(await run(['dialect', 'check', path('bad.yaml')])).toBe(2);
    expect(await run(['dialect', 'compare', ...files, '--dialect', path('bad.yaml')])).toBe(2);
    expect(await readFile(path('d.yaml'), 'utf8')).toMatch(/^# Learnt from recorded traffic/);
  });

  it('learn refuses a target that it cannot write, before the work, and a capture of which it can read nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parity-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => said.mockRestore());
    const words = async (...args: string[]) => {
      said.mockClear();
      expect(await run(['dialect', ...args])).toBe(2);
      return said.mock.calls.map(([text]) => String(text)).join('');
    };
    // No capture is read: each of these is the first fault.
    expect(await words('learn', 'none.har', '-o', join(folder, 'no', 'x.yaml'))).toMatch(/there is no folder .*\/no\./);
    expect(await words('learn', 'none.har', '-o', folder)).toMatch(/it is a folder\. Name a file for --output\./);
    expect(await words('learn', 'none.har', '-o', '')).toMatch(/it is empty\. Name a file/);
    const file = join(folder, 'a.har');
    await writeFile(file, '{"log":{"entries":[null]}}');
    for (const command of [['learn', '-o', join(folder, 'x.yaml')], ['compare']])
      expect(await words(...command, file)).toMatch(
        /no call of the API.*\na\.har#1: the entry must be an object; found null/,
      );
    await writeFile(file, '{"request":null,"response":null}');
    expect(await words('compare', file)).toMatch(/a\.har#1: request must be an object; found null/);
    const none = join(folder, 'none.yaml');
    for (const args of [
      ['check', none],
      ['compare', file, '--dialect', none],
    ])
      expect(await words(...args)).toMatch(
        /cannot read ".*none\.yaml": it does not exist \(ENOENT.*Expected the path of a YAML file/,
      );
    expect(await words('check', folder)).toMatch(/it is a folder \(EISDIR.*Expected the path of a YAML file/);
  });

  it('reads what its own archive has, with several accounts, and verifies signatures', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parity-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const sandbox = await startTestSandbox({ dialect: defaultDialect });
    const call = (key: string, way: string, sent?: object) =>
      fetch(sandbox.url + way, {
        method: sent ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(sent && { body: JSON.stringify(sent) }),
      }).then((response) => response.text());
    const archives = await Promise.all(
      ['one', 'two'].map(async (key) => {
        await call(key, '/v1/templates', { name: 'same_name', category: 'utility', language: 'en', body: 'A' });
        await call(key, '/v1/templates');
        return call(key, '/_sandbox/record?format=har');
      }),
    );
    await sandbox.close();
    const files = archives.map((_, index) => join(folder, `${index}.har`));
    await Promise.all(archives.map((text, index) => writeFile(files[index]!, text)));
    expect(await run(['dialect', 'compare', ...files])).toBe(0);
    const signature = `sha256=${createHmac('sha256', 'whsec_a').update(body).digest('hex')}`;
    const hook = join(folder, 'hook.txt');
    await writeFile(hook, `X-Service-Signature: ${signature}\n\n${body}`);
    expect(await run(['dialect', 'learn', hook, '--secret', 'whsec_a', '-o', join(folder, 'd.yaml')])).not.toBe(2);
  });
});
