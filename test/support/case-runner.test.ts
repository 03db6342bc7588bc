import { describe, expect, it } from 'vitest';
import { mismatches } from './case-match.js';
import { runCase } from './case-runner.js';
import { useSandbox } from './sandbox.js';

it.each([
  [{ a: 1 }, { a: '1' }, 'body.a: expected 1, found "1"'],
  [{ a: 1 }, undefined, 'body: expected {"a":1}, found nothing'],
  [[1], [1, 2], 'body: expected 1 entries: [1], found [1,2]'],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'body.a[0].b: expected 1, found 2'],
  ['/^a$/', 'ba', 'body: expected "/^a$/", found "ba"'],
  ['<uuid>', 'x', 'body: expected "<uuid>", found "x"'],
  ['<iso>', '2026-03-01T09:00:00Z', 'body: expected "<iso>", found "2026-03-01T09:00:00Z"'],
  ['<integer>', '1', 'body: expected "<integer>", found "1"'],
  [{ a: '<absent>' }, { a: null }, 'body.a: expected "<absent>", found null'],
  [{ a: '<any>' }, {}, 'body.a: expected "<any>", found nothing'],
  [{ $contains: 1 }, [2], 'body: expected an entry like 1, found [2]'],
  [{ $not: 'x' }, 'x', 'body: expected anything but "x", found "x"'],
])('%j does not match %j', (expected, actual, told) => {
  expect(mismatches(expected, actual)).toEqual([told]);
});

describe('a row fails', () => {
  const { sandbox } = useSandbox();

  it.each([
    [{ expect: { status: 404 } }, 'status: expected 404, found 200'],
    [{ key: false, expect: {} } as const, 'status: expected 2xx, found 401'],
    [{ expect: { body: { templates: [1] } } }, 'body.templates: expected 1 entries'],
    [{ expect: { headers: { 'content-type': 'text/plain' } } }, 'header content-type: expected "text/plain"'],
    [{ save: { x: 'y.z' } }, 'nothing to save at y.z'],
  ])('with %j', async (wrong, told) => {
    const steps = [{ method: 'GET' as const, path: '/v1/templates', ...wrong }];
    const file = { name: 'n', given: [], cases: [] };
    await expect(runCase(sandbox.url, 'account', file, { name: 'row', steps })).rejects.toThrow(told);
  });
});
