import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { newWorld, type Api, type Control, type World } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { at, frozen, hours, latestMessage, minutes, play, stage, statusEvents, trySend } from '../../support/scenes.js';

const to = '+12025550110';

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
  const base = {
    version: 1,
    seed: 5,
    defaults: { lifecycle: 'blocked', review: { status: 'pending' } },
    given: {
      templates: [
        { name: 'greeting', category: 'utility', language: 'en', body: 'Hello' },
        { name: 'shared', category: 'utility', language: 'en', body: 'From the base' },
      ],
    },
    timeline: [{ at: '+1m', inbound: { phone: to, text: 'from base' } }],
    expect: [{ at: 'finish', that: 'messages', min: 1 }],
  };
  const top = {
    version: 1,
    name: 'top',
    extends: ['base'],
    defaults: { lifecycle: 'unread' },
    given: { templates: [{ name: 'shared', category: 'marketing', language: 'de', body: 'From the top' }] },
    expect: [{ at: 'finish', that: 'messages', max: 5 }],
  };
  writeFileSync(join(folder, 'base.json'), JSON.stringify(base));
  writeFileSync(join(folder, 'top.json'), JSON.stringify(top));
  sandbox = await startTestSandbox({ clock: frozen, scenarios: [join(folder, 'top.json')] });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const templates = (world: World) => world.items<Control['Template']>('/_sandbox/templates');

describe('given templates', () => {
  it('exist in any state, with reasons, and an approved one can be sent at once', async () => {
    const world = newWorld(sandbox);
    await play(world, {
      given: {
        templates: [
          { name: 'good', category: 'utility', language: 'en', body: 'Hi {{1}}' },
          {
            name: 'bad',
            category: 'marketing',
            language: 'en',
            body: 'Hi',
            status: 'rejected',
            because: 'Shouts.',
          },
          { name: 'waiting', category: 'utility', language: 'en', body: 'Hi', status: 'pending' },
          { name: 'resting', category: 'utility', language: 'en', body: 'Hi', status: 'paused' },
          { name: 'login', category: 'authentication', language: 'en' },
        ],
      },
    });
    const shown = Object.fromEntries((await templates(world)).map((template) => [template.name, template]));
    expect(shown['good']).toMatchObject({ status: 'approved' });
    expect(shown['bad']).toMatchObject({ status: 'rejected', rejection_reason: 'Shouts.' });
    expect([shown['waiting']?.status, shown['resting']?.status]).toEqual(['pending', 'paused']);
    expect((await world.send(to, 'good')).status).toBe('accepted');
    expect((await world.post<Api['OtpSent']>('/v1/otp/send', { to })).status).toBe('sent');
    expect(await world.events('?type=template.status')).toEqual([]);
  });
});

it('given customers have names and windows, to the millisecond', async () => {
  const world = newWorld(sandbox);
  await play(world, {
    given: {
      customers: [
        { phone: '+12025550110', name: 'Ada', window: '-23h59m' },
        { phone: '+12025550111', window: 'open' },
        { phone: '+12025550112', window: 'closed' },
        { phone: '+12025550113', window: '-25h' },
      ],
    },
    defaults: { window: 'open' },
  });
  const ada = await world.get<Control['Customer']>('/_sandbox/customers/+12025550110');
  expect(ada).toMatchObject({
    profile_name: 'Ada',
    window: { open: true, closes_at: at(minutes(1)) },
    last_inbound_at: at(-hours(24) + minutes(1)),
  });
  const status = async (phone: string) =>
    (await world.call('POST', '/v1/messages', { to: phone, type: 'text', text: 'Hi' })).status;
  const all = async () => Promise.all([0, 1, 2, 3, 4].map((i) => status(`+1202555011${i}`)));
  // The last one is given nothing: the default speaks of him alone.
  expect(await all()).toEqual([200, 200, 400, 400, 200]);
  await world.advance('1m');
  expect(await all()).toEqual([400, 200, 400, 400, 200]);
  expect(await world.events('?type=message.received')).toEqual([]);
});

it('given webhooks are registered with their secret, and go by their alias', async () => {
  const world = await stage(sandbox, [
    { id: 'lost', when: 'webhook.deliver', match: { alias: 'app' }, then: { webhook: { drop: true } } },
  ]);
  await world.register('https://sink.sandbox/second', ['message.received']);
  await world.inbound(to);
  await world.idle();
  expect((await world.deliveries()).map(({ url, state }) => [url, state])).toEqual([
    ['https://sink.sandbox/app', 'dropped'],
    ['https://sink.sandbox/second', 'delivered'],
  ]);
  const [app] = await world.items<Control['Endpoint']>('/_sandbox/webhooks');
  expect(app).toMatchObject({ alias: 'app', secret: 'whsec_fixed_for_tests', status: 'active' });
  await play(world, {
    given: {
      webhooks: [{ alias: 'app', url: 'https://sink.sandbox/app', events: ['message.status'], status: 'paused' }],
    },
  });
  const endpoints = await world.items<Control['Endpoint']>('/_sandbox/webhooks');
  expect(endpoints).toHaveLength(2);
  expect(endpoints[0]).toMatchObject({ id: app?.id, status: 'paused', events: ['message.status'] });
});

describe('a webhook that is given although the account has it', () => {
  const url = 'https://sink.sandbox/app';
  const given = (status: 'active' | 'paused'): Parameters<typeof play>[1] => ({
    given: { webhooks: [{ alias: 'app', url, events: ['message.received'], status }] },
  });
  const shown = async (world: World) => (await world.items<Control['Endpoint']>('/_sandbox/webhooks'))[0];

  async function failing(): Promise<World> {
    const world = newWorld(sandbox);
    await world.register(url, ['message.received']);
    await world.put('/_sandbox/sink/app', { respond: [{ status: 500 }] });
    await world.inbound(to, { text: 'Hi' });
    await world.idle();
    return world;
  }

  it('begins a run of failures of its own: the deadline of the one before does not pause it', async () => {
    const world = await failing();
    await world.advance('23h');
    await play(world, given('active'));
    await world.advance('2h');
    expect(await shown(world)).toMatchObject({ status: 'active' });
    await world.advance('24h');
    expect(await shown(world)).toMatchObject({ status: 'paused' });
  });

  it('paused, it gets nothing any more: what it was owed is held', async () => {
    const world = await failing();
    await play(world, given('paused'));
    await world.advance('2h');
    expect(await shown(world)).toMatchObject({ status: 'paused', pause_reason: 'Paused by the scenario.' });
    expect(await world.items('/_sandbox/sink/app/received')).toHaveLength(1);
    expect(await world.deliveries()).toMatchObject([{ state: 'held', next_attempt_at: null }]);
  });
});

it('defaults: lifecycle and review for whatever nobody else decided', async () => {
  const world = await stage(sandbox, [], {
    defaults: { lifecycle: [{ sent: '0s' }, { failed: '5s' }], review: { status: 'rejected', after: '1h' } },
  });
  await trySend(world, to);
  const id = await world.template('mine', {}, false);
  await world.advance('1h');
  expect((await statusEvents(world, to)).map(([status]) => status)).toEqual(['sent', 'failed']);
  expect(await latestMessage(world, to)).toMatchObject({
    error: { code: 'unknown_error' },
    explain: { by: 'default', text: "The scenario's defaults.lifecycle applies." },
  });
  expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ status: 'rejected' });
});

it('extends: the file itself wins, the base adds what it does not say', async () => {
  const world = newWorld(sandbox);
  const active = await world.get<Control['ActiveScenario']>('/_sandbox/scenario');
  expect(active).toMatchObject({ name: 'top', file: join(folder, 'top.json'), scenario: { seed: 5 } });
  expect((await templates(world)).map(({ name, body }) => [name, body])).toEqual([
    ['shared', 'From the top'],
    ['greeting', 'Hello'],
  ]);
  const id = await world.template('mine', {}, false);
  await world.send(to, 'greeting', []);
  await world.advance('1h');
  expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ status: 'pending' });
  expect(await latestMessage(world, to)).toMatchObject({ status: 'delivered' });
  expect(await world.events('?type=message.received')).toMatchObject([{ data: { text: 'from base' } }]);
  expect((await world.get<Control['Verdict']>('/_sandbox/verdict')).checks).toHaveLength(2);
});
