/** What happened in an account, as a scenario and as an archive. */
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import harSchemas from 'har-schema';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { transaction } from '../../src/account/account.js';
import { recordingOf } from '../../src/record/recording.js';
import { recordedScenario } from '../../src/record/scenario.js';
import { customerWrites } from '../../src/simulation/customer-writes.js';
import { loadScenario } from '../../src/reader/load.js';
import type { Scenario } from '../../src/language/scenario.js';
import { newWorld, type World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const ada = '+12025550110';
const bob = '+12025550112';

const { sandbox, it } = useSandbox({ clock: frozen });

const recorded = async (world: World, query = ''): Promise<string> => {
  const { status, body } = await world.call<string>('GET', `/_sandbox/record${query}`);
  expect([status, typeof body]).toEqual([200, 'string']);
  return body;
};
const recordedArchive = async (world: World): Promise<string> =>
  JSON.stringify(await world.get<object>('/_sandbox/record?format=har'));

/** The recording as data; it must load without a warning. */
async function scenarioOf(world: World, query = ''): Promise<Scenario> {
  const text = await recorded(world, query);
  const result = loadScenario(text, { file: 'recorded.yaml' });
  expect('problems' in result ? result.problems : result.warnings).toEqual([]);
  return parse(text) as Scenario;
}

describe('the timeline', () => {
  it('has what was done by command, a second after a call of the same instant', async ({ world }) => {
    await world.put(`/_sandbox/customers/${bob}/window`, { open: true });
    const id = await world.template('order_shipped');
    await world.inbound(ada, { text: 'Hi', profile_name: 'Ada' });
    const message = await world.reply(ada);
    await world.advance('5m');
    await world.inbound(ada, { interactive: { id: 'yes', title: 'Yes' } });
    await world.send(bob, 'order_shipped');
    await world
      .post(`/_sandbox/messages/${message}/status`, { status: 'failed', error: 'undeliverable' })
      .catch(() => 0);
    await world.advance('1m');
    await world.put(`/_sandbox/customers/${bob}/window`, { open: false });
    await world.post(`/_sandbox/templates/${id}/status`, { status: 'paused' });
    await world.post('/_sandbox/events', { type: 'otp.verified', data: { to: ada } });
    const { given, timeline, clock } = await scenarioOf(world);
    expect(clock).toBe('2026-03-01T09:00:00.000Z');
    expect(given).toBeUndefined();
    expect(timeline).toEqual([
      { at: '+1s', template: { name: 'order_shipped', status: 'approved' } },
      { at: '+1s', inbound: { phone: ada, text: 'Hi', name: 'Ada' } },
      {
        at: '+5m1s',
        emit: {
          type: 'message.received',
          data: { from: ada, type: 'interactive', interactive: { id: 'yes', title: 'Yes' } },
        },
      },
      { at: '+6m1s', window: 'closed', phone: bob },
      { at: '+6m1s', emit: { type: 'otp.verified', data: { to: ada } } },
      { at: '+6m1s', template: { name: 'order_shipped', status: 'paused' } },
    ]);
  });

  it('taps the message that was tapped', async ({ world }) => {
    await world.inbound(ada, { text: 'Hi' });
    const ask = async (id: string) => {
      const interactive = { body: 'Shall we?', buttons: [{ id, title: 'Yes' }] };
      await world.post('/v1/messages', { to: ada, type: 'interactive', interactive });
      await world.advance('1m');
    };
    const tap = (id: string) => world.inbound(ada, { interactive: { id, title: 'Yes' } });
    for (const id of ['first', 'second']) await ask(id);
    for (const id of ['first', 'second']) await tap(id);
    const { timeline = [] } = await scenarioOf(world);
    const taps = timeline.flatMap(({ inbound }) => (inbound?.button === undefined ? [] : [inbound]));
    expect(taps.map(({ button, message }) => [button, message])).toEqual([
      ['Yes', 1],
      ['Yes', undefined],
    ]);
  });

  it('leaves out what rules and magic numbers do, which happens again', async ({ world }) => {
    const answers = '+12025550170';
    await world.text(answers);
    await world.advance('1m');
    expect(await world.items('/_sandbox/messages?direction=inbound')).toHaveLength(1);
    expect(await world.items('/_sandbox/messages?status=received')).toHaveLength(1);
    const scenario = await scenarioOf(world);
    expect(scenario.timeline).toBeUndefined();
    expect(scenario.given).toEqual({ customers: [{ phone: answers, window: 'open' }] });
  });

  it('opens a window that must have been opened by hand, not before a call found it closed', async ({ world }) => {
    await world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'closed' });
    await world.advance('10m');
    await world.text(ada);
    await world.advance('25h');
    await world.text(bob);
    const { given, timeline } = await scenarioOf(world);
    expect(given).toBeUndefined();
    expect(timeline).toEqual([
      { at: '+10m', window: 'open', phone: ada },
      { at: '+1d1h10m', window: 'open', phone: bob },
    ]);
  });

  it('has the steps of a scenario that were made, with what it gave, and none that lies ahead', async ({ world }) => {
    await world.put('/_sandbox/scenario', {
      version: 1,
      seed: 7,
      defaults: { lifecycle: 'unread' },
      given: { templates: [{ name: 'promo', category: 'marketing', language: 'en', body: 'Hi' }] },
      timeline: [
        { at: '+1m', inbound: { phone: ada, text: 'One' } },
        { at: '+2h', inbound: { phone: ada, text: 'Two' } },
      ],
      rules: [
        { id: 'hits', when: 'message.send', match: { type: 'template' }, then: { respond: { status: 503 } } },
        { id: 'idle', when: 'otp.send', then: { respond: { status: 503 } } },
      ],
    });
    await world.advance('2m');
    await world.call('POST', '/v1/messages', {
      to: ada,
      type: 'template',
      template: { name: 'promo', language: 'en' },
    });
    const { seed, defaults, given, timeline, rules } = await scenarioOf(world);
    expect({ seed, defaults, given, timeline: timeline?.map(({ at, inbound }) => [at, inbound?.text]) }).toEqual({
      seed: 7,
      defaults: { lifecycle: 'unread' },
      given: { templates: [{ name: 'promo', category: 'marketing', language: 'en', body: 'Hi' }] },
      timeline: [['+1m', 'One']],
    });
    expect(rules?.map(({ id }) => id)).toEqual(['hits']);
  });
});

describe('a part of the history', () => {
  it('takes what was there before as given', async ({ world }) => {
    await world.template('order_shipped');
    await world.template('one_never', {}, false);
    await world.inbound(ada, { text: 'Hi', profile_name: 'Ada' });
    await world.register('https://sink.sandbox/app', ['message.status']);
    await world.advance('1h');
    await world.get('/v1/templates');
    const before = (await world.items<{ seq: number }>('/_sandbox/requests')).at(-1)?.seq ?? 0;
    await world.reply(ada, 'First');
    const middle = (await world.items<{ seq: number }>('/_sandbox/requests')).at(-1)?.seq ?? 0;
    await world.reply(ada, 'Second');
    const { given, expect: expected } = await scenarioOf(world, `?from=${before + 1}&to=${middle}`);
    expect(given).toMatchObject({
      templates: [{ name: 'order_shipped' }, { name: 'one_never', status: 'pending' }],
      customers: [{ phone: ada, name: 'Ada', window: '-1h' }],
      webhooks: [{ alias: 'webhook-1', url: 'https://sink.sandbox/app', events: ['message.status'] }],
    });
    expect(given?.templates?.[0]).not.toHaveProperty('status');
    expect(expected).toContainEqual({
      at: 'finish',
      that: 'messages',
      where: { direction: 'outbound', type: 'text', to: ada },
      count: 1,
    });
  });

  it.each([
    ['?from=9&to=3', 'from must be at most 3, where the recording ends'],
    ['?from=0', 'from'],
    ['?format=http', 'scenario, har'],
    ['?since=3', 'since'],
  ])('is refused as %s', async (query, words) => {
    const { status, body } = await newWorld(sandbox).call('GET', `/_sandbox/record${query}`);
    expect([status, body.error.code]).toEqual([400, 'validation_error']);
    expect(body.error.message).toContain(words);
  });

  it('expects no more messages and codes than there were', async ({ world }) => {
    await world.inbound(ada);
    await world.reply(ada);
    const { expect: checks = [] } = await scenarioOf(world);
    expect(checks.slice(-2)).toEqual([
      { at: 'finish', that: 'messages', where: { direction: 'outbound' }, max: 1, duplicate: 0 },
      { at: 'finish', that: 'otps', max: 0 },
    ]);
  });

  it('expects no more failed calls than there were, those to a magic number included', async ({ world }) => {
    const send = () => world.call('POST', '/v1/messages', { to: '+12025550142', type: 'text', text: 'Hi' });
    await send();
    const recording = await recorded(world);
    const replayed = newWorld(sandbox);
    await replayed.call('PUT', '/_sandbox/scenario', parse(recording));
    const again = () => replayed.call('POST', '/v1/messages', { to: '+12025550142', type: 'text', text: 'Hi' });
    await again();
    expect(await replayed.get('/_sandbox/verdict')).toMatchObject({ passed: true });
    await again();
    expect(await replayed.get('/_sandbox/verdict')).toMatchObject({ passed: false });
  });

  it('of a long conversation loads, too, and one that fits into no scenario is not given out', async ({ world }) => {
    const account = sandbox.accounts.of(world.key);
    const turns = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await world.inbound(ada, { text: `Turn ${n}` });
        await world.post('/v1/messages', { to: ada, type: 'text', text: 'Yes' });
      }
    };
    await turns(60);
    const { expect: checks = [] } = await scenarioOf(world);
    expect(checks.some((one) => (one as { in_order?: unknown[] }).in_order?.length === 120)).toBe(true);
    const explain = { by: 'default', text: 'A customer writes.' } as const;
    transaction(account, () => {
      for (let n = 60; n <= 1000; n += 1) customerWrites(account, { from: ada, text: `Turn ${n}` }, explain);
    });
    const { status, body } = await world.call('GET', '/_sandbox/record');
    expect([status, body.error.code]).toEqual([429, 'limit_reached']);
    expect(body.error.message).toMatch(/does not fit into a scenario: it has more than 1000 .*\?from=SEQ&to=SEQ/);
  });

  it('serves other calls between its parts, however large the account', async ({ world }) => {
    await world.template('order_shipped');
    const account = sandbox.accounts.of(world.key);
    const steps = [...recordedScenario(recordingOf(account))].length;
    expect(steps).toBeGreaterThan(8);
  });

  it('without anything in it is a scenario that expects nothing', async () => {
    expect(Object.keys(await scenarioOf(newWorld(sandbox)))).toEqual(['version', 'name', 'description', 'clock']);
  });
});

/** Calls that succeed, calls that fail, ids that later calls use, and a customer between them. */
async function busy(world: World): Promise<void> {
  await world.template('order_shipped');
  await world.register('https://sink.sandbox/app', ['message.received', 'message.status']);
  await world.inbound(ada, { text: 'Hi' });
  const id = await world.reply(ada, 'Hello "you" `${there}`');
  await world.get(`/v1/messages/${id}`);
  await world.call('POST', '/v1/messages', { to: bob, type: 'text', text: 'closed' });
  await world.call('GET', '/v1/nothing?a=1&b=%2B2');
  await world.idle();
}

describe('an archive', () => {
  it('is valid HAR 1.2 and holds the calls and the requests of webhooks', async ({ world }) => {
    await busy(world);
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addMetaSchema(draft6);
    for (const schema of Object.values(harSchemas)) ajv.addSchema(schema);
    const har = await world.get<{ log: { version: string; entries: HarEntry[] } }>('/_sandbox/record?format=har');
    const validate = ajv.getSchema('har.json#');
    expect([validate?.(har), validate?.errors]).toEqual([true, null]);
    expect(validate?.({ log: { ...har.log, entries: [{}] } })).toBe(false);
    const shown = har.log.entries.map(({ request, response }) => `${request.method} ${request.url} ${response.status}`);
    expect(shown.sort()).toEqual([
      expect.stringMatching(/^GET .*\/v1\/messages\/[-\w]+ 200$/) as string,
      `GET ${sandbox.url}/v1/nothing?a=1&b=%2B2 404`,
      `POST ${sandbox.url}/v1/messages 200`,
      `POST ${sandbox.url}/v1/messages 400`,
      `POST ${sandbox.url}/v1/templates 200`,
      `POST ${sandbox.url}/v1/webhooks 200`,
      'POST https://sink.sandbox/app 200',
      'POST https://sink.sandbox/app 200',
    ]);
    const asked = har.log.entries.find(({ request }) => request.url.includes('?'));
    expect(asked?.request.queryString).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '+2' },
    ]);
    expect(JSON.stringify(har)).not.toContain(world.key);
  });

  it('has no credentials: headers, signing secrets, passwords of URLs', async ({ world }) => {
    const hidden = ['tok-1', 'key-2', 'amz-3', 'session=4', 'p4ss'];
    const [token, key, amz, cookie, password] = hidden as [string, string, string, string, string];
    const headers = { 'X-Auth-Token': token, 'Api-Key': key, 'X-Amz-Security-Token': amz, Cookie: cookie };
    const { body } = await world.call<{ secret: string }>(
      'POST',
      '/v1/webhooks',
      { url: `https://user:${password}@sink.sandbox/app`, events: ['message.received'] },
      headers,
    );
    await world.inbound(ada, { text: 'Hi' });
    await world.idle();
    const har = await recordedArchive(world);
    for (const secret of [...hidden, Buffer.from(`user:${password}`).toString('base64'), body.secret]) {
      expect(har).not.toContain(secret);
    }
  });
});

interface HarEntry {
  readonly request: { readonly method: string; readonly url: string; readonly queryString: unknown };
  readonly response: { readonly status: number };
}
