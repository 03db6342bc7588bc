import { describe, expect, it } from 'vitest';
import type { Control, World } from '../support/client.js';
import { answering, at, start, useFrozenReceivers } from '../support/frozen-receivers.js';

const { newWorld, written } = useFrozenReceivers();

const endpoints = (world: World) => world.items<Control['Endpoint']>('/_sandbox/webhooks');

async function shownWebhooks(world: World) {
  return (await world.get<{ webhooks: Record<string, unknown>[] }>('/v1/webhooks')).webhooks;
}

describe('an answer with a status that HTTP does not know', () => {
  it('is a failure like any other, and shown as it came', async () => {
    const { world } = await written(() => 999);
    expect(await world.deliveries()).toMatchObject([{ state: 'retrying', attempts: [{ status: 999 }] }]);
  });
});

describe('the retry schedule of a failing delivery', () => {
  const schedule = [0, 1, 6, 36, ...Array.from({ length: 23 }, (_, i) => 96 + 60 * i)];

  it('makes 27 attempts in 24 hours, each at its minute, and pauses the endpoint at 24 h to the millisecond', async () => {
    const { app, world } = await written(() => 503);
    const { deliveries } = await world.post<Control['AdvanceResult']>('/_sandbox/clock/advance', {
      to: new Date(start + 24 * 3_600_000 - 1).toISOString(),
    });
    expect(schedule).toHaveLength(27);
    expect(deliveries).toBe(26);
    const [before] = await world.deliveries();
    expect(before?.attempts.map((attempt) => attempt.at)).toEqual(schedule.map(at));
    expect(before?.attempts.map(({ number }) => number)).toEqual(schedule.map((_, i) => i + 1));
    expect(before).toMatchObject({ state: 'retrying', next_attempt_at: at(96 + 60 * 23) });
    expect(await endpoints(world)).toMatchObject([{ status: 'active', failing_since: at(0) }]);
    expect((await shownWebhooks(world))[0]).not.toHaveProperty('pause_reason');

    const { ran } = await world.advance('1ms');
    expect(ran).toMatchObject([{ at: at(24 * 60), job: 'endpoint.pause', subject: before?.webhook_id }]);
    const [shown] = await shownWebhooks(world);
    expect(shown).toMatchObject({ status: 'paused', updated_at: at(24 * 60) });
    expect(shown?.pause_reason).toContain(at(0));
    expect(await world.deliveries()).toMatchObject([{ state: 'held', next_attempt_at: null }]);
    await world.advance('7d');
    expect(app.received).toHaveLength(27);
    expect((await world.clock()).pending).toBe(0);
  });

  it('ends with the first success', async () => {
    const { world } = await written((count) => (count < 4 ? 500 : 200));
    await world.advance('48h');
    const [delivery] = await world.deliveries();
    expect(delivery).toMatchObject({ state: 'delivered', next_attempt_at: null });
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
    expect(await endpoints(world)).toMatchObject([{ status: 'active', failing_since: null }]);
    expect((await world.clock()).pending).toBe(0);
  });
});

describe('the run of failures that pauses an endpoint', () => {
  it('belongs to one endpoint: of two that fail, each is paused at its own time', async () => {
    const [first, second, healthy] = [
      await answering(() => 500),
      await answering(() => 500),
      await answering(() => 200),
    ];
    const world = newWorld();
    await world.register(first.url(), ['message.received']);
    await world.register(healthy.url(), ['message.received', 'otp.verified']);
    await world.inbound('+12025550110');
    await world.advance('2h');
    await world.register(second.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('22h');
    expect((await endpoints(world)).map(({ status }) => status)).toEqual(['paused', 'active', 'active']);
    await world.advance('2h');
    expect((await endpoints(world)).map(({ status }) => status)).toEqual(['paused', 'active', 'paused']);
    const states = (await world.deliveries()).map(({ url, state }) => [url, state]);
    expect(states).toEqual([
      [first.url(), 'held'],
      [healthy.url(), 'delivered'],
      [first.url(), 'held'],
      [healthy.url(), 'delivered'],
      [second.url(), 'held'],
    ]);
    expect(healthy.received).toHaveLength(2);
  });

  it('an attempt that is due at the very instant of the deadline is made first', async () => {
    const { world } = await written(() => 500);
    // A second event, an hour and 36 minutes before the deadline, has its fifth attempt at exactly that instant.
    await world.post('/_sandbox/clock/advance', { to: at(24 * 60 - 96) });
    await world.inbound('+12025550111');
    const { ran } = await world.advance('96m');
    expect(ran.slice(-2)).toMatchObject([
      { at: at(24 * 60), job: 'delivery.attempt' },
      { at: at(24 * 60), job: 'endpoint.pause' },
    ]);
    expect(await endpoints(world)).toMatchObject([{ status: 'paused' }]);
    expect((await world.deliveries()).map(({ state }) => state)).toEqual(['held', 'held']);
    expect((await world.clock()).pending).toBe(0);
  });
});

it('which retries a rule strikes is decided in the order in which they come due, over all endpoints', async () => {
  const world = newWorld();
  const apps = [await answering(() => 500), await answering(() => 500)];
  for (const app of apps) await world.register(app.url('/hooks'), ['message.received']);
  for (const text of ['one', 'two']) await world.inbound('+12025550110', { text });
  await world.idle();
  await world.post('/_sandbox/rules', {
    when: 'webhook.deliver',
    match: { attempts: 2 },
    pick: { every: 2 },
    then: { webhook: { receiver: { simulate: 200 } } },
  });
  await world.advance('1m');
  const states = (await world.deliveries()).map(({ state, url }) => [state, url === apps[1]?.url('/hooks')]);
  expect(states).toEqual([
    ['retrying', false],
    ['delivered', true],
    ['retrying', false],
    ['delivered', true],
  ]);
});
