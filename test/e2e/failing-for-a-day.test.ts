/** Which delivery pauses its endpoint, which one fails without a pause, and what happens to held ones on resumption. */
import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../src/dialect/index.js';
import { closing } from '../support/closing.js';
import { newWorld, type Control, type World } from '../support/client.js';
import { at, start } from '../support/frozen-receivers.js';
import { ManualHost } from '../support/manual-host.js';
import { holdingReceiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const sink = 'https://sink.sandbox/app';

/** An account on a frozen clock, with a sink as its receiver. */
async function open(webhooks: Partial<typeof defaultDialect.webhooks> = {}): Promise<World> {
  const dialect = { ...defaultDialect, webhooks: { ...defaultDialect.webhooks, ...webhooks } };
  return newWorld(closing(await startTestSandbox({ clock: frozen, dialect })));
}

const respond = (world: World, status: number) => world.put('/_sandbox/sink/app', { respond: [{ status }] });
const endpoint = async (world: World) => (await world.items<Control['Endpoint']>('/_sandbox/webhooks'))[0];

/** One delivery fails from the start; every hour, another one succeeds. */
async function failAmongSuccesses(world: World, hours: number): Promise<string | undefined> {
  await world.register(sink, ['message.received']);
  const simulate = { receiver: { simulate: 500 } };
  const { event } = await world.post<{ event: Control['Event'] }>('/_sandbox/events', {
    type: 'message.received',
    webhook: simulate,
  });
  for (let hour = 0; hour < hours; hour += 1) {
    await world.advance('1h');
    await world.inbound('+12025550110');
    await world.idle();
  }
  return (await world.deliveries(`?event=${event.id}`))[0]?.id;
}

describe('a delivery that fails for 24 hours', () => {
  it('pauses its endpoint at that instant, although others succeeded meanwhile', async () => {
    const world = await open();
    const id = await failAmongSuccesses(world, 23);
    await world.advance('59m');
    expect(await endpoint(world)).toMatchObject({ status: 'active', failing_since: at(0) });
    const { ran } = await world.advance('1m');
    expect(ran).toMatchObject([{ at: at(24 * 60), job: 'endpoint.pause' }]);
    const paused = await endpoint(world);
    expect(paused).toMatchObject({ status: 'paused', failing_since: at(0), updated_at: at(24 * 60) });
    expect(paused?.pause_reason).toContain(`Delivery ${id} (message.received) has failed since ${at(0)}`);
    expect(await world.deliveries('?state=held')).toMatchObject([{ id, attempts: { length: 27 } }]);
  });

  it('leaves the deadline to the one that has failed next longest when it succeeds', async () => {
    const world = await open();
    await world.register(sink, ['message.received']);
    await respond(world, 500);
    await world.inbound('+12025550110');
    await world.advance('30s');
    await world.inbound('+12025550111');
    await world.idle();
    expect(await endpoint(world)).toMatchObject({ failing_since: at(0) });
    const [first] = await world.deliveries();
    await respond(world, 200);
    await world.post(`/_sandbox/deliveries/${first?.id}/redeliver`);
    await world.idle();
    expect(await endpoint(world)).toMatchObject({ failing_since: at(0.5) });
    await world.advance('2m');
    expect(await endpoint(world)).toMatchObject({ failing_since: null });
    expect((await world.clock()).pending).toBe(0);
  });

  it('counts from its next failure when the URL is registered again meanwhile', async () => {
    const world = await open();
    await world.register(sink, ['message.received']);
    await respond(world, 503);
    await world.inbound('+12025550110');
    await world.advance('23h50m');
    await world.register(sink, ['message.received']);
    expect(await endpoint(world)).toMatchObject({ failing_since: null });
    await world.advance('1h');
    const since = 24 * 60 + 36;
    expect(await endpoint(world)).toMatchObject({ status: 'active', failing_since: at(since) });
    await world.advance('24h');
    expect(await endpoint(world)).toMatchObject({ status: 'paused', updated_at: at(since + 24 * 60) });
  });
});

describe('registering a URL again', () => {
  it.each([
    ['new', ['held', 'held']],
    ['held', ['delivered', 'delivered']],
  ] as const)('with webhooks.resume: %s leaves what was held %j', async (resume, states) => {
    const world = await open({ resume });
    const { webhook_id } = await world.register(sink, ['message.received']);
    await world.put(`/_sandbox/webhooks/${webhook_id}`, { status: 'paused' });
    const events = [await world.inbound('+12025550110'), await world.inbound('+12025550111')];
    await world.register(sink, ['message.received']);
    await world.idle();
    expect((await world.deliveries()).map(({ state }) => state)).toEqual(states);
    const received = await world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');
    const ids = received.map(({ headers }) => headers['x-service-event-id']);
    expect(ids).toEqual(resume === 'held' ? events.map(({ event_id }) => event_id) : []);
  });

  it('without a type drops the retries and the delayed first attempts of that type', async () => {
    const world = await open();
    await world.register(sink, ['message.received', 'otp.verified']);
    await respond(world, 503);
    await world.inbound('+12025550110');
    await world.post('/_sandbox/events', { type: 'message.received', webhook: { delay: '5m' } });
    await world.idle();
    await world.register(sink, ['otp.verified']);
    const deliveries = await world.deliveries();
    expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual([
      ['dropped', 1],
      ['dropped', 0],
    ]);
    for (const { explain } of deliveries) expect(explain?.text).toContain('(unsubscribed)');
    expect((await world.clock()).pending).toBe(0);
  });
});

describe('registering a URL again while an attempt is in flight', () => {
  /** Returns the delivery whose first attempt gets 503 after `meanwhile`. */
  async function failDuring(
    emit: (world: World, webhookId: string) => Promise<unknown>,
    meanwhile: (world: World, url: string) => Promise<unknown>,
  ): Promise<{ world: World; delivery: Control['Delivery'] | undefined }> {
    const world = await open();
    const { app, release } = await holdingReceiver(503);
    const { webhook_id } = await world.register(app.url(), ['message.received']);
    const requested = app.nextRequest();
    await emit(world, webhook_id);
    await requested;
    await meanwhile(world, app.url());
    release();
    await world.idle();
    return { world, delivery: (await world.deliveries())[0] };
  }

  it('without its type drops the retry', async () => {
    const { world, delivery } = await failDuring(
      (at) => at.inbound('+12025550110'),
      (at, url) => at.register(url, ['otp.verified']),
    );
    expect(delivery).toMatchObject({ state: 'dropped', next_attempt_at: null, attempts: [{ status: 503 }] });
    expect(delivery?.explain?.text).toContain('(unsubscribed)');
    expect((await world.clock()).pending).toBe(0);
  });

  it('without a type that it never had keeps the retry of an event that was addressed to it', async () => {
    const event = { type: 'otp.verified', settle: false };
    const { delivery } = await failDuring(
      (at, webhook_id) => at.post('/_sandbox/events', { ...event, webhook_id }),
      (at, url) => at.register(url, ['message.received']),
    );
    expect(delivery).toMatchObject({ state: 'retrying', attempts: [{ status: 503 }] });
  });
});

describe('a forged event on demand', () => {
  it.each(['wrong_secret', 'missing', 'malformed'])(
    '(%s) that is refused is not retried and pauses nothing',
    async (signature) => {
      const world = await open();
      await world.register(sink, ['message.received']);
      await respond(world, 401);
      await world.post('/_sandbox/events', { type: 'message.received', webhook: { signature } });
      await world.idle();
      const [delivery] = await world.deliveries();
      expect(delivery).toMatchObject({ state: 'failed', next_attempt_at: null, attempts: [{ status: 401 }] });
      expect(delivery?.explain?.text).toContain('Not retried');
      expect(await endpoint(world)).toMatchObject({ status: 'active', failing_since: null });
      expect((await world.clock()).pending).toBe(0);
    },
  );
});

describe('the retry schedule', () => {
  it('is exact on a scaled clock, however late the machine is', async () => {
    const host = new ManualHost(start);
    const clock = { mode: 'scaled', scale: 60, startMs: null } as const;
    const world = newWorld(closing(await startTestSandbox({ clock }, { hostTime: host })));
    await world.register(sink, ['message.received']);
    await respond(world, 500);
    await world.inbound('+12025550110');
    await world.idle();
    // A second of the machine is a minute of the account: each attempt starts 10 ms late, which is 600 ms.
    for (const ms of [1_010, 5_000, 30_000]) {
      host.tick(ms);
      await world.idle();
    }
    const [delivery] = await world.deliveries();
    expect(delivery?.attempts.map((attempt) => attempt.at)).toEqual([0, 1, 6, 36].map(at));
  });
});
