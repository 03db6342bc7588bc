import { verify } from '@octokit/webhooks-methods';
import { describe, expect, it } from 'vitest';
import type { Control, World } from '../support/client.js';
import { answering, at, useFrozenReceivers } from '../support/frozen-receivers.js';
import { receiver } from '../support/receivers.js';
import { inFlight } from '../support/scenes.js';

const { newWorld } = useFrozenReceivers();

const endpoints = (world: World) => world.items<Control['Endpoint']>('/_sandbox/webhooks');

async function shownWebhooks(world: World) {
  return (await world.get<{ webhooks: Record<string, unknown>[] }>('/v1/webhooks')).webhooks;
}

/** Returns an endpoint that has failed for 24 hours because of one event. */
async function pausedWorld() {
  const state = { status: 500 };
  const app = await answering(() => state.status);
  const world = newWorld();
  const registered = await world.register(app.url('/hooks'), ['message.received']);
  const { event_id } = await world.inbound('+12025550110', { text: 'Anyone there?' });
  await world.advance('24h');
  return { state, app, world, registered, event_id };
}

describe('a paused endpoint', () => {
  it('gets nothing; what happens meanwhile is held, with its payload and the reason', async () => {
    const { app, world, event_id } = await pausedWorld();
    const before = app.received.length;
    const later = await world.inbound('+12025550110', { text: 'Hello?' });
    await world.advance('1h');
    expect(app.received).toHaveLength(before);
    const held = await world.deliveries('?state=held');
    expect(held.map((delivery) => delivery.event_id)).toEqual([event_id, later.event_id]);
    for (const delivery of held) {
      expect(delivery).toMatchObject({ next_attempt_at: null, explain: { by: 'default' } });
      expect(delivery.explain?.text).toContain('paused');
      expect(delivery.payload).toContain(delivery.event_id);
    }
    expect(held[1]?.attempts).toEqual([]);
    expect(held[1]?.payload).toContain('Hello?');
  });

  it('resumes by registration of its URL: same id, new secret, new events, active, and its failures are forgotten', async () => {
    const { state, app, world, registered, event_id } = await pausedWorld();
    const before = app.received.length;
    const again = await world.register(app.url('/hooks'), ['message.received', 'message.status']);
    expect(again).toMatchObject({
      webhook_id: registered.webhook_id,
      status: 'active',
      events: ['message.received', 'message.status'],
    });
    expect(again.secret).not.toBe(registered.secret);
    const [shown, ...others] = await shownWebhooks(world);
    expect(others).toEqual([]);
    expect(shown).toMatchObject({
      id: registered.webhook_id,
      status: 'active',
      created_at: at(0),
      updated_at: at(1440),
    });
    expect(shown).not.toHaveProperty('pause_reason');
    expect(await endpoints(world)).toMatchObject([{ failing_since: null }]);

    await world.advance('2h');
    expect(app.received).toHaveLength(before);
    state.status = 200;
    await world.post(`/_sandbox/events/${event_id}/redeliver`);
    await world.idle();
    const request = app.received.at(-1)!;
    expect(await verify(again.secret, request.body, String(request.headers['x-service-signature']))).toBe(true);
    expect(request.body).toBe(app.received[0]!.body);
    expect(request.headers['x-service-attempt']).toBe('28');
    const [delivery] = await world.deliveries();
    expect(delivery).toMatchObject({ state: 'delivered', next_attempt_at: null });
    expect(delivery?.attempts.at(-1)).toMatchObject({ number: 28, trigger: 'redelivery', status: 200 });
  });

  it('counts a fresh 24 hours after re-registration', async () => {
    const { app, world, event_id } = await pausedWorld();
    await world.register(app.url('/hooks'), ['message.received']);
    await world.advance('30m');
    await world.post(`/_sandbox/events/${event_id}/redeliver`);
    await world.idle();
    const attempts = async () => (await world.deliveries())[0]!.attempts.slice(27).map((attempt) => attempt.at);
    await world.advance('2h');
    const again = 1440 + 30;
    expect(await attempts()).toEqual([0, 1, 6, 36, 96].map((minutes) => at(again + minutes)));
    await world.post('/_sandbox/clock/advance', { to: at(again + 1439) });
    expect(await endpoints(world)).toMatchObject([{ status: 'active', failing_since: at(again) }]);
    await world.advance('1m');
    expect(await endpoints(world)).toMatchObject([{ status: 'paused' }]);
    expect(await attempts()).toHaveLength(27);
  });

  it('keeps what is redelivered held as long as it is paused', async () => {
    const { app, world, event_id } = await pausedWorld();
    const before = app.received.length;
    const { deliveries } = await world.post<{ deliveries: Control['Delivery'][] }>(
      `/_sandbox/events/${event_id}/redeliver`,
    );
    expect(deliveries).toMatchObject([{ state: 'held', explain: { by: 'default' } }]);
    await world.advance('1h');
    expect(app.received).toHaveLength(before);
  });
});

describe('pausing by hand', () => {
  it('holds what is retrying, and resuming does not send it by itself', async () => {
    const app = await answering(() => 500);
    const world = newWorld();
    const { webhook_id } = await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('30s');
    const paused = await world.put(`/_sandbox/webhooks/${webhook_id}`, { status: 'paused' });
    expect(paused).toMatchObject({ status: 'paused', failing_since: at(0), updated_at: at(0.5) });
    expect((await shownWebhooks(world))[0]?.pause_reason).toMatch(/control plane/);
    // Neither the retry nor the deadline remains: it would pause a resumed endpoint too early.
    expect((await world.clock()).pending).toBe(0);
    expect(await world.deliveries()).toMatchObject([{ state: 'held' }]);
    const active = await world.put(`/_sandbox/webhooks/${webhook_id}`, { status: 'active' });
    expect(active).toMatchObject({ status: 'active', failing_since: null });
    expect(active).not.toHaveProperty('pause_reason');
    await world.advance('48h');
    expect(app.received).toHaveLength(1);
    expect((await world.clock()).pending).toBe(0);
  });

  it('while an attempt is in flight lets that attempt count when it succeeds, and holds when it fails', async () => {
    for (const [status, state] of [
      [200, 'delivered'],
      [500, 'held'],
    ] as const) {
      const world = newWorld();
      const { release, webhook_id } = await inFlight(world, status);
      await world.put(`/_sandbox/webhooks/${webhook_id}`, { status: 'paused' });
      release();
      await world.idle();
      expect(await world.deliveries()).toMatchObject([{ state, attempts: [{ status }], next_attempt_at: null }]);
      expect((await world.clock()).pending).toBe(0);
    }
  });
});

describe('removal of an endpoint', () => {
  it('drops what it was still owed, and says so', async () => {
    const [gone, stays] = [await answering(() => 500), await answering(() => 500)];
    const world = newWorld();
    const { webhook_id } = await world.register(gone.url(), ['message.received']);
    await world.register(stays.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('1m');
    expect((await world.call('DELETE', `/v1/webhooks/${webhook_id}`)).status).toBe(204);
    const [dropped, kept] = await world.deliveries();
    expect(dropped).toMatchObject({ state: 'dropped', next_attempt_at: null });
    expect(dropped?.explain?.text).toContain('removed');
    expect(dropped?.attempts).toHaveLength(2);
    expect(kept).toMatchObject({ state: 'retrying' });
    await world.advance('36h');
    expect(gone.received).toHaveLength(2);
    expect(stays.received).toHaveLength(27);
    expect(await endpoints(world)).toHaveLength(1);
    const missing = await world.call('DELETE', `/v1/webhooks/${webhook_id}`);
    expect(missing).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it('drops what was held for it, which nobody can redeliver to it any more', async () => {
    const gone = await answering(() => 200);
    const world = newWorld();
    const { webhook_id } = await world.register(gone.url(), ['message.received']);
    await world.put(`/_sandbox/webhooks/${webhook_id}`, { status: 'paused' });
    const { event_id } = await world.inbound('+12025550110');
    await world.delete(`/v1/webhooks/${webhook_id}`);
    const [held] = await world.deliveries();
    expect(held).toMatchObject({ state: 'dropped', explain: { text: 'Dropped: the endpoint was removed.' } });
    const again = await world.call('POST', `/_sandbox/deliveries/${held?.id}/redeliver`);
    expect(again).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(again.body.error.message).toContain(webhook_id);
    const anew = await world.register(gone.url(), ['message.received']);
    await world.post(`/_sandbox/events/${event_id}/redeliver`);
    await world.idle();
    expect(gone.received).toHaveLength(1);
    expect((await world.deliveries()).map(({ webhook_id: id, state }) => [id, state])).toEqual([
      [webhook_id, 'dropped'],
      [anew.webhook_id, 'delivered'],
    ]);
  });

  it('while an attempt is in flight leaves the attempt on record and plans no other', async () => {
    const world = newWorld();
    const { release, webhook_id } = await inFlight(world, 500);
    await world.delete(`/v1/webhooks/${webhook_id}`);
    release();
    await world.idle();
    expect(await world.deliveries()).toMatchObject([{ state: 'dropped', attempts: [{ number: 1, status: 500 }] }]);
    expect((await world.clock()).pending).toBe(0);
  });
});

it('answers of one instant do not change the order of the retries, whichever comes first', async () => {
  let answerFirst: (arrived: () => void) => void = () => undefined;
  const arrived = new Promise<() => void>((resolve) => (answerFirst = resolve));
  const app = await receiver((response, { body, headers }) => {
    const respond = () => void response.writeHead(500).end();
    if (body.includes('first') && headers['x-service-attempt'] === '1') answerFirst(respond);
    else respond();
  });
  const world = newWorld();
  await world.register(app.url('/hooks'), ['message.received']);
  for (const text of ['first', 'second']) await world.inbound('+12025550110', { text });
  await world.get('/_sandbox/wait?for=delivery&state=retrying');
  (await arrived)();
  await world.idle();
  const { ran } = await world.advance('1m');
  expect(ran.map(({ subject }) => subject)).toEqual((await world.deliveries()).map(({ id }) => id));
});
