import { describe, expect } from 'vitest';
import type { Control, World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { at, frozen } from '../support/scenes.js';

const to = '+12025550110';

const { it } = useSandbox({ clock: frozen });

const report = (world: World, id: string, body: object) => world.call('POST', `/_sandbox/messages/${id}/status`, body);
const stored = (world: World, id: string) => world.get<Control['Message']>(`/_sandbox/messages/${id}`);

describe('the channel reports by hand', () => {
  it('moves the message, fires its event, and drops what its lifecycle had planned once it is final', async ({
    world,
  }) => {
    const id = await world.text();
    await world.advance('100ms');
    expect((await report(world, id, { status: 'read' })).body).toMatchObject({ message_id: id, status: 'read' });
    await world.advance('1h');
    const message = await stored(world, id);
    expect(message.history).toEqual([
      { status: 'accepted', at: at(0) },
      { status: 'sent', at: at(0) },
      { status: 'read', at: at(100), by: 'command' },
    ]);
    expect(message.explain.by).toBe('default');
    expect((await world.events(`?message_id=${id}`)).map(({ data }) => data.status)).toEqual(['sent', 'read']);
    expect((await world.clock()).pending).toBe(0);
  });

  it('is not told twice of a state that was reported early', async ({ world }) => {
    const id = await world.text();
    await report(world, id, { status: 'delivered' });
    await world.advance('1h');
    expect((await world.events(`?message_id=${id}`)).map(({ data }) => data.status)).toEqual([
      'sent',
      'delivered',
      'read',
    ]);
  });

  it('knows messages that were sent, and no others', async ({ world }) => {
    const { message_id } = await world.inbound(to);
    for (const id of [message_id, 'none']) {
      expect(await report(world, id, { status: 'read' })).toMatchObject({ status: 404 });
      expect(await world.call('GET', `/_sandbox/messages/${id}`)).toMatchObject({ status: 404 });
    }
  });
});

describe('everything sent', () => {
  it('is listed with batches entry by entry, each with why; inbound messages and codes are not', async ({ world }) => {
    await world.template('promo');
    await world.template('login', { category: 'authentication', body: '{{1}}' });
    const batch = await world.send([to, 'bad', '+12025550111'], 'promo');
    await world.post('/v1/otp/send', { to });
    await world.inbound(to);
    await world.reply(to);
    const all = await world.items<Control['Message']>('/_sandbox/messages');
    expect(all.map((message) => [message.to, message.type, message.batch_id])).toEqual([
      [to, 'template', batch.batch_id],
      ['+12025550111', 'template', batch.batch_id],
      [to, 'text', undefined],
    ]);
    expect(batch.results.filter(({ ok }) => ok).map(({ message_id }) => message_id)).toEqual(
      all.slice(0, 2).map(({ message_id }) => message_id),
    );
    for (const message of all)
      expect(message.explain).toMatchObject({ by: 'default', text: expect.any(String) as string });
  });
});
