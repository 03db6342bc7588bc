import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCaseFile } from './case-file.js';
import { mismatches } from './case-match.js';
import { expand, runCase } from './case-runner.js';

describe('mismatches', () => {
  const uuid = '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90';

  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [[{ a: 1 }], [{ a: 1, b: 2 }]],
    ['/^a.c$/i', 'ABC'],
    ['<uuid>', uuid],
    ['<iso>', '2026-03-01T09:00:00.000Z'],
    ['<integer>', 0],
    [{ a: '<absent>' }, {}],
    [{ a: '<any>' }, { a: null }],
    [{ a: null }, { a: null }],
    [{ $contains: { a: 1 } }, [{ a: 2 }, { a: 1 }]],
    [{ $not: 'x' }, 'y'],
    [[], []],
  ])('%j matches %j', (expected, actual) => {
    expect(mismatches(expected, actual)).toEqual([]);
  });

  it.each([
    [{ a: 1 }, { a: '1' }, 'body.a: expected 1, found "1"'],
    [{ a: 1 }, undefined, 'body: expected {"a":1}, found nothing'],
    [[1], [1, 2], 'body: expected 1 entries: [1], found [1,2]'],
    [[], {}, 'body: expected [], found {}'],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'body.a[0].b: expected 1, found 2'],
    ['/^a$/', 'ba', 'body: expected "/^a$/", found "ba"'],
    ['/1/', 1, 'body: expected "/1/", found 1'],
    ['<uuid>', 'x', 'body: expected "<uuid>", found "x"'],
    ['<iso>', '2026-03-01T09:00:00Z', 'body: expected "<iso>", found "2026-03-01T09:00:00Z"'],
    ['<integer>', '1', 'body: expected "<integer>", found "1"'],
    [{ a: '<absent>' }, { a: null }, 'body.a: expected "<absent>", found null'],
    [{ a: '<any>' }, {}, 'body.a: expected "<any>", found nothing'],
    [{ $contains: 1 }, [2], 'body: expected an entry like 1, found [2]'],
    [{ $not: 'x' }, 'x', 'body: expected anything but "x", found "x"'],
    [false, 0, 'body: expected false, found 0'],
  ])('%j does not match %j', (expected, actual, told) => {
    expect(mismatches(expected, actual)).toEqual([told]);
  });

  it('refuses a shape that it does not know', () => {
    expect(() => mismatches('<uid>', 'x')).toThrow('<uid> is no shape');
  });
});

describe('expand', () => {
  it('puts variables and repetitions in', () => {
    const variables = new Map<string, unknown>([['n', 5]]);
    expect(expand({ a: '${n}', b: ['x${n}'], c: { $repeat: ['😀', 3] } }, variables)).toEqual({
      a: 5,
      b: ['x5'],
      c: '😀😀😀',
    });
    expect(() => expand('${m}', variables)).toThrow('${m} was never saved');
  });
});

describe('readCaseFile', () => {
  it.each([
    ['cases: [{}]', 'f: name is missing'],
    ['name: n', 'f: cases must be a list'],
    ['{name: n, cases: [{name: a, method: GET, path: /}]}', 'expect is missing'],
    ['{name: n, cases: [{name: a, method: GET, path: x, expect: {status: 200}}]}', 'path must start with /'],
    ['{name: n, cases: [{name: a, method: get, path: /, expect: {status: 200}}]}', 'method must be one of'],
    ['{name: n, cases: [{name: a, method: GET, path: /, expect: {stats: 200}}]}', 'unknown key stats'],
    ['{name: n, cases: [{name: a, method: GET, path: /, expect: {status: OK}}]}', 'must be a status'],
    ['{name: n, cases: [{name: a, steps: [{method: GET, path: /}]}]}', 'no step expects anything'],
    ['{name: n, cases: [{name: a, method: GET, path: /, bdy: 1, expect: {}}]}', 'unknown key bdy'],
  ])('tells what is wrong with %j', (text, told) => {
    expect(() => readCaseFile('f', text)).toThrow(told);
  });
});

describe('runCase', () => {
  /** Tells what it was sent. */
  const echo = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { authorization, 'content-type': type } = req.headers;
      res.writeHead(req.url === '/teapot' ? 418 : 200, { 'content-type': 'application/json', 'x-method': req.method });
      res.end(JSON.stringify({ path: req.url, authorization, type, body: Buffer.concat(chunks).toString() }));
    });
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => echo.close(resolve)));

  const run = async (rows: string, given = '[]'): Promise<void> => {
    const file = readCaseFile('f', `name: n\ngiven: ${given}\ncases:\n${rows}`);
    for (const row of file.cases) await runCase(url, 'acct', file, row);
  };

  it('sends what the row says, after what is given', async () => {
    await run(
      `
- name: steps
  steps:
    - { method: POST, path: '/\${first}', body: { a: '\${first}' }, expect: { body: { path: //one/, body: '{"a":"/one"}', type: application/json } } }
    - { method: GET, path: /x, key: false, expect: { headers: { x-method: GET, x-none: <absent> }, body: { authorization: <absent>, type: <absent> } } }
    - { method: GET, path: /x, key: two, expect: { body: { authorization: Bearer acct-two } } }
    - { method: PUT, path: /x, raw: '{', headers: { content-type: null }, expect: { body: { type: <absent>, body: '{' } } }
- { name: teapot, method: GET, path: /teapot, expect: { status: 4xx } }`,
      '[{ method: GET, path: /one, save: { first: path } }]',
    );
  });

  it.each([
    ['{ name: a, method: GET, path: /teapot, expect: { status: 200 } }', 'status: expected 200, found 418'],
    ['{ name: a, method: GET, path: /teapot, expect: {} }', 'status: expected 2xx, found 418'],
    ['{ name: a, method: GET, path: /a, expect: { body: { path: /b/ } } }', 'body.path: expected "/b/", found "/a"'],
    ['{ name: a, method: GET, path: /a, expect: { headers: { x-method: PUT } } }', 'header x-method: expected "PUT"'],
    ['{ name: a, method: GET, path: /a, expect: {}, save: { x: y.z } }', 'nothing to save at y.z'],
  ])('fails for %s', async (row, told) => {
    await expect(run(`- ${row}`)).rejects.toThrow(told);
  });
});
