/** The coverage of a run. */
import { describe, expect } from 'vitest';
import { coverageJunit, coverageMarkdown, percent, type Coverage } from '../../src/reports/coverage.js';
import { newWorld, type World } from '../support/client.js';
import { isObject, objectAt, readApiDocument } from '../support/openapi-document.js';
import { useSandbox } from '../support/sandbox.js';

const startMs = Date.UTC(2026, 2, 1, 9);
const frozen = { clock: { mode: 'frozen', scale: 1, startMs }, logLevel: 'silent' } as const;

const { sandbox, it } = useSandbox(frozen);

const report = (world: World): Promise<Coverage> => world.get('/_sandbox/coverage');
/** Operations with their statuses, in whichever group they count. */
const CALLS = ['operation', 'outcome'];
const namesIn = ({ items }: Coverage, group: string): string[] =>
  items.filter((item) => item.group === group).map(({ name }) => name);
const hitsIn = ({ items }: Coverage, group: string): Record<string, number> =>
  Object.fromEntries(
    items.filter((item) => item.group === group && item.hits > 0).map(({ name, hits }) => [name, hits]),
  );
const exercised = async (world: World, group: string): Promise<string[]> =>
  Object.keys(hitsIn(await report(world), group)).sort();

/** Every operation of the API plane. */
const operations = Object.entries(objectAt(readApiDocument(), 'paths')).flatMap(([path, item]) =>
  Object.entries(item as object)
    .filter(([, operation]) => isObject(operation) && typeof operation['operationId'] === 'string')
    .map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      id: String((operation as Record<string, unknown>)['operationId']),
      statuses: Object.keys(objectAt(operation, 'responses')),
    })),
);

describe('the catalogue', () => {
  it('has every operation with every status of the document that an application can cause', async () => {
    const wanted = operations.flatMap(({ id, statuses }) => {
      const shown = statuses.map((status) => (status.startsWith('2') ? '2xx' : status));
      return [...new Set(shown)]
        .filter((status) => !/^5|^(?:401|403|405|408|413|415|417|431)$|default/.test(status))
        .map((status) => `${id} ${status}`);
    });
    expect(operations).toHaveLength(10);
    const coverage = await report(newWorld(sandbox));
    const shown = CALLS.flatMap((group) => namesIn(coverage, group)).filter((name) => name.includes(' '));
    expect(shown.sort()).toStrictEqual(wanted.sort());
  });

  it('says of each item what would exercise it, and of nothing twice', async () => {
    const { items, total, covered } = await report(newWorld(sandbox));
    expect(new Set(items.map(({ group, name }) => `${group}/${name}`)).size).toBe(items.length);
    expect(items.filter(({ hint }) => hint === '')).toStrictEqual([]);
    expect({ total, covered }).toStrictEqual({ total: items.length, covered: 0 });
  });
});

describe('real calls exercise', () => {
  it('message states', async ({ world }) => {
    await world.text();
    expect(await exercised(world, 'message state')).toStrictEqual(['accepted', 'sent']);
    await world.text('+12025550120');
    await world.advance('10s');
    const states = { accepted: 2, sent: 1, delivered: 1, read: 1, failed: 1 };
    expect(hitsIn(await report(world), 'message state')).toStrictEqual(states);
  });

  it('no message state by what a customer writes, or by the message that carries a code', async ({ world }) => {
    await world.template('login', { category: 'authentication', body: undefined });
    await world.post('/v1/otp/send', { to: '+12025550110' });
    await world.inbound('+12025550110');
    await world.advance('10s');
    expect(await exercised(world, 'message state')).toStrictEqual([]);
    expect(await exercised(world, 'event type')).toStrictEqual(['message.received', 'template.status']);
  });

  it('template states', async ({ world }) => {
    await world.template('promo_reject', {}, false);
    const id = await world.template('order_shipped', {}, false);
    await world.advance('3h');
    await world.post(`/_sandbox/templates/${id}/status`, { status: 'paused' });
    await world.post(`/_sandbox/templates/${id}/status`, { status: 'deleted' });
    const states = { pending: 2, approved: 1, rejected: 1, paused: 1, deleted: 1 };
    expect(hitsIn(await report(world), 'template state')).toStrictEqual(states);
  });

  it('OTP states', async ({ world }) => {
    await world.template('login', { category: 'authentication', body: undefined });
    const send = async (to: string) => (await world.post<{ otp_id: string }>('/v1/otp/send', { to })).otp_id;
    const verify = (otp_id: string, code: string) => world.call('POST', '/v1/otp/verify', { otp_id, code });
    const [zeros, locked, expired] = [
      await send('+12025550160'),
      await send('+12025550162'),
      await send('+12025550161'),
    ];
    await verify(zeros, '111111');
    await verify(zeros, '000000');
    await verify(locked, 'abcdef');
    await verify(locked, 'abcdef');
    await world.advance('31s');
    await verify(expired, '1');
    const coverage = await report(world);
    expect(hitsIn(coverage, 'OTP state')).toStrictEqual({
      sent: 3,
      'wrong code': 2,
      verified: 1,
      locked: 1,
      expired: 1,
    });
    expect(hitsIn(coverage, 'error code')).toMatchObject({ otp_max_attempts: 1, otp_expired: 1 });
    expect(await exercised(world, 'event type')).toStrictEqual(['otp.verified', 'template.status']);
  });

  it('endpoint states and retry steps', async ({ world }) => {
    await world.put('/_sandbox/sink/down', { respond: [{ status: 500 }] });
    await world.register('https://sink.sandbox/down', ['message.received']);
    await world.inbound('+12025550110');
    const steps = () => exercised(world, 'retry step');
    expect(await steps()).toStrictEqual([]);
    await world.advance('1m');
    expect(await steps()).toStrictEqual(['after 1 min']);
    await world.advance('35m');
    expect(await steps()).toStrictEqual(['after 1 min', 'after 30 min', 'after 5 min']);
    await world.advance('24h');
    expect(hitsIn(await report(world), 'retry step')).toStrictEqual({
      'after 1 min': 1,
      'after 5 min': 1,
      'after 30 min': 1,
      hourly: 23,
    });
    expect(await exercised(world, 'endpoint state')).toStrictEqual(['active', 'paused']);
    await world.register('https://sink.sandbox/down', ['message.received']);
    expect(await exercised(world, 'endpoint state')).toStrictEqual(['active', 'active again', 'paused']);
  });

  it('every operation with every status, and every error code, by a header at least', async ({ world }) => {
    const id = '00000000-0000-4000-8000-000000000000';
    const before = await report(world);
    const names = CALLS.flatMap((group) => namesIn(before, group));
    for (const { id: operation, method, path } of operations) {
      const url = path.replace(/\{\w+\}/g, id);
      const wanted = names.filter((name) => name.startsWith(`${operation} `)).map((name) => name.split(' ')[1] ?? '');
      for (const status of wanted) {
        const prefer = status === '2xx' ? 'status=200' : `status=${status}`;
        await world.call(method, url, method === 'POST' ? {} : undefined, { 'x-sandbox-prefer': prefer });
      }
    }
    for (const code of namesIn(before, 'error code')) {
      await world.call('GET', '/v1/templates', undefined, { 'x-sandbox-prefer': `code=${code}` });
    }
    const coverage = await report(world);
    const never = coverage.items.filter(({ hits }) => hits === 0).map(({ group, name }) => `${group}: ${name}`);
    expect(never.filter((item) => /^(?:operation|outcome|error code):/.test(item))).toStrictEqual([]);
  });

  it('nothing by calls of the control plane, and nothing in another account', async () => {
    const [one, other] = [newWorld(sandbox), newWorld(sandbox)];
    await one.call('GET', '/v1/templates');
    await other.get('/_sandbox/info');
    await other.call('POST', '/_sandbox/inbound', {});
    expect(hitsIn(await report(one), 'operation')).toStrictEqual({ 'listTemplates 2xx': 1 });
    expect((await report(other)).covered).toBe(0);
  });
});

describe('as a report', () => {
  const made: Coverage = {
    total: 3,
    covered: 2,
    items: [
      { group: 'event type', name: 'message.status', hint: 'any send', hits: 4 },
      { group: 'OTP state', name: 'sent', hint: 'send one', hits: 1 },
      { group: 'OTP state', name: 'locked <"&>', hint: 'a wrong code', hits: 0 },
    ],
  };

  it('the share is rounded down, so that only all is 100', () => {
    expect([percent({ total: 1000, covered: 999 }), percent({ total: 3, covered: 3 })]).toEqual([99, 100]);
  });

  it('Markdown has a row per group, and what would exercise the rest', () => {
    const text = coverageMarkdown(made);
    expect(text).toContain('# API coverage: 66 % (2 of 3)\n');
    expect(text).toContain('| event type | 1 | 1 | 100 % |\n| OTP state | 1 | 2 | 50 % |\n');
    expect(text).toContain('| OTP state: locked <"&> | a wrong code |\n');
    expect(coverageMarkdown({ total: 0, covered: 0, items: [] })).toContain('Everything was exercised.');
  });

  it('JUnit has a case per item, and skips each that nothing exercised', () => {
    const xml = coverageJunit(made);
    expect(xml).toContain('<testsuites tests="3" failures="0" skipped="1" time="0.000">');
    expect(xml).toContain('<testcase classname="event type" name="message.status" time="0.000"/>');
    expect(xml).toContain(
      '<testcase classname="OTP state" name="locked &lt;&quot;&amp;&gt;" time="0.000"><skipped message="never exercised; try: a wrong code"/>',
    );
  });

  it.each([
    ['markdown', 'text/markdown; charset=utf-8', /^# API coverage: \d+ %/],
    ['junit', 'application/xml; charset=utf-8', /^<\?xml version="1\.0"/],
  ])('the control plane answers ?format=%s', async (format, type, start) => {
    const world = newWorld(sandbox);
    const answer = await world.call<string>('GET', `/_sandbox/coverage?format=${format}`);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.body).toMatch(start);
  });
});
