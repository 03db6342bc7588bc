/** Captures of each kind, as their tools write them, and the commands that read them. */
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
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
