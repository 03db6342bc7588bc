import { describe, expect } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { at, frozen } from '../support/scenes.js';

const dayMs = 86_400_000;
const ada = '+12025550110';

const { sandbox, it } = useCheckedSandbox({ clock: frozen });

const handset = (world: World, phone = ada) => world.items(`/_sandbox/customers/${phone}/messages`);
const customer = (world: World, phone = ada) => world.get<Control['Customer']>(`/_sandbox/customers/${phone}`);
const sendText = (world: World) => world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'Hi' });

describe('an inbound message', () => {
  it('opens the window, and stands on the handset', async ({ world }) => {
    const answer = await world.inbound(ada, { text: 'Where is it?', profile_name: 'Ada' });
    expect(answer.window_closes_at).toBe(at(dayMs));
    expect(await customer(world)).toMatchObject({
      phone: ada,
      profile_name: 'Ada',
      window: { open: true, closes_at: at(dayMs) },
      last_inbound_at: at(0),
    });
    expect(await handset(world)).toMatchObject([
      { message_id: answer.message_id, direction: 'inbound', from: ada, text: 'Where is it?', status: 'received' },
    ]);
  });

  it('gets a name and words when it has none', async ({ world }) => {
    for (const from of [ada, '+12025550111']) await world.inbound(from);
    const events = await world.events();
    const words = expect.stringMatching(/\w+ \w+/) as string;
    expect(events).toMatchObject([1, 2].map(() => ({ data: { text: words, profile_name: words } })));
    expect(events[0]?.data.text).not.toBe(events[1]?.data.text);
  });

  it('keeps the name that a customer once had', async ({ world }) => {
    await world.inbound(ada, { profile_name: 'Ada' });
    await world.inbound(ada);
    await world.inbound(ada, { profile_name: 'Countess' });
    expect((await world.events()).map(({ data }) => data.profile_name)).toEqual(['Ada', 'Ada', 'Countess']);
  });

  it.each([
    ['a tapped button', { type: 'interactive', interactive: { id: 'yes', title: 'Yes!' } }, { text: 'Yes!' }],
    [
      'an image with words',
      { type: 'image', media_url: 'https://cdn.test/a.png', text: 'Look' },
      { media_url: 'https://cdn.test/a.png', text: 'Look' },
    ],
    [
      'an image whose address nobody cares about',
      { type: 'image' },
      { media_url: expect.stringMatching(/^https:/) as string },
    ],
    ['a tap that is not called one', { interactive: { id: 'no', title: 'No' } }, { type: 'interactive', text: 'No' }],
    ['a bare document', { type: 'document', media_url: 'https://cdn.test/a.pdf' }, { text: null }],
  ])('may be %s', async (_what, body, shown) => {
    const world = newWorld(sandbox);
    const { event_id } = await world.inbound(ada, body);
    const event = await world.get<Control['Event']>(`/_sandbox/events/${event_id}`);
    expect(event.data).toMatchObject(body);
    expect(await handset(world)).toMatchObject([{ ...body, ...shown }]);
    if ('type' in shown) expect(event.data).not.toHaveProperty('text');
  });

  it('is refused with an address that no client could fetch', async ({ world }) => {
    const refused = await world.call('POST', '/_sandbox/inbound', { from: ada, media_url: 'ftp://x/y' });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'media_url' }] } } });
    expect(await world.events()).toEqual([]);
  });
});

describe('the window', () => {
  it('opens, closes and ends by hand, without any event', async ({ world }) => {
    const put = (body: object) => world.put<Control['Customer']>(`/_sandbox/customers/${ada}/window`, body);
    expect(await put({ open: true })).toMatchObject({
      phone: ada,
      profile_name: null,
      last_inbound_at: null,
      window: { open: true, closes_at: at(dayMs) },
    });
    expect((await sendText(world)).status).toBe(200);
    expect(await put({ open: false })).toMatchObject({ window: { open: false, closes_at: at(0) } });
    expect((await sendText(world)).status).toBe(400);
    expect(await put({ closes_at: '2026-03-01T10:00:00.5+01:00' })).toMatchObject({
      window: { open: true, closes_at: at(500) },
    });
    await world.advance('499ms');
    expect((await sendText(world)).status).toBe(200);
    await world.advance('1ms');
    expect((await sendText(world)).status).toBe(400);
    expect(await put({ closes_at: at(0) })).toMatchObject({ window: { open: false } });
    for (const body of [{}, { open: true, closes_at: at(0) }, { open: 'yes' }, { closes_at: 'tomorrow' }]) {
      const answer = await world.call('PUT', `/_sandbox/customers/${ada}/window`, body);
      expect(answer, JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error' } },
      });
    }
    expect(await world.events('?type=message.received')).toEqual([]);
  });
});

describe('customers', () => {
  it('are listed in the order of first contact, whichever side began', async ({ world }) => {
    await world.template('hello', { body: 'Hi' });
    await world.send(['+12025550112', '+12025550113'], 'hello', []);
    await world.inbound('+12025550111');
    await world.inbound('+12025550112');
    const phones = (await world.items<Control['Customer']>('/_sandbox/customers')).map(({ phone }) => phone);
    expect(phones).toEqual(['+12025550112', '+12025550113', '+12025550111']);
  });

  it('may be named with the plus, escaped or left out', async ({ world }) => {
    await world.inbound(ada, { text: 'Hi' });
    for (const name of ['+12025550110', '%2B12025550110', '12025550110']) {
      expect(await customer(world, name), name).toMatchObject({ phone: ada });
      expect(await handset(world, name), name).toHaveLength(1);
    }
  });

  it('never met answer 404, and have an empty handset', async ({ world }) => {
    expect(await world.call('GET', `/_sandbox/customers/${ada}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    expect(await handset(world)).toEqual([]);
    expect(await world.call('GET', '/_sandbox/customers/nobody')).toMatchObject({ status: 400 });
  });
});

describe('the handset', () => {
  it('shows both directions in order, with variables and the code filled in', async ({ world }) => {
    await world.template('order_shipped', { body: 'Order {{1}} left {{2}}. {{1}}!' });
    await world.template('login_code', { category: 'authentication', body: 'Your code is {{1}}.' });
    await world.send(ada, 'order_shipped', ['42', 'Berlin']);
    const { otp_id } = await world.post<{ otp_id: string }>('/v1/otp/send', { to: ada });
    const { code } = await world.get<{ code: string }>(`/_sandbox/otps/${otp_id}`);
    await world.inbound(ada, { text: 'Thanks' });
    await world.reply(ada, 'Welcome');
    await world.post('/v1/messages', { to: ada, type: 'image', media_url: 'https://cdn.test/a.png' });
    const buttons = [{ id: 'y', title: 'Yes' }];
    await world.post('/v1/messages', { to: ada, type: 'interactive', interactive: { body: 'Ok?', buttons } });
    const shown = await handset(world);
    expect(shown.map(({ direction, text }) => [direction, text])).toEqual([
      ['outbound', 'Order 42 left Berlin. 42!'],
      ['outbound', `Your code is ${code}.`],
      ['inbound', 'Thanks'],
      ['outbound', 'Welcome'],
      ['outbound', null],
      ['outbound', expect.toSatisfy((text: unknown) => text === null || text === 'Ok?')],
    ]);
    expect(shown[0]).toMatchObject({ template: { name: 'order_shipped', variables: ['42', 'Berlin'] } });
    expect(shown[1]).toMatchObject({ otp_id });
    expect(shown[4]).toMatchObject({ media_url: 'https://cdn.test/a.png' });
    expect(shown[5]).toMatchObject({ interactive: { body: 'Ok?', buttons } });
  });

  it('keeps what was sent as it was, whatever becomes of the template', async ({ world }) => {
    const id = await world.template('gone', { body: 'Order {{1}}' });
    await world.send(ada, 'gone', ['7']);
    await world.post(`/_sandbox/templates/${id}/status`, { status: 'deleted' });
    expect(await handset(world)).toMatchObject([{ text: 'Order 7' }]);
  });
});
