/** Beginning at an instant: of an account that holds nothing but its set-up, and in the same call as a reset. */
import { describe, expect } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const now = '2026-03-01T09:00:00.000Z';
const start = Date.UTC(2030, 0, 1);
const to = '+12025550110';

const { sandbox, it } = useSandbox({ clock: { ...frozen, startMs: start } });

const set = (world: World, body: object) => world.call<Control['Clock']>('PUT', '/_sandbox/clock', body);

describe('a clock that is set to the past', () => {
  it('moves a fresh account there', async ({ world }) => {
    expect(await set(world, { mode: 'frozen', now })).toMatchObject({ status: 200, body: { now, pending: 0 } });
    await world.text();
    expect((await world.items<Control['Message']>('/_sandbox/messages'))[0]?.created_at).toBe(now);
  });

  it('takes the set-up along: templates with their reviews and approvals, customers, endpoints, the scenario', async ({
    world,
  }) => {
    const approved = await world.template('approved', { category: 'authentication', body: undefined });
    const pending = await world.template('pending', {}, false);
    await world.put(`/_sandbox/customers/${to}/window`, { open: true });
    await world.register('https://sink.sandbox/app', ['message.received']);
    const timeline = [{ at: '+5m', inbound: { phone: to, text: 'Hello?' } }];
    await world.put('/_sandbox/scenario', { version: 1, name: 'later', timeline });

    expect((await set(world, { now })).status).toBe(200);
    expect(await world.get(`/v1/templates/${approved}`)).toMatchObject({ status: 'approved', created_at: now });
    expect(await world.get(`/_sandbox/templates/${pending}`)).toMatchObject({
      planned: [{ status: 'approved', at: '2026-03-01T09:00:01.000Z' }],
    });
    expect(await world.get(`/_sandbox/customers/${to}`)).toMatchObject({
      window: { open: true, closes_at: '2026-03-02T09:00:00.000Z' },
    });
    expect(await world.items('/_sandbox/webhooks')).toMatchObject([{ created_at: now, updated_at: now }]);
    expect(await world.events()).toMatchObject([
      { type: 'template.status', created_at: now, data: { template_id: approved, timestamp: now } },
    ]);
    await world.advance('5m');
    expect((await world.events('?type=message.received')).map(({ created_at: at }) => at)).toEqual([
      '2026-03-01T09:05:00.000Z',
    ]);
  });

  it.each([
    ['a message', (world: World) => world.text()],
    ['an inbound message', (world: World) => world.inbound(to)],
    [
      'a one-time code',
      async (world: World) => {
        await world.template('code', { category: 'authentication' });
        await world.post('/v1/otp/send', { to });
      },
    ],
    ['an event', (world: World) => world.post('/_sandbox/events', { type: 'otp.verified' })],
  ])('is refused after %s, and the advice works', async (_what, happen) => {
    const world = newWorld(sandbox);
    await happen(world);
    const { status, body } = await world.call('PUT', '/_sandbox/clock', { mode: 'frozen', now });
    expect([status, body.error.code]).toEqual([400, 'validation_error']);
    const advice = /POST (\S+) (\{.*\}\})/.exec(body.error.message);
    await world.post(advice?.[1] ?? '', JSON.parse(advice?.[2] ?? '{}'));
    expect(await world.clock()).toMatchObject({ now, mode: 'frozen' });
  });
});

describe('a reset that says how to begin', () => {
  it('starts at the instant with the scenario, whose own clock does not count', async ({ world }) => {
    await world.text();
    const scenario = {
      version: 1,
      name: 'mine',
      clock: '2031-01-01T00:00:00Z',
      given: { templates: [{ name: 'hello', category: 'utility', language: 'en', body: 'Hi' }] },
    };
    await world.post('/_sandbox/reset', { clock: { mode: 'frozen', now }, scenario });
    expect(await world.clock()).toMatchObject({ now, mode: 'frozen' });
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'mine', activated_at: now });
    expect(await world.items('/_sandbox/templates')).toMatchObject([{ name: 'hello', created_at: now }]);
    expect(await world.items('/_sandbox/messages')).toEqual([]);
  });

  it('takes a scenario by name, and a speed', async ({ world }) => {
    await world.post('/_sandbox/reset', { clock: { scale: 60 }, scenario: 'flaky-api' });
    expect(await world.clock()).toMatchObject({ mode: 'scaled', scale: 60 });
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'flaky-api' });
  });

  it.each([
    [{ scenario: 'flaky-apj' }, 404, 'not_found', /Did you mean "flaky-api"\?/],
    [{ scenario: { version: 1, rules: 5 } }, 400, 'scenario_invalid', /^The scenario has one error/],
    [{ clock: { now: '2026-02-30T00:00:00Z' } }, 400, 'validation_error', /^clock\.now /],
    [{ clock: { mode: 'frozen', scale: 2 } }, 400, 'validation_error', /scale/],
    [{ keep: ['clock'], clock: { mode: 'frozen' } }, 400, 'validation_error', /names clock/],
    [{ keep: ['scenario'], scenario: 'flaky-api' }, 400, 'validation_error', /names scenario/],
  ])('changes nothing when it is refused: %j', async (body, status, code, message) => {
    const world = newWorld(sandbox);
    await world.text();
    const answer = await world.call('POST', '/_sandbox/reset', body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.message).toMatch(message);
    expect(await world.items('/_sandbox/messages')).toHaveLength(1);
  });
});

describe.each([
  ['PUT clock', (world: World) => set(world, { mode: 'frozen', now })],
  ['a reset with a clock', (world: World) => world.post('/_sandbox/reset', { clock: { mode: 'frozen', now } })],
])('on an account that is set to the past by %s', (_how, toThePast) => {
  it('magic numbers and template names apply, and rules without a time', async ({ world }) => {
    await world.clock();
    await toThePast(world);
    await world.put('/_sandbox/customers/+12025550121/window', { open: true });
    const failing = await world.reply('+12025550121');
    const never = await world.template('order_never', {}, false);
    const limited = await world.call('POST', '/v1/messages', { to: '+12025550140', type: 'text', text: 'Hi' });
    expect(limited).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    await world.advance('1h');
    expect(await world.get(`/_sandbox/messages/${failing}`)).toMatchObject({ status: 'failed' });
    expect(await world.get(`/v1/templates/${never}`)).toMatchObject({ status: 'pending' });
  });
});

it('a rule that was added before the clock was set to the past applies, unless its time is over', async ({ world }) => {
  const refuse = { when: 'message.send', then: { respond: { status: 503 } } };
  await world.post('/_sandbox/rules', { id: 'always', ...refuse });
  await set(world, { now });
  const sent = await world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' });
  expect(sent.status).toBe(503);
});
