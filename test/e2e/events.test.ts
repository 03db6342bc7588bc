import { verify } from '@octokit/webhooks-methods';
import { describe, expect } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { DocumentCheck } from '../support/document-check.js';
import { receiver, type Received, type Receiver } from '../support/receivers.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';
import { dialects } from '../support/strange-dialect.js';

const to = '+12025550110';
const types = ['message.received', 'message.status', 'otp.verified', 'template.status'] as const;

interface Emitted {
  readonly event: Control['Event'];
  readonly deliveries: Control['Delivery'][];
}
const emit = (world: World, body: object) => world.post<Emitted>('/_sandbox/events', body);

/** Creates records of every kind, so that events can refer to real ones. */
async function lived(world: World): Promise<void> {
  await world.template('order_shipped');
  await world.template('login', { category: 'authentication', body: '{{1}}' });
  await world.inbound(to);
  await world.reply(to);
  const { otp_id } = await world.post<{ otp_id: string }>('/v1/otp/send', { to });
  const { code } = await world.get<{ code: string }>(`/_sandbox/otps/${otp_id}`);
  await world.post('/v1/otp/verify', { otp_id, code });
  await world.advance('5s');
}

/** Events are listed in our words, in any dialect. */
const ours = new DocumentCheck();
const factFaults = ({ seq: _seq, ...fact }: Control['Event']) => ours.event(JSON.stringify(fact));

describe.each(dialects)('an event on demand, in the $name dialect', ({ dialect, inOurs }) => {
  const { sandbox, it } = useSandbox({ clock: frozen, dialect });
  const check = new DocumentCheck(dialect);
  /** Returns the violations of the API document by a delivered event. */
  const faultsOf = (body: string) => check.event(body);
  const first = ({ received: [request] }: Receiver): Received => inOurs(request!);

  it.each(types)('of type %s is valid, signed and delivered, made up or from real records', async (type) => {
    for (const prepare of [() => Promise.resolve(), lived]) {
      const app = await receiver();
      const world = newWorld(sandbox);
      await prepare(world);
      const { secret, webhook_id } = await world.register(app.url(), [type]);
      const { event, deliveries } = await emit(world, { type });
      expect(deliveries).toMatchObject([{ event_id: event.id, webhook_id, state: 'delivered' }]);
      const [request] = app.received;
      expect(faultsOf(request?.body ?? '{}')).toEqual([]);
      expect(await verify(secret, request?.body ?? '', String(request?.headers['x-service-signature']))).toBe(true);
      expect(first(app).headers['x-service-event']).toBe(type);
      expect(JSON.parse(first(app).body)).toMatchObject({ id: event.id, type, data: event.data });
      expect(await world.events(`?type=${type}`)).toContainEqual(event);
    }
  });

  it.each([
    ['message.received', { text: 'hello', from: '+12025550155', profile_name: 'Grace' }],
    ['message.status', { to: '+12025550156', status: 'failed', error: { code: 'x', message: 'y', channel_code: 1 } }],
    ['otp.verified', { to: '+12025550157' }],
    ['template.status', { name: 'my_own', status: 'rejected', rejection_reason: 'No.' }],
  ])('of type %s carries the data it is given', async (type, data) => {
    const world = newWorld(sandbox);
    const { event, deliveries } = await emit(world, { type, data });
    expect(event.data).toMatchObject(data);
    expect(deliveries).toEqual([]);
    expect(factFaults(event)).toEqual([]);
  });

  it('tells of the record that its id names', async ({ world }) => {
    const id = await world.text('+12025550111');
    await world.text('+12025550112');
    const { event } = await emit(world, { type: 'message.status', data: { message_id: id, status: 'read' } });
    expect(event.data).toMatchObject({ message_id: id, to: '+12025550111', type: 'text', status: 'read' });
    expect((await world.events(`?message_id=${id}`)).at(-1)).toEqual(event);
    // An event on demand does not change the record that it refers to.
    expect(await world.get(`/v1/messages/${id}`)).toMatchObject({ status: 'sent' });
  });

  it('of a failure says why, of anything else does not', async ({ world }) => {
    const id = await world.text();
    const told = async (data: object) => (await emit(world, { type: 'message.status', data })).event.data;
    expect(await told({ message_id: id, status: 'failed' })).toMatchObject({ error: { channel_code: 131026 } });
    await world.post(`/_sandbox/messages/${id}/status`, { status: 'failed', error: 131049 });
    expect(await told({ message_id: id })).toMatchObject({ status: 'failed', error: { channel_code: 131049 } });
    expect(await told({ message_id: id, status: 'delivered' })).toMatchObject({ status: 'delivered', error: null });
    expect(await told({ status: 'failed', error: null })).toMatchObject({ error: null });
  });

  it.each([
    ['message.received', { type: 'interactive' }, { interactive: { id: 'yes', title: 'Yes' } }],
    ['message.received', { interactive: { id: 'a', title: 'A' } }, { type: 'interactive' }],
    ['message.received', { type: 'image' }, { media_url: expect.stringMatching(/^https:.*\.jpg$/) as string }],
    ['message.received', { type: 'document', text: 'Invoice' }, { text: 'Invoice' }],
    ['message.received', { media_url: 'https://cdn.test/a.png' }, { type: 'image' }],
    ['message.received', { type: 'text' }, { text: expect.any(String) as string }],
    ['template.status', { status: 'rejected' }, { rejection_reason: expect.any(String) as string }],
    ['template.status', { status: 'approved' }, { rejection_reason: null }],
    ['template.status', { status: 'rejected', rejection_reason: null }, { rejection_reason: null }],
    ['message.status', { status: 'failed' }, { error: { channel_code: 131026 } }],
    ['otp.verified', {}, { to: expect.stringMatching(/^\+1/) as string }],
  ])('of type %s fills in what fits %j', async (type, data, filledIn) => {
    const world = newWorld(sandbox);
    const { event } = await emit(world, { type, data });
    expect(event.data).toMatchObject({ ...data, ...filledIn });
    const texts = 'text' in data || ('type' in event.data && event.data.type === 'text');
    expect('text' in event.data).toBe(texts);
    expect(factFaults(event)).toEqual([]);
  });

  it('of a rejection tells the reason of the template, of an approval none', async ({ world }) => {
    const id = await world.template('promo', {}, false);
    await world.post(`/_sandbox/templates/${id}/review`, { decision: 'rejected', reason: 'Shouts.' });
    const told = async (data?: object) => (await emit(world, { type: 'template.status', data })).event.data;
    expect(await told()).toMatchObject({ template_id: id, status: 'rejected', rejection_reason: 'Shouts.' });
    expect(await told({ status: 'approved' })).toMatchObject({ status: 'approved', rejection_reason: null });
  });

  it('of a tap tells of a button that the customer was sent', async ({ world }) => {
    await world.inbound(to);
    const buttons = [{ id: 'later', title: 'Later' }];
    await world.post('/v1/messages', { to, type: 'interactive', interactive: { body: 'Now?', buttons } });
    const { event } = await emit(world, { type: 'message.received', data: { from: to, type: 'interactive' } });
    expect(event.data).toMatchObject({ interactive: buttons[0] });
  });

  it('is delivered and shown whole up to 64 KiB of data, and refused above', async ({ world }) => {
    const app = await receiver();
    await world.register(app.url(), ['message.received']);
    const text = 'é'.repeat(30_000);
    const { event } = await emit(world, { type: 'message.received', data: { text } });
    expect(event).toMatchObject({ data: { text } });
    expect(event).not.toHaveProperty('truncated');
    expect((JSON.parse(first(app).body) as { data: object }).data).toMatchObject({ text });
    const larger = { type: 'message.received', data: { text: 'é'.repeat(33_000) } };
    expect(await world.call('POST', '/_sandbox/events', larger)).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large', message: expect.stringContaining('64 KiB') as string } },
    });
  });

  it('has fields of its type only, unless the caller allows more', async ({ world }) => {
    const wrong = await world.call('POST', '/_sandbox/events', { type: 'otp.verified', data: { too: 'x' } });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('did you mean to?') as string } },
    });
    const { event } = await emit(world, { type: 'otp.verified', data: { extra: [1] }, allow_unknown: true });
    expect(event.data).toMatchObject({ extra: [1] });
  });

  it('of a message from a customer opens the window, as if the customer had written', async ({ world }) => {
    await emit(world, { type: 'message.received', data: { from: to, text: 'Hi', profile_name: 'Ada' } });
    expect(await world.get(`/_sandbox/customers/${to}`)).toMatchObject({ profile_name: 'Ada', window: { open: true } });
    const said = await world.get<{ items: object[] }>(`/_sandbox/customers/${to}/messages`);
    expect(said.items).toMatchObject([{ direction: 'inbound', from: to, text: 'Hi' }]);
    await world.reply(to);
  });

  it('of a message from a customer is stored once, and only with values that a message can have', async ({ world }) => {
    const { event } = await emit(world, {
      type: 'message.received',
      data: { from: to, interactive: { id: 'a', title: 'A' } },
    });
    await emit(world, { type: 'message.received', data: { from: to, message_id: event.data['message_id'] } });
    const webhook = { body: 'unknown_type' };
    await emit(world, { type: 'message.received', data: { from: to, text: 5 }, webhook });
    const { items } = await world.get<{ items: object[] }>('/_sandbox/messages?direction=inbound');
    expect(items).toMatchObject([{ type: 'interactive', interactive: { id: 'a', title: 'A' } }]);
  });

  it.each([
    ['message.received', { interactive: { id: 'a' } }, 'data.interactive.title', /is required; give a text/],
    ['message.status', { timestamp: 'now' }, 'data.timestamp', /must be an instant in UTC.*"now"/],
  ])('of type %s is refused with data that its schema does not allow: %j', async (type, data, field, problem) => {
    const world = newWorld(sandbox);
    const answer = await world.call('POST', '/_sandbox/events', { type, data });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
    const details = answer.body.error.details ?? [];
    expect(details.map((detail) => detail.field)).toContain(field);
    expect(details.find((detail) => detail.field === field)?.message).toMatch(problem);
    expect(await world.events()).toEqual([]);
  });

  it('of a type that nobody knows carries whatever it is given', async () => {
    const app = await receiver();
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.status']);
    const data = { status: 'bogus', to: 5 };
    await emit(world, { type: 'message.status', data, webhook: { body: 'unknown_type' } });
    await world.idle();
    const type = 'message.status.not_known_yet';
    expect(JSON.parse(first(app).body)).toMatchObject({ type, data });
    expect(first(app).headers['x-service-event']).toBe(type);
  });

  it('goes to the endpoint that is named alone, subscribed or not', async () => {
    const [one, two] = [await receiver(), await receiver()];
    const world = newWorld(sandbox);
    await world.register(one.url(), ['otp.verified']);
    const { webhook_id } = await world.register(two.url(), ['message.status']);
    await emit(world, { type: 'otp.verified', webhook_id });
    await world.idle();
    expect([one.received.length, two.received.length]).toEqual([0, 1]);
    expect(await world.call('POST', '/_sandbox/events', { type: 'otp.verified', webhook_id: 'none' })).toMatchObject({
      status: 404,
    });
  });
});

describe('the delivery log', () => {
  const { sandbox, it } = useSandbox({ clock: frozen });

  it.each(['/_sandbox/deliveries?event=message.sttus', '/_sandbox/wait?for=delivery&event=message.sttus'])(
    'refuses what can be no event: %s',
    async (path) => {
      const message = expect.stringMatching(
        /^must be an id such as evt_\w+, or a type of event: message\.received, .*; found "message\.sttus"/,
      ) as string;
      expect(await newWorld(sandbox).call('GET', path)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', details: [{ field: 'event', message }] } },
      });
    },
  );

  it('tells a wait for a type what it missed', async ({ world }) => {
    await world.register('https://sink.sandbox/app', types);
    await emit(world, { type: 'otp.verified' });
    const { body } = await world.call('GET', '/_sandbox/wait?for=delivery&event=message.status&timeout=0ms');
    expect(body.error.near_misses).toMatchObject([
      {
        differs: [
          {
            field: 'event',
            expected: 'message.status',
            found: expect.stringMatching(/^evt_.*, otp\.verified$/) as string,
          },
        ],
      },
    ]);
    expect(await world.call('GET', '/_sandbox/wait?for=delivery&event=otp.verified')).toMatchObject({ status: 200 });
  });

  it('finds one by the id that travelled in its header', async () => {
    const app = await receiver();
    const world = newWorld(sandbox);
    await world.register(app.url(), ['otp.verified']);
    await emit(world, { type: 'otp.verified' });
    await world.idle();
    const id = String(app.received[0]?.headers['x-service-delivery']);
    expect(await world.get(`/_sandbox/deliveries/${id}`)).toMatchObject({ id, state: 'delivered' });
    expect(await world.call('GET', '/_sandbox/deliveries/none')).toMatchObject({ status: 404 });
  });
});
