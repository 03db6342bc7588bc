/** Who is let in and what cannot be done (contract §9). */
import { mkdtemp, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../src/sandbox.js';
import { newWorld, World, type Control } from './support/client.js';
import { rawRequest, sendRaw, type RawAnswer } from './support/raw-http.js';
import { startTestSandbox } from './support/sandbox.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });
});
afterAll(() => sandbox.close());

const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { error: { code: string } }).error.code;
const json = ['Content-Type', 'application/json'] as const;
const key = ['Authorization', 'Bearer security'] as const;

describe('the Host header', () => {
  const call = (host: string, path = '/_sandbox/clock') => rawRequest(sandbox.url, 'GET', path, [['Host', host]]);

  it.each([
    '127.0.0.1',
    '127.0.0.1:4242',
    '[::1]:4242',
    '10.1.2.3',
    '203.0.113.9:80',
    'localhost',
    'LOCALHOST:4242',
    'sandbox',
    'sandbox:4242',
    'app.localhost',
    'my.service.test',
    'printer.local:80',
    'host.docker.internal:4242',
  ])('%s is let in', async (host) => {
    expect((await call(host)).status).toBe(200);
  });

  it.each([
    'attacker.example',
    'attacker.example:4242',
    '127.0.0.1.attacker.example',
    'localhost.attacker.example',
    'test.attacker.example',
    'attackerlocal.com',
    'attacker.example.',
    'localhost@attacker.example',
    'a b',
    'a/b.example',
    'attacker.example@localhost',
    'localhost#attacker.example',
    'localhost\\attacker.example',
    '',
  ])('%j is refused, on both planes and the page, before anything else', async (host) => {
    for (const path of ['/_sandbox/clock', '/v1/templates', '/metrics', '/']) {
      const answer = await call(host, path);
      expect([answer.status, codeOf(answer)], path).toEqual([403, 'forbidden']);
    }
  });

  it('is refused again after one that was let in, and the other way round', async () => {
    const statuses: number[] = [];
    for (const host of ['localhost', 'evil.example', 'evil.example', 'localhost']) {
      statuses.push((await call(host)).status);
    }
    expect(statuses).toEqual([200, 403, 403, 200]);
  });

  it('missing or given twice is no way around', async () => {
    const missing = await sendRaw(sandbox.url, 'GET /_sandbox/clock HTTP/1.0\r\n\r\n');
    expect(missing.status).toBe(403);
    const twice = await rawRequest(sandbox.url, 'GET', '/_sandbox/clock', [
      ['Host', 'evil.example'],
      ['Host', 'localhost'],
    ]);
    expect(twice.status).toBeGreaterThanOrEqual(400);
  });

  it('in the request line, or forwarded, does not count', async () => {
    const absolute = await rawRequest(sandbox.url, 'GET', 'http://localhost/_sandbox/clock', [
      ['Host', 'evil.example'],
    ]);
    expect(absolute.status).toBeGreaterThanOrEqual(400);
    const forwarded = await rawRequest(sandbox.url, 'GET', '/_sandbox/clock', [
      ['Host', 'evil.example'],
      ['X-Forwarded-Host', 'localhost'],
      ['Forwarded', 'host=localhost'],
    ]);
    expect(forwarded.status).toBe(403);
  });

  it('may be one that was allowed at start, and no other name under it', async () => {
    const open = await startTestSandbox({ allowedHosts: ['sandbox.example'] });
    try {
      const statusFor = async (host: string) =>
        (await rawRequest(open.url, 'GET', '/_sandbox/clock', [['Host', host]])).status;
      expect(await statusFor('sandbox.example:4242')).toBe(200);
      expect(await statusFor('Sandbox.Example')).toBe(200);
      expect(await statusFor('www.sandbox.example')).toBe(403);
      expect(await statusFor('evilsandbox.example')).toBe(403);
    } finally {
      await open.close();
    }
  });

  it('does not matter to the health calls, which say nothing', async () => {
    for (const path of ['/livez', '/readyz']) {
      expect(await call('anything.example', path)).toMatchObject({ status: 200, body: 'ok' });
    }
  });
});

describe('a page of another origin', () => {
  const from = (origin: string, method: string, path: string, body = '', more: [string, string][] = []) =>
    rawRequest(
      sandbox.url,
      method,
      path,
      [['Host', 'localhost:4242'], ['Origin', origin], key, ...(body === '' ? [] : [json]), ...more],
      body,
    );

  it.each([
    ['POST', '/v1/webhooks', '{"url":"https://evil.example/","events":["message.status"]}'],
    ['DELETE', '/v1/webhooks/00000000-0000-4000-8000-000000000000', ''],
    ['POST', '/_sandbox/reset', ''],
    ['POST', '/_sandbox/reset', '{}'],
    ['PUT', '/_sandbox/clock', '{"mode":"real"}'],
    ['DELETE', '/_sandbox/requests', ''],
    ['POST', '/_sandbox/sink/name', '{}'],
    ['OPTIONS', '/v1/messages', ''],
  ])('may not %s %s', async (method, path, body) => {
    for (const origin of ['https://evil.example', 'http://localhost', 'http://localhost:4243', 'null', 'file://', '']) {
      const answer = await from(origin, method, path, body);
      expect([origin, answer.status, codeOf(answer)]).toEqual([origin, 403, 'forbidden']);
    }
  });

  it('of the sandbox itself may', async () => {
    expect((await from('http://localhost:4242', 'PUT', '/_sandbox/clock', '{"mode":"frozen"}')).status).toBe(200);
  });

  it('learns nothing by reading: no CORS header on any answer, a preflight included', async () => {
    const preflight: [string, string][] = [['Access-Control-Request-Method', 'POST']];
    for (const answer of [
      await from('https://evil.example', 'GET', '/_sandbox/clock'),
      await from('https://evil.example', 'GET', '/v1/templates'),
      await from('https://evil.example', 'OPTIONS', '/v1/messages', '', preflight),
      await from('http://localhost:4242', 'GET', '/_sandbox/info'),
    ]) {
      expect(answer.head).not.toMatch(/access-control/i);
    }
  });

  it('has no simple request to make: a body of another type is refused', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ];
    for (const type of types) {
      for (const path of ['/v1/messages', '/_sandbox/reset', '/_sandbox/inbound']) {
        const headers = [['Host', 'localhost'], key, ['Content-Type', type]] as const;
        const answer = await rawRequest(sandbox.url, 'POST', path, headers, '{"keep":[]}');
        expect([type, path, answer.status, codeOf(answer)]).toEqual([type, path, 415, 'unsupported_media_type']);
      }
    }
    const untyped = await rawRequest(sandbox.url, 'POST', '/_sandbox/reset', [['Host', 'localhost'], key], '{}');
    expect(untyped.status).toBe(415);
  });
});

describe('the control token', () => {
  let guarded: Sandbox;
  beforeAll(async () => {
    guarded = await startTestSandbox({ controlToken: 'let-me-in', clock: { mode: 'frozen', scale: 1, startMs: null } });
  });
  afterAll(() => guarded.close());

  const get = (path: string, headers: Record<string, string> = {}) => fetch(guarded.url + path, { headers });

  it('missing or wrong is 401 on the control plane and the metrics, before a path is judged', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { 'X-Sandbox-Token': 'let-me-i' },
      { 'X-Sandbox-Token': 'LET-ME-IN' },
      { 'X-Sandbox-Token': '' },
      { authorization: 'Bearer test_default' },
      { authorization: 'Basic let-me-in' },
      { 'X-Sandbox-Token': 'wrong', authorization: 'Bearer let-me-in' },
    ];
    for (const headers of wrong) {
      for (const path of ['/_sandbox/clock', '/_sandbox/openapi.json', '/_sandbox/nowhere', '/metrics']) {
        const response = await get(path, headers);
        expect([path, response.status], JSON.stringify(headers)).toEqual([path, 401]);
        expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } });
      }
    }
  });

  it('in its own header lets in, and the key still names the account', async () => {
    await new World(guarded.url, 'mine').call('GET', '/v1/templates');
    const accounts = await get('/_sandbox/requests', { 'X-Sandbox-Token': 'let-me-in', authorization: 'Bearer mine' });
    expect(((await accounts.json()) as { items: unknown[] }).items).toHaveLength(1);
    expect((await get('/metrics', { 'X-Sandbox-Token': 'let-me-in' })).status).toBe(200);
  });

  it('as the Bearer key acts on the default account, and makes none of its own', async () => {
    const headers = { authorization: 'Bearer let-me-in' };
    const inbound = await fetch(`${guarded.url}/_sandbox/inbound`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ from: '+12025550150', text: 'Hello' }),
    });
    expect(inbound.status).toBe(200);
    const own = { 'X-Sandbox-Token': 'let-me-in', authorization: 'Bearer test_default' };
    const customers = (await (await get('/_sandbox/customers', own)).json()) as { items: { phone: string }[] };
    expect(customers.items.map(({ phone }) => phone)).toEqual(['+12025550150']);
    const accounts = (await (await get('/_sandbox/accounts', headers)).json()) as { items: { key: string }[] };
    expect(accounts.items.map((account) => account.key)).not.toContain('let-me-in');
  });

  it('is not asked for by the API plane and the health calls', async () => {
    expect((await get('/v1/templates', { authorization: 'Bearer any' })).status).toBe(200);
    expect((await get('/livez')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  });
});

describe('what a caller sends never becomes a header', () => {
  it('line breaks in keys, paths and values stay inside', async () => {
    const answers = [
      await rawRequest(sandbox.url, 'GET', '/v1/messages/x%0d%0aX-Injected:%20yes', [['Host', 'localhost'], key]),
      await rawRequest(sandbox.url, 'GET', '/_sandbox/sink/x%0d%0aX-Injected:%20yes/received', [['Host', 'localhost']]),
      await rawRequest(
        sandbox.url,
        'POST',
        '/v1/webhooks',
        [['Host', 'localhost'], key, json],
        '{"url":"https://localhost/\\r\\nX-Injected: yes","events":["message.status"]}',
      ),
      await rawRequest(sandbox.url, 'GET', '/_sandbox/clock', [
        ['Host', 'localhost'],
        ['Authorization', 'Bearer a%0d%0aX-Injected: yes'],
      ]),
    ];
    for (const { head } of answers) expect(head).not.toMatch(/^x-injected/im);
    expect(answers[2]?.status).toBeLessThan(500);
  });

  it('a request smuggled by two lengths is refused', async () => {
    const smuggled =
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '0\r\n\r\nDELETE /_sandbox/accounts/security HTTP/1.1\r\nHost: localhost\r\n\r\n';
    expect((await sendRaw(sandbox.url, smuggled)).status).toBe(400);
  });
});

describe('a body with names that JavaScript takes for its own', () => {
  const nasty = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

  it('changes no other object, on any operation that takes a body', async () => {
    const world = newWorld(sandbox);
    const poison = '{"polluted":"yes","status":"delivered","isAdmin":true,"prototype":{"polluted":"yes"}}';
    const calls: [string, string, string][] = [
      ['POST', '/v1/messages', '"to":"+12025550110","type":"template","template":{"name":"x","language":"en"}'],
      ['POST', '/v1/otp/send', '"to":"+12025550110"'],
      ['POST', '/v1/templates', '"name":"polluted","category":"utility","language":"en","body":"Hello"'],
      ['POST', '/v1/webhooks', '"url":"https://sink.sandbox/a","events":["message.status"]'],
      ['POST', '/_sandbox/inbound', '"from":"+12025550110"'],
      ['POST', '/_sandbox/events', '"type":"message.status","data":{"__proto__":{"polluted":"yes"}}'],
      ['PUT', '/_sandbox/clock', '"mode":"frozen"'],
      ['POST', '/_sandbox/snapshots', '"name":"a"'],
    ];
    for (const [method, path, fields] of calls) {
      for (const name of nasty) {
        const { status } = await world.call(method, path, `{"${name}":${poison},${fields}}`);
        expect(status, `${method} ${path} with ${name}`).toBeLessThan(500);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
        expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
      }
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('does not provide the fields that are asked for', async () => {
    const world = newWorld(sandbox);
    const hidden = '{"__proto__":{"to":"+12025550110"},"type":"text","text":"Hello"}';
    const answer = await world.call('POST', '/v1/messages', hidden);
    expect([answer.status, answer.body.error.details]).toEqual([400, [{ field: 'to', message: 'is required' }]]);
  });

  it('is ignored with a warning in the journal, like any other unknown property', async () => {
    const world = newWorld(sandbox);
    await world.template('order');
    const body =
      '{"to":"+12025550110","type":"template","template":{"name":"order","language":"en","variables":["1"]},';
    for (const name of ['__proto__', 'constructor']) {
      expect((await world.call('POST', '/v1/messages', `${body}"${name}":{}}`)).status).toBe(200);
    }
    const journal = await world.items<Control['JournalRequest']>('/_sandbox/requests?operation=sendMessage');
    expect(journal.map(({ warnings }) => warnings.join())).toEqual([
      '"__proto__" is no property of this request; it was ignored.',
      '"constructor" is no property of this request; it was ignored.',
    ]);
  });

  it('may be an id, a name or a filter, and nothing is found under it', async () => {
    const world = newWorld(sandbox);
    for (const name of nasty) {
      expect((await world.call('GET', `/v1/messages/${name}`)).status).toBeOneOf([400, 404]);
      expect((await world.call('GET', `/_sandbox/events/${name}`)).status).toBe(404);
      expect((await world.call('GET', `/_sandbox/${name}`)).status).toBe(404);
      expect((await world.call('GET', `/_sandbox/requests?operation=${name}`)).status).toBeOneOf([200, 400]);
      expect((await world.call('GET', `/_sandbox/clock?${name}=1`)).status).toBe(400);
      expect((await newWorld(sandbox, name).call('GET', '/v1/templates')).body).toEqual({ templates: [] });
    }
  });
});

describe('names that look like paths', () => {
  const names = [
    '../outside',
    '..',
    '.',
    '/etc/outside',
    '..\\outside',
    'a/../../outside',
    '%2e%2e%2foutside',
    'nul',
    'outside\u0000.json',
    '~/outside',
    'x'.repeat(200),
    '..%c0%af..%c0%afoutside',
  ];

  it('never leave the data directory, as keys, snapshots or sinks', async () => {
    const above = await mkdtemp(join(tmpdir(), 'security-'));
    const dataDir = join(above, 'deep', 'data');
    await mkdir(join(above, 'deep'));
    try {
      const stored = await startTestSandbox({ dataDir });
      for (const name of names) {
        const world = new World(stored.url, /[^\x21-\x7e]/.test(name) ? 'plain' : name);
        const encoded = encodeURIComponent(name);
        const answers = [
          await world.call('POST', '/v1/templates', { name: 'a', category: 'utility', language: 'en', body: 'Hello' }),
          await world.call('POST', '/_sandbox/snapshots', { name }),
          await world.call('GET', `/_sandbox/snapshots/${encoded}`),
          await world.call('POST', `/_sandbox/snapshots/${encoded}/restore`),
          await world.call('DELETE', `/_sandbox/snapshots/${encoded}`),
          await world.call('PUT', `/_sandbox/sink/${encoded}`, { respond: [{ status: 503 }] }),
          await world.call('POST', `/_sandbox/sink/${encoded}`, {}),
          await world.call('PUT', '/_sandbox/scenario', { name }),
          await world.call('DELETE', `/_sandbox/accounts/${encoded}`),
        ];
        for (const { status } of answers.slice(0, 6)) expect(status, name).toBeLessThan(500);
        for (const { status } of answers.slice(7)) expect(status, name).toBeLessThan(500);
      }
      await stored.close();
      expect(await readdir(above)).toEqual(['deep']);
      expect(await readdir(join(above, 'deep'))).toEqual(['data']);
      // And the directory as it is then can be opened again.
      await (await startTestSandbox({ dataDir })).close();
    } finally {
      await rm(above, { recursive: true });
    }
  });

  it('in a path of the request are not resolved', async () => {
    for (const path of [
      '/../../etc/passwd',
      '/_sandbox/../../etc/passwd',
      '/v1/..%2f..%2fetc%2fpasswd',
      '//etc/passwd',
    ]) {
      const answer = await rawRequest(sandbox.url, 'GET', path, [['Host', 'localhost'], key]);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.body).not.toContain('root:');
    }
  });
});

describe('limits', () => {
  it('a body of more than 1 MB is 413, announced or not; one of exactly 1 MB is read', async () => {
    const world = newWorld(sandbox);
    const padded = (bytes: number) => {
      const start = '{"to":"+12025550110","type":"text","text":"';
      return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
    };
    for (const path of ['/v1/messages', '/_sandbox/inbound']) {
      const tooLarge = await world.call('POST', path, padded(1024 * 1024 + 1));
      expect([path, tooLarge.status, tooLarge.body.error.code]).toEqual([path, 413, 'payload_too_large']);
      expect((await world.call('POST', path, padded(1024 * 1024))).status).toBe(400);
    }
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    const head = ['POST /v1/messages HTTP/1.1', 'Host: localhost', key.join(': '), json.join(': ')];
    const chunked = [...head, 'Transfer-Encoding: chunked', 'Connection: close'].join('\r\n');
    const answer = await sendRaw(sandbox.url, `${chunked}\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`);
    expect(answer.status).toBe(413);
  });

  it('a compressed body does not grow past it', async () => {
    const { gzipSync } = await import('node:zlib');
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x')).toString('latin1');
    const headers = [['Host', 'localhost'], key, json, ['Content-Encoding', 'gzip']] as const;
    const answer = await rawRequest(sandbox.url, 'POST', '/v1/messages', headers, bomb);
    expect(answer.status).toBe(413);
  });

  it('headers of more than 16 KB are 431, and the server goes on', async () => {
    const huge = await rawRequest(sandbox.url, 'GET', '/v1/templates', [
      ['Host', 'localhost'],
      ['Authorization', `Bearer ${'x'.repeat(20_000)}`],
    ]);
    expect(huge.status).toBe(431);
    const many = Array.from({ length: 3_000 }, (_, i) => [`X-${i}`, 'x'] as const);
    expect((await rawRequest(sandbox.url, 'GET', '/v1/templates', [['Host', 'localhost'], ...many])).status).toBe(431);
    expect((await fetch(`${sandbox.url}/livez`)).status).toBe(200);
  });

  it('a body nested deeper than any stack is refused or read, and the server goes on', async () => {
    const world = newWorld(sandbox);
    for (const deep of ['['.repeat(400_000), `{"to":${'['.repeat(200_000)}${']'.repeat(200_000)}}`]) {
      const { status } = await world.call('POST', '/v1/messages', deep);
      expect(status).toBe(400);
    }
    const template = `{"name":"deep","category":"utility","language":"en","body":"x","extra":`;
    const nested = `${template}${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`;
    expect((await world.call('POST', '/v1/templates', nested)).status).toBeLessThan(500);
    expect((await world.call('GET', '/v1/templates')).status).toBe(200);
  });

  it('a duration that no date survives is refused wherever one is taken', async () => {
    const world = newWorld(sandbox);
    const calls: [string, string, object?][] = [
      ['POST', '/_sandbox/clock/advance', { by: '999999999d' }],
      ['POST', '/_sandbox/clock/advance', { until: 'idle', max: '999999999d' }],
      ['PUT', '/_sandbox/sink/a', { respond: [{ status: 200, delay: '999999999d' }] }],
      ['POST', '/_sandbox/idle?timeout=999999999d'],
      ['GET', '/_sandbox/wait?for=event&timeout=999999999d'],
      ['POST', '/_sandbox/events', { type: 'message.status', webhook: { delay: '999999999d' } }],
    ];
    for (const [method, path, body] of calls) {
      const answer = await world.call(method, path, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 400, 'validation_error']);
    }
  });

  it('accounts are counted: one too many is 429 on both planes, and dropping one makes room', async () => {
    const full = await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });
    try {
      const { limits } = await new World(full.url, 'first').get<{ limits: { accounts: number } }>('/_sandbox/info');
      for (let i = full.accounts.size; i < limits.accounts; i += 1) full.accounts.of(`filler-${i}`);
      const late = new World(full.url, 'one-too-many');
      for (const path of ['/v1/templates', '/_sandbox/clock']) {
        const answer = await late.call('GET', path);
        expect([path, answer.status, answer.body.error.code]).toEqual([path, 429, 'limit_reached']);
        expect(answer.body.error.message).toContain('DELETE /_sandbox/accounts/');
      }
      // Whoever is known is served as before.
      const known = new World(full.url, 'first');
      expect((await known.call('GET', '/v1/templates')).status).toBe(200);
      await known.delete('/_sandbox/accounts/filler-5');
      expect((await late.call('GET', '/v1/templates')).status).toBe(200);
    } finally {
      await full.close();
    }
  });
});
