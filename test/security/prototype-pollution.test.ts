/** An attacker names properties `__proto__` or `constructor`, so that every object of the process gets what he sends. */
import { describe, expect } from 'vitest';
import { DialectError, parseDialect } from '../../src/dialect/index.js';
import { newWorld, type Control } from '../support/client.js';
import { sendRaw } from '../support/raw-http.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox({ clock: { mode: 'frozen', scale: 1, startMs: null } });

describe('a body with names that JavaScript takes for its own', () => {
  const nasty = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

  it('changes no other object, on any operation that takes a body', async ({ world }) => {
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

  it('does not provide the fields that are asked for', async ({ world }) => {
    const hidden = '{"__proto__":{"to":"+12025550110"},"type":"text","text":"Hello"}';
    const answer = await world.call('POST', '/v1/messages', hidden);
    const missing = { field: 'to', message: expect.stringMatching(/^is required; /) as string };
    expect([answer.status, answer.body.error.details]).toEqual([400, [missing]]);
  });

  it('is ignored with a warning in the journal, like any other unknown property', async ({ world }) => {
    await world.template('order');
    const body =
      '{"to":"+12025550110","type":"template","template":{"name":"order","language":"en","variables":["1"]},';
    for (const name of ['__proto__', 'constructor']) {
      expect((await world.call('POST', '/v1/messages', `${body}"${name}":{}}`)).status).toBe(200);
    }
    const journal = await world.items<Control['JournalRequest']>('/_sandbox/requests?operation=sendMessage');
    expect(journal.map(({ warnings }) => warnings.join())).toEqual([
      'Unknown property "__proto__" was ignored.',
      'Unknown property "constructor" was ignored.',
    ]);
  });

  it('may be an id, a name or a filter, and nothing is found under it', async ({ world }) => {
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

describe('names in the query, in headers and in YAML', () => {
  it('give nothing to other objects, nor to the call', async ({ world }) => {
    for (const query of ['__proto__[polluted]=yes', '__proto__.polluted=yes', 'constructor[prototype][polluted]=yes']) {
      expect((await world.call('GET', `/_sandbox/messages?${query}`)).status).toBe(400);
      expect((await world.call('GET', `/v1/templates?${query}`)).status).toBe(200);
    }
    const headers = { constructor: 'yes', prototype: 'yes', polluted: 'no' };
    const raw = [
      'GET /v1/templates HTTP/1.1',
      'Host: localhost',
      '__proto__: yes',
      '__proto__: no',
      'Connection: close',
    ];
    expect((await sendRaw(sandbox.url, `${raw.join('\r\n')}\r\n\r\n`)).status).toBe(401);
    expect((await world.call('GET', '/v1/templates', undefined, headers)).status).toBe(200);
    await world.call('POST', '/_sandbox/sink/a', {}, headers);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'prototype'])('are refused as a key of a scenario: %s', async (name) => {
    const world = newWorld(sandbox);
    const texts = [
      `version: 1\n${name}: { polluted: yes }`,
      `version: 1\nrules:\n  - when: api.any\n    then: { respond: { status: 200, body: { ${name}: { polluted: yes } } } }`,
      `version: 1\nrules:\n  - when: api.any\n    then: { respond: { status: 200, headers: { "${name}": yes } } }`,
      `version: 1\nrules:\n  - when: message.send\n    match: { variables: { ? ${name} : x } }\n    then: { window: open }`,
      `version: 1\nx: &a { ${name}: { polluted: yes } }\ngiven: { <<: *a }`,
    ];
    for (const text of texts) {
      const answer = await world.call('PUT', '/_sandbox/scenario', text, { 'content-type': 'application/yaml' });
      expect([answer.status, answer.body.error.code], text).toEqual([400, 'scenario_invalid']);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('are refused or unknown in a dialect file', () => {
    for (const text of ['__proto__: { polluted: yes }', 'errors: { status: { __proto__: 400 } }', 'constructor: 1']) {
      expect(() => parseDialect(text, 'dialect.yaml')).toThrow(DialectError);
    }
  });

  it('in a snapshot stay in their place', async ({ world }) => {
    await world.post('/_sandbox/snapshots', { name: 'a' });
    const text = JSON.stringify(await world.get('/_sandbox/snapshots/a'));
    for (const poisoned of [
      text.replace('"state":{', '"state":{"__proto__":{"polluted":"yes"},'),
      text.replace('"tables":{', '"tables":{"__proto__":[{"id":"a","seq":1}],'),
      text.replace('"draws":{', '"draws":{"__proto__":5,'),
    ]) {
      expect(poisoned).not.toBe(text);
      expect((await world.call('PUT', '/_sandbox/snapshots/b', poisoned)).status).toBeOneOf([200, 400]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    }
  });
});
