import { verify } from '@octokit/webhooks-methods';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld, type Control, type World } from '../support/client.js';
import { startReceiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';

const start = Date.UTC(2026, 2, 1, 9);
/** The frozen instant so many minutes after the start. */
const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();

let sandbox: Sandbox;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs: start } });
});
afterAll(() => sandbox.close());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()));
});

/** A receiver whose answers are `answer`'s, by the count of requests so far, from 1. */
async function answering(answer: (count: number) => number) {
  let count = 0;
  const app = await startReceiver((response) => response.writeHead(answer((count += 1))).end());
  opened.push(app);
  return app;
}

const endpoints = (world: World) => world.items<Control['Endpoint']>('/_sandbox/webhooks');

async function shownWebhooks(world: World) {
  return (await world.get<{ webhooks: Record<string, unknown>[] }>('/v1/webhooks')).webhooks;
}

/** An endpoint that has failed for 24 hours because of one event. */
async function pausedWorld() {
  const state = { status: 500 };
  const app = await answering(() => state.status);
  const world = newWorld(sandbox);
  const registered = await world.register(app.url('/hooks'), ['message.received']);
  const { event_id } = await world.inbound('+12025550110', { text: 'Anyone there?' });
  await world.advance('24h');
  return { state, app, world, registered, event_id };
}

describe('the timetable of a failing delivery', () => {
  const timetable = [0, 1, 6, 36, ...Array.from({ length: 23 }, (_, i) => 96 + 60 * i)];

  it('makes 27 attempts in 24 hours, each at its minute, and pauses the endpoint at 24 h to the millisecond', async () => {
    const app = await answering(() => 503);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.idle();
    const { deliveries } = await world.post<Control['AdvanceResult']>('/_sandbox/clock/advance', {
      to: new Date(start + 24 * 3_600_000 - 1).toISOString(),
    });
    expect(timetable).toHaveLength(27);
    expect(deliveries).toBe(26);
    const [before] = await world.deliveries();
    expect(before?.attempts.map((attempt) => attempt.at)).toEqual(timetable.map(at));
    expect(before?.attempts.map(({ number }) => number)).toEqual(timetable.map((_, i) => i + 1));
    expect(before).toMatchObject({ state: 'retrying', next_attempt_at: at(96 + 60 * 23) });
    expect(await endpoints(world)).toMatchObject([{ status: 'active', failing_since: at(0) }]);
    expect((await shownWebhooks(world))[0]).not.toHaveProperty('pause_reason');

    const { ran } = await world.advance('1ms');
    expect(ran).toEqual([{ at: at(24 * 60), job: 'endpoint.pause', subject: before?.webhook_id }]);
    const [shown] = await shownWebhooks(world);
    expect(shown).toMatchObject({ status: 'paused', updated_at: at(24 * 60) });
    expect(shown?.pause_reason).toContain(at(0));
    expect(await world.deliveries()).toMatchObject([{ state: 'held', next_attempt_at: null }]);
    await world.advance('7d');
    expect(app.received).toHaveLength(27);
    expect((await world.clock()).pending).toBe(0);
  });

  it('counts each gap from the attempt before it, however far an advance goes at once', async () => {
    const app = await answering(() => 500);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('59s');
    expect(app.received).toHaveLength(1);
    await world.advance('1s');
    expect(app.received).toHaveLength(2);
    await world.advance('4m59s999ms');
    expect(app.received).toHaveLength(2);
    const moved = await world.advance('1ms');
    expect(moved.ran).toMatchObject([{ at: at(6), job: 'delivery.attempt' }]);
    expect(moved.deliveries).toBe(1);
    expect(app.received).toHaveLength(3);
  });

  it('ends with the first success', async () => {
    const app = await answering((count) => (count < 4 ? 500 : 200));
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('48h');
    const [delivery] = await world.deliveries();
    expect(delivery).toMatchObject({ state: 'delivered', next_attempt_at: null });
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
    expect(await endpoints(world)).toMatchObject([{ status: 'active', failing_since: null }]);
    expect((await world.clock()).pending).toBe(0);
  });
});

describe('the run of failures that pauses an endpoint', () => {
  it('is ended by any success, so an endpoint that works now and then is never paused', async () => {
    // The old event never gets through; every new one does.
    const world = newWorld(sandbox);
    const app = await startReceiver((response, { body }) => {
      response.writeHead(body.includes('poison') ? 500 : 200).end();
    });
    opened.push(app);
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110', { text: 'poison' });
    for (let day = 0; day < 3; day += 1) {
      await world.advance('23h');
      expect(await endpoints(world)).toMatchObject([{ status: 'active' }]);
      await world.inbound('+12025550111', { text: 'fine' });
      await world.idle();
      expect(await endpoints(world)).toMatchObject([{ status: 'active', failing_since: null }]);
    }
    const [stuck, ...fine] = await world.deliveries();
    expect(stuck).toMatchObject({ state: 'retrying' });
    expect(fine.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
    // The next failure begins a new run, and 24 h after its start the endpoint is paused.
    await world.advance('1h');
    const [{ failing_since } = { failing_since: null }] = await endpoints(world);
    expect(Date.parse(failing_since ?? '')).toBeGreaterThan(start + 69 * 3_600_000);
    await world.post('/_sandbox/clock/advance', {
      to: new Date(Date.parse(failing_since ?? '') + 86_399_999).toISOString(),
    });
    expect(await endpoints(world)).toMatchObject([{ status: 'active' }]);
    await world.advance('1ms');
    expect(await endpoints(world)).toMatchObject([{ status: 'paused' }]);
  });

  it('belongs to one endpoint: of two that fail, each is paused at its own time', async () => {
    const [first, second, healthy] = [
      await answering(() => 500),
      await answering(() => 500),
      await answering(() => 200),
    ];
    const world = newWorld(sandbox);
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
    const app = await answering(() => 500);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.idle();
    // A second event an hour and 36 minutes before the deadline has its fifth attempt at that instant exactly.
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

  it('is survived by a success at the very instant of the deadline', async () => {
    const state = { status: 500 };
    const app = await answering(() => state.status);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.idle();
    await world.post('/_sandbox/clock/advance', { to: at(24 * 60 - 96) });
    await world.inbound('+12025550111');
    await world.post('/_sandbox/clock/advance', { to: new Date(start + 86_399_999).toISOString() });
    state.status = 200;
    const { ran } = await world.advance('1ms');
    expect(ran.map(({ job }) => job)).toEqual(['delivery.attempt']);
    expect(await endpoints(world)).toMatchObject([{ status: 'active', failing_since: null }]);
  });
});

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
    expect(shown).not.toHaveProperty('secret');

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
    const world = newWorld(sandbox);
    const { webhook_id } = await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('30s');
    const paused = await world.put(`/_sandbox/webhooks/${webhook_id}`, { status: 'paused' });
    expect(paused).toMatchObject({ status: 'paused', failing_since: null, updated_at: at(0.5) });
    expect((await shownWebhooks(world))[0]?.pause_reason).toMatch(/control plane/);
    expect(await world.deliveries()).toMatchObject([{ state: 'held' }]);
    const active = await world.put(`/_sandbox/webhooks/${webhook_id}`, { status: 'active' });
    expect(active).toMatchObject({ status: 'active' });
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
      const open: (() => void)[] = [];
      const app = await startReceiver((response) => open.push(() => response.writeHead(status).end()));
      opened.push(app);
      const world = newWorld(sandbox);
      const { webhook_id } = await world.register(app.url(), ['message.received']);
      const arrived = app.nextRequest();
      await world.inbound('+12025550110');
      await arrived;
      await world.put(`/_sandbox/webhooks/${webhook_id}`, { status: 'paused' });
      open.forEach((release) => release());
      await world.idle();
      expect(await world.deliveries()).toMatchObject([{ state, attempts: [{ status }], next_attempt_at: null }]);
      expect((await world.clock()).pending).toBe(0);
    }
  });
});

describe('removal of an endpoint', () => {
  it('drops what it was still owed, and says so', async () => {
    const [gone, stays] = [await answering(() => 500), await answering(() => 500)];
    const world = newWorld(sandbox);
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

  it('while an attempt is in flight leaves the attempt on record and plans no other', async () => {
    const open: (() => void)[] = [];
    const app = await startReceiver((response) => open.push(() => response.writeHead(500).end()));
    opened.push(app);
    const world = newWorld(sandbox);
    const { webhook_id } = await world.register(app.url(), ['message.received']);
    const arrived = app.nextRequest();
    await world.inbound('+12025550110');
    await arrived;
    await world.delete(`/v1/webhooks/${webhook_id}`);
    open.forEach((release) => release());
    await world.idle();
    expect(await world.deliveries()).toMatchObject([{ state: 'dropped', attempts: [{ number: 1, status: 500 }] }]);
    expect((await world.clock()).pending).toBe(0);
  });
});

describe('redelivery', () => {
  it('of a retrying delivery makes its next attempt now and starts the timetable over', async () => {
    const app = await answering(() => 500);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('10m');
    const [{ id } = { id: '' }] = await world.deliveries();
    expect(await world.post(`/_sandbox/deliveries/${id}/redeliver`)).toMatchObject({
      id,
      state: 'pending',
      next_attempt_at: at(10),
    });
    await world.advance('36m');
    const { attempts } = await world.get<Control['Delivery']>(`/_sandbox/deliveries/${id}`);
    expect(attempts.map((attempt) => attempt.at)).toEqual([0, 1, 6, 10, 11, 16, 46].map(at));
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(attempts.map(({ trigger }) => trigger === 'redelivery')).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  it('of a delivered event sends the same id and bytes again', async () => {
    const app = await answering(() => 200);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    const { event_id } = await world.inbound('+12025550110');
    await world.idle();
    await world.post(`/_sandbox/events/${event_id}/redeliver`);
    await world.idle();
    expect(app.received.map(({ headers }) => headers['x-service-event-id'])).toEqual([event_id, event_id]);
    expect(app.received[1]?.body).toBe(app.received[0]?.body);
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{ number: 1 }, { number: 2 }] }]);
  });

  it('while an attempt is in flight makes one more, and one timetable goes on', async () => {
    const open: (() => void)[] = [];
    const app = await startReceiver((response) => open.push(() => response.writeHead(500).end()));
    opened.push(app);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    let arrived = app.nextRequest();
    await world.inbound('+12025550110');
    await arrived;
    const [{ id } = { id: '' }] = await world.deliveries();
    arrived = app.nextRequest();
    await world.post(`/_sandbox/deliveries/${id}/redeliver`);
    await arrived;
    open.forEach((release) => release());
    await world.idle();
    const { attempts, next_attempt_at } = await world.get<Control['Delivery']>(`/_sandbox/deliveries/${id}`);
    expect(attempts.map(({ number }) => number).sort()).toEqual([1, 2]);
    expect(next_attempt_at).toBe(at(1));
    expect(app.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
    // The retry and the pause deadline; a second retry would be one too many.
    expect((await world.clock()).pending).toBe(2);
  });

  it('goes to every endpoint that is subscribed now, or to the one that is named', async () => {
    const [early, late, other] = [await answering(() => 200), await answering(() => 200), await answering(() => 200)];
    const world = newWorld(sandbox);
    await world.register(early.url(), ['message.received']);
    const { event_id } = await world.inbound('+12025550110');
    await world.idle();
    await world.register(late.url(), ['message.received']);
    const { webhook_id } = await world.register(other.url(), ['otp.verified']);
    await world.post(`/_sandbox/events/${event_id}/redeliver`);
    await world.idle();
    expect([early, late, other].map(({ received }) => received.length)).toEqual([2, 1, 0]);
    await world.post(`/_sandbox/events/${event_id}/redeliver`, { webhook_id });
    await world.idle();
    expect([early, late, other].map(({ received }) => received.length)).toEqual([2, 1, 1]);
    expect(new Set([early, late, other].flatMap(({ received }) => received.map(({ body }) => body))).size).toBe(1);
  });

  it('of what does not exist is 404', async () => {
    const world = newWorld(sandbox);
    for (const path of ['/_sandbox/events/evt_none/redeliver', '/_sandbox/deliveries/none/redeliver']) {
      expect(await world.call('POST', path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
    const { event_id } = await world.inbound('+12025550110');
    const unknown = await world.call('POST', `/_sandbox/events/${event_id}/redeliver`, { webhook_id: 'none' });
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});
