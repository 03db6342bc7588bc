/** Properties named `__proto__` or `constructor`, in bodies, queries, YAML and snapshots, change no other object. */
import { expect } from 'vitest';
import { DialectError, parseDialect } from '../../src/dialect/index.js';
import type { Control } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

function expectClean(): void {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
}

const poison = '{"polluted":"yes","prototype":{"polluted":"yes"}}';

it.for([
  ['POST', '/v1/messages', '"to":"+12025550110","type":"template","template":{"name":"x","language":"en"}'],
  ['POST', '/v1/templates', '"name":"polluted","category":"utility","language":"en","body":"Hello"'],
  ['POST', '/_sandbox/events', '"type":"message.status","data":{"__proto__":{"polluted":"yes"}}'],
  ['PUT', '/_sandbox/clock', '"mode":"frozen"'],
] as const)('in a body to %s %s', async ([method, path, fields], { world }) => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
    expect((await world.call(method, path, `{"${name}":${poison},${fields}}`)).status, name).toBeLessThan(500);
    expectClean();
  }
});

it('do not provide the fields that are required, and are unknown properties like any other', async ({ world }) => {
  const hidden = '{"__proto__":{"to":"+12025550110"},"type":"text","text":"Hello"}';
  const { status, body } = await world.call('POST', '/v1/messages', hidden);
  expect([status, body.error.details?.map(({ field }) => field)]).toEqual([400, ['to']]);
  await world.template('order');
  const template = '"type":"template","template":{"name":"order","language":"en","variables":["1"]}';
  expect((await world.call('POST', '/v1/messages', `{"to":"+12025550110",${template},"__proto__":{}}`)).status).toBe(
    200,
  );
  const journal = await world.items<Control['JournalRequest']>('/_sandbox/requests?operation=sendMessage&status=200');
  expect(journal[0]?.warnings).toEqual(['Unknown property "__proto__" was ignored.']);
});

it('in a query, a path or a key of a scenario', async ({ world }) => {
  for (const query of ['__proto__[polluted]=yes', 'constructor[prototype][polluted]=yes', '__proto__=1'])
    expect((await world.call('GET', `/_sandbox/messages?${query}`)).status).toBe(400);
  expect((await world.call('GET', '/_sandbox/events/__proto__')).status).toBe(404);
  for (const text of [
    'version: 1\n__proto__: { polluted: yes }',
    'version: 1\nrules:\n  - when: api.any\n    then: { respond: { status: 200, body: { __proto__: { polluted: yes } } } }',
    'version: 1\nx: &a { __proto__: { polluted: yes } }\ngiven: { <<: *a }',
  ]) {
    const answer = await world.call('PUT', '/_sandbox/scenario', text, { 'content-type': 'application/yaml' });
    expect([answer.status, answer.body.error.code], text).toEqual([400, 'scenario_invalid']);
  }
  expect(() => parseDialect('__proto__: { polluted: yes }', 'dialect.yaml')).toThrow(DialectError);
  expectClean();
});
